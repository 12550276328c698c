import type { AuditBook } from "../../domain/audit/audit-port.ts";
import type { Clock } from "../../domain/ports.ts";
import type { Custody } from "../vault/custody.ts";
import { checkAudit, type Kept } from "./audit-check.ts";

/** The audit log of a data folder, as its owner looks at it. */
export const auditDesk = ({
  auditBook: book,
  custody: { vault },
  clock,
  close,
}: {
  readonly auditBook: AuditBook;
  readonly custody: Custody;
  readonly clock: Clock;
  close(): Promise<void>;
}) => ({
  check: (kept: Kept) => checkAudit({ book, vault }, kept),
  ...{ entries: book.entries, now: clock.now, close },
});
