import { parentPort } from "node:worker_threads";
import { walkFile } from "./walk.ts";
import type { WalkJob } from "./walk-files.ts";

parentPort!.on("message", ({ file, paths }: WalkJob) => parentPort!.postMessage(walkFile(file, paths)));
