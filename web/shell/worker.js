// @ts-check
// A worker of the page. Its first message says what it does: with the address of the program it downloads and compiles it for the page
// (boot.js); with the compiled program it is the same program, which finds no document here and measures the runs that it receives
// (web/src/workers.js). The build puts this script after Go's wasm_exec.js and program.js.
"use strict";
{
  /**
   * run runs the program until it is ready to measure (wasm/main.go).
   * @param {WebAssembly.Module} program
   * @param {(measure: (text: string, i: number) => string) => void} ready
   */
  async function run(program, ready) {
    const go = new Go();
    self.rollplayHand = ready;
    await go.run(await WebAssembly.instantiate(program, go.importObject));
  }

  /** @param {string} address */
  async function compile(address) {
    const program = await loadProgram(address, postMessage);
    // Browsers compile a function when it is first called, for all that share the program: the page finds ready what has run here.
    await new Promise((done) => run(program, done).then(done, done));
    postMessage(program);
  }

  /** @param {WebAssembly.Module} program */
  function measure(program) {
    run(program, (answer) => {
      onmessage = ({ data: { id, text, i } }) => postMessage({ id, i, answer: answer(text, i) });
      postMessage("ready");
    }).finally(() => postMessage("gone"));
  }

  onmessage = ({ data }) => {
    if (typeof data === "string") compile(data).catch((err) => postMessage(String(err.message)));
    else measure(data);
  };
}
