// @ts-check
// A worker of the page (web/src/workers.js): the same program, which finds no document here and measures the runs that it receives. The
// build puts this script after Go's wasm_exec.js. The first message is the compiled program.
"use strict";
{
  const go = new Go();

  // The program calls this when it is ready (wasm/hand.go).
  self.rollplayHand = (run) => {
    onmessage = ({ data: { id, text, i } }) => postMessage({ id, i, answer: run(text, i) });
    postMessage("ready");
  };

  onmessage = async ({ data }) => {
    try {
      await go.run(await WebAssembly.instantiate(data, go.importObject));
    } finally {
      postMessage("gone");
    }
  };
}
