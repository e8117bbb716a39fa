// @ts-check
// Downloads and compiles the program. It stands in boot.js and in worker.js: a worker does this where one may be started, because
// the page's thread would be busy with 13 MB for half a second on a phone.
"use strict";

/**
 * loadProgram calls got with the bytes so far. The lengths in the headers are those of the compressed file.
 * @param {string} address
 * @param {(bytes: number) => void} got
 * @returns {Promise<WebAssembly.Module>}
 */
async function loadProgram(address, got) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server answered ${response.status} for ${address}`);
  let loaded = 0;
  /** @type {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} */
  const count = new TransformStream({
    transform(chunk, out) {
      loaded += chunk.byteLength;
      got(loaded);
      out.enqueue(chunk);
    },
  });
  // The type is set here, because the browser would refuse the file from a host that does not know wasm.
  return WebAssembly.compileStreaming(new Response(response.body?.pipeThrough(count), { headers: { "Content-Type": "application/wasm" } }));
}
