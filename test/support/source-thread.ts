import { Worker } from "node:worker_threads";

/** Starts a thread from a TypeScript file, with the same loader as the program. */
export const sourceThread = (url: string): Worker =>
  new Worker(
    `require("node:module").register("tsx/esm", { parentURL: ${JSON.stringify(import.meta.url)}, data: true });
     import(${JSON.stringify(url)});`,
    { eval: true, execArgv: [] },
  );

/** Starts a thread that reaches its limit of memory at once. */
export const greedyThread = (): Worker =>
  new Worker("const held = []; for (;;) held.push(new Array(1000).fill(1))", {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
