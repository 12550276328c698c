import { verifyAuditLog } from "../access/audit/audit-check.ts";
import type { AuditReport } from "../domain/audit/audit-port.ts";
import { auditLog } from "../store/audit/audit-log.ts";
import { openReader } from "../store/reader.ts";

export interface AuditJob {
  readonly file: string;
  readonly dataDir: string;
  /** Key of the audit log. */
  readonly key: string;
}

/** Verifies the whole audit log on a connection of its own. */
export async function runAuditJob({ file, dataDir, key }: AuditJob): Promise<AuditReport> {
  const db = openReader(file);
  try {
    return await verifyAuditLog({ repository: auditLog({ db, dataDir }), vault: { open: () => key } });
  } finally {
    await db.destroy();
  }
}
