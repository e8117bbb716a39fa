// Globals of sw.js and worker.js that the scripts do not declare.

/** From Go's wasm_exec.js, which the build puts before worker.js. */
declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** Set by worker.js; the program calls it when it is ready (wasm/main.go). */
declare var rollplayHand: (run: (text: string, i: number) => string) => void;

// From web/site/pages, before sw.js.
declare const version: string;
declare const files: [name: string, integrity: string][];
declare const words: Record<"en" | "zh", { title: string; text: string; link: string }>;

// The globals of a service worker; the library has those of other workers.
declare const clients: Clients;
declare function skipWaiting(): Promise<void>;
declare function addEventListener(type: "install" | "activate", listener: (e: ExtendableEvent) => void): void;
declare function addEventListener(type: "fetch", listener: (e: FetchEvent) => void): void;
declare function addEventListener(type: "message", listener: (e: ExtendableMessageEvent) => void): void;
