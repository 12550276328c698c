import { parentPort } from "node:worker_threads";
import { type AuditJob, runAuditJob } from "./audit-job.ts";

parentPort?.once("message", async (job: AuditJob) => parentPort?.postMessage(await runAuditJob(job)));
