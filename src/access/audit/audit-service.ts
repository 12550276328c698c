import type { AuditRepository } from "../../domain/audit/audit-port.ts";
import type { Clock } from "../../domain/ports.ts";
import type { SecretStore } from "../vault/secret-store.ts";
import { type AuditBaseline, verifyAuditLog } from "./audit-check.ts";

/** The audit log of a data folder, as its owner looks at it. */
export const createAuditService = ({
  auditRepository: book,
  secretStore: { vault },
  clock,
  close,
}: {
  readonly auditRepository: AuditRepository;
  readonly secretStore: SecretStore;
  readonly clock: Clock;
  close(): Promise<void>;
}) => ({
  check: (kept: AuditBaseline) => verifyAuditLog({ repository: book, vault }, kept),
  entries: book.entries,
  now: clock.now,
  close,
});
