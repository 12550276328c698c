import type { AuditHead } from "../../domain/audit/audit.ts";
import type { AuditEvent } from "../../domain/audit/audit-events.ts";
import type {
  Audit,
  AuditData,
  AuditRepository,
  ConfirmTicket,
  TicketToConfirm,
} from "../../domain/audit/audit-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { AUDIT_SEAL, type Vault } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { auditKeyId, headCodeOf, macOf, newAuditKey } from "./audit-chain.ts";

/** Market of audit entries on the whole installation or on an account, which belong to all markets. */
export const EVERY_MARKET = "all";

/** Fields whose text is replaced before it is logged. */
const SECRET = /secret|password|credential|api_?key|token/i;

/** Writes entries of one market to the audit log of the installation. Rejects when an entry cannot be written. */
export function auditOf({
  repository,
  vault,
  clock,
  market,
}: {
  readonly repository: AuditRepository;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly market: string;
}): Audit & { readonly confirmTicket: ConfirmTicket } {
  const append = (account: string, event: AuditEvent, about: AuditData, ticket?: TicketToConfirm) =>
    repository.append(({ last, noted, sealedKey, masterKeyId }) => {
      const key = sealedKey === null ? newAuditKey() : openKey(vault, sealedKey);
      const codeOf = (head: AuditHead) => headCodeOf(key, head);
      // The key is created with the first entry and its head, so both must exist with it.
      const cut = sealedKey !== null && (last.seq === 0 || noted === null || noted.code !== codeOf(noted));
      const lost = cut || (noted === null && last.seq > 0);
      const entry = {
        // A recorded number is never used again: entries that were cut off leave a gap.
        seq: Math.max(lost ? last.seq + 1 : last.seq, noted?.seq ?? 0) + 1,
        at: clock.now().toISOString(),
        account: account.toWellFormed(),
        market: market.toWellFormed(),
        event,
        about: canonicalJson(withoutSecrets(about)),
        previous: last.mac,
        key: auditKeyId(key),
      };
      const sealed = sealedKey === null ? vault.seal(key, AUDIT_SEAL, masterKeyId ?? undefined) : null;
      return {
        entry: { ...entry, mac: macOf(key, entry) },
        newKey: sealed === null ? null : { sealed, under: vault.keyIdOf(sealed) ?? "" },
        codeOf,
      };
    }, ticket);
  return {
    async write(account, event, about) {
      await append(account, event, about);
    },
    confirmTicket: (account, ticket, about) =>
      append(account, "ticket_confirmed", about, { account, market, ...ticket }),
  };
}

function openKey(vault: Vault, sealed: string): string {
  try {
    return vault.open(sealed, AUDIT_SEAL);
  } catch (cause) {
    throw new ToolError("NOT_CONNECTED", "The audit log cannot be written: its key cannot be opened", {
      hint: "Actions that cannot be logged are refused. The server owner has to restart the server with the current master key.",
      cause,
    });
  }
}

const withoutSecrets = (about: AuditData): unknown =>
  JSON.parse(
    JSON.stringify(about, (name, value: unknown) =>
      SECRET.test(name) && typeof value === "string" ? "not written" : value,
    ),
  );
