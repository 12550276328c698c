import { register } from "node:module";

// a thread cannot load TypeScript by itself
register("tsx/esm", { parentURL: import.meta.url, data: true });
const { default: runJob } = await import("../../src/compute/compute-worker.ts");

export default runJob;
