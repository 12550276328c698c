import { Worker } from "node:worker_threads";

/** Starts a thread from a TypeScript file, with the same loader as the program. */
export const sourceThread = (url: string): Worker =>
  new Worker(
    `require("node:module").register("tsx/esm", { parentURL: ${JSON.stringify(import.meta.url)}, data: true });
     import(${JSON.stringify(url)});`,
    { eval: true, execArgv: [] },
  );
