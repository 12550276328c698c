import { parentPort, workerData } from "node:worker_threads";
import { backUpNow, checkAndBackUp, type ManualBackupJob, type UpkeepJob } from "./check-and-back-up.ts";

const job = workerData as UpkeepJob | ManualBackupJob;
parentPort?.postMessage("schedule" in job ? checkAndBackUp(job) : backUpNow(job));
