// Globals of the scripts in web/shell that no script here declares.

/** From Go's wasm_exec.js, which the build puts before boot.js and worker.js. */
declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** Trusted Types, where the browser has them. */
interface Window {
  trustedTypes?: {
    readonly defaultPolicy: unknown;
    createPolicy(name: string, rules: Record<"createHTML" | "createScriptURL", (text: string) => string | null>): unknown;
  };
}
