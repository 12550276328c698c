import { parentPort, workerData } from "node:worker_threads";
import type { ManualBackupJob, UpkeepJob } from "./check-and-back-up.ts";
import { upkeepJobs } from "./run-job.ts";

const job = workerData as UpkeepJob | ManualBackupJob;
parentPort?.postMessage(await ("schedule" in job ? upkeepJobs.upkeep(job) : upkeepJobs.backup(job)));
