import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { type AuditLogDeps, auditKeyOf, verifyAuditLog } from "../access/audit/audit-check.ts";
import type { AuditReport } from "../domain/audit/audit-port.ts";
import type { Log } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { isOutOfMemory, nextMessage } from "../lib/thread.ts";
import type { AuditJob } from "./audit-job.ts";

interface AuditThreadOptions extends AuditLogDeps, Pick<AuditJob, "dataDir"> {
  /** Path of the database; null for PostgreSQL, whose log is verified on this thread. */
  readonly file: string | null;
  readonly log: Log;
  /** Starts a thread; null verifies on this one. Default: null when running from TypeScript sources. */
  readonly spawn?: (() => Worker) | null;
}

const compiledSpawn = (): (() => Worker) | null =>
  import.meta.url.endsWith(".js") ? () => new Worker(new URL("./audit-worker.js", import.meta.url)) : null;

const outOfMemory = (cause: unknown) =>
  new ToolError("REFUSED", "The check of the audit log needs more memory than the server has", {
    hint: "The operator can check it while the server is stopped.",
    command: "market-signal audit verify",
    cause,
  });

/**
 * Creates the verification of the whole audit log in a thread, one at a time. Without the key of the log, or when the
 * thread fails, it runs on this thread, in slices; it is refused if the thread ran out of memory.
 */
export function auditThread({
  repository,
  vault,
  file,
  dataDir,
  log,
  spawn = compiledSpawn(),
}: AuditThreadOptions): () => Promise<AuditReport> {
  const oneAtATime = pLimit(1);
  return () =>
    oneAtATime(async () => {
      const key = spawn === null || file === null ? null : await auditKeyOf({ repository, vault });
      if (spawn === null || file === null || key === null) return verifyAuditLog({ repository, vault });
      try {
        const worker = spawn();
        const job: AuditJob = { file, dataDir, key: key.text };
        worker.postMessage(job);
        return (await nextMessage(worker)) as AuditReport;
      } catch (cause) {
        log.warn("audit_thread", { cause });
        if (isOutOfMemory(cause)) throw outOfMemory(cause);
        return verifyAuditLog({ repository, vault });
      }
    });
}
