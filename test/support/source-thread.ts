import { Worker } from "node:worker_threads";

const WORKER = new URL("../../src/features/nightly/worker.ts", import.meta.url).href;

/** Starts the engine's worker thread from its TypeScript sources, with the same loader as the program. */
export const sourceThread = (url = WORKER): Worker =>
  new Worker(
    `require("node:module").register("tsx/esm", { parentURL: ${JSON.stringify(import.meta.url)}, data: true });
     import(${JSON.stringify(url)});`,
    { eval: true, execArgv: [] },
  );
