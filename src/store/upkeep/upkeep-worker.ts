import { parentPort, workerData } from "node:worker_threads";
import { checkAndBackUp, type UpkeepJob } from "./check-and-back-up.ts";

parentPort?.postMessage(checkAndBackUp(workerData as UpkeepJob));
