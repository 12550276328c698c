import { MAX_WAITING } from "../../domain/trading/confirmation.ts";
import { ToolError } from "../../kernel/errors.ts";

/** A stored order or request that waits for a person. */
interface WaitingRow {
  /** Id of the key or grant that asked; empty for the command line and the dashboard. */
  readonly requested_by: string | null;
  readonly expires_at: string;
}

/**
 * Throws REFUSED if too many orders, or other requests, of the requester or of its account wait for a person. `page` is
 * the URL at which people decide.
 */
export function assertWaitingLimit(
  kind: "orders" | "requests",
  { by, page }: { readonly by: string; readonly page: string },
  waiting: readonly WaitingRow[],
): void {
  const own = waiting.filter(({ requested_by }) => (requested_by ?? "") === by);
  if (own.length >= MAX_WAITING.requester) throw tooManyError(`${kind} of this key or app`, own, page);
  if (waiting.length >= MAX_WAITING.account) throw tooManyError(`${kind} of this account`, waiting, page);
}

function tooManyError(what: string, waiting: readonly WaitingRow[], page: string): ToolError {
  const until = waiting.map(({ expires_at }) => expires_at).toSorted()[0]!;
  return new ToolError("REFUSED", `${waiting.length} ${what} wait for a person already`, {
    hint: `Let a person of this account confirm or refuse some of them at ${page}, or wait until ${until}, when the first one expires.`,
    data: { limit: waiting.length, until },
  });
}
