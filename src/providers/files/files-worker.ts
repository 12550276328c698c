import { parentPort } from "node:worker_threads";
import type { Bars } from "../../domain/market/bars.ts";
import { runHere } from "./file-tasks.ts";
import type { FileJob } from "./file-thread.ts";

parentPort?.on("message", ({ name, input }: FileJob) => {
  const output: object | string | null = runHere(name, input);
  const loaded = (output as { loaded?: { bars: Bars } } | null)?.loaded;
  const columns = Object.values(loaded?.bars ?? {}).filter((value) => value instanceof Float64Array);
  parentPort?.postMessage(output, [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))]);
});
