import { fileURLToPath } from "node:url";
import { type ComputeOptions, createCompute } from "../../src/compute/compute.ts";
import { collectingLog } from "./context.ts";

const FILE = fileURLToPath(new URL("compute-thread.mjs", import.meta.url));

/** Computes on threads that run the TypeScript sources. */
export const threadCompute = (threads: number, options: Partial<ComputeOptions> = {}) => {
  const compute = createCompute({ threads, log: collectingLog().log, file: FILE, ...options });
  compute.start();
  return compute;
};
