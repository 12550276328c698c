import type { AuditRepository } from "../../domain/audit/audit-port.ts";
import type { Clock } from "../../domain/ports.ts";
import type { SecretStore } from "../vault/secret-store.ts";
import { type AuditBaseline, verifyAuditLog } from "./audit-check.ts";

/** Access to the audit log of a data folder for its owner. */
export const createAuditService = ({
  auditRepository: repository,
  secretStore: { vault },
  clock,
  close,
}: {
  readonly auditRepository: AuditRepository;
  readonly secretStore: SecretStore;
  readonly clock: Clock;
  close(): Promise<void>;
}) => ({
  check: (baseline: AuditBaseline) => verifyAuditLog({ repository, vault }, baseline),
  entries: repository.entries,
  now: clock.now,
  close,
});
