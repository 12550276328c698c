import type { AuditHead } from "../../domain/audit/audit.ts";
import type { AuditRepository } from "../../domain/audit/audit-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { AUDIT_SEAL, type Audit, type Vault } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { auditKeyId, macOf, newAuditKey, noteCodeOf } from "./audit-chain.ts";

/** Names of fields whose text is never written down, should anybody ever hand one in. */
const SECRET = /secret|password|credential|api_?key|token/i;

/** The chain of one installation, written to in the name of one market. Rejects where nothing could be written. */
export function auditOf({
  book,
  vault,
  clock,
  market,
}: {
  readonly book: AuditRepository;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly market: string;
}): Audit {
  return {
    write: (account, event, about) =>
      book.append(({ last, noted, sealedKey, masterKeyId }) => {
        const key = sealedKey === null ? newAuditKey() : opened(vault, sealedKey);
        const codeOf = (head: AuditHead) => noteCodeOf(key, head);
        // a key comes with a first entry and a note by it, and goes with neither
        const cut = sealedKey !== null && (last.seq === 0 || noted === null || noted.code !== codeOf(noted));
        const lost = cut || (noted === null && last.seq > 0);
        const entry = {
          // a number that was once noted is never given again: what was cut off, or the note with it, leaves a gap
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
      }),
  };
}

function opened(vault: Vault, sealed: string): string {
  try {
    return vault.open(sealed, AUDIT_SEAL);
  } catch (cause) {
    throw new ToolError("NOT_CONNECTED", "The audit log cannot be written: its key does not open", {
      hint: "Nothing is done that cannot be written down. The owner of the server has to start it again with the master key in use.",
      cause,
    });
  }
}

const withoutSecrets = (about: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(
    JSON.stringify(about, (name, value: unknown) =>
      SECRET.test(name) && typeof value === "string" ? "not written" : value,
    ),
  );
