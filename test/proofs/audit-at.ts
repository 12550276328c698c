import { mkdirSync } from "node:fs";
import { auditOf } from "../../src/access/audit/audit.ts";
import { verifyAuditLog } from "../../src/access/audit/audit-check.ts";
import { masterKeys } from "../../src/access/vault/master-key.ts";
import { createSecretStore } from "../../src/access/vault/secret-store.ts";
import { auditLog } from "../../src/store/audit/audit-log.ts";
import type { Store } from "../../src/store/store.ts";
import { sealsIn } from "../../src/store/vault/seals.ts";

/** The audit log of the store of a server with these settings, and its folder, which is created. */
export function auditAt({ db }: Store, env: Readonly<Record<string, string>>) {
  const { DATA_DIR: dataDir = "", ...rest } = env;
  mkdirSync(dataDir, { recursive: true });
  const log = { info() {}, warn() {}, error() {} };
  const keys = masterKeys({ ...rest, DATA_DIR: dataDir }, log);
  const { vault } = createSecretStore({ keys, seals: sealsIn(db, dataDir) });
  const repository = auditLog({ db, dataDir });
  const clock = { now: () => new Date() };
  return {
    audit: auditOf({ repository, vault, clock, market: "proof" }),
    verify: () => verifyAuditLog({ repository, vault }),
    /** Returns every entry, oldest first. */
    entries: () => repository.entries(0, Number.MAX_SAFE_INTEGER),
  };
}
