import { parentPort, workerData } from "node:worker_threads";
import type { ManualBackupJob, UpkeepJob } from "./check-and-back-up.ts";
import { runManualBackup, runUpkeep } from "./run-job.ts";

const job = workerData as UpkeepJob | ManualBackupJob;
parentPort?.postMessage(await ("schedule" in job ? runUpkeep(job) : runManualBackup(job)));
