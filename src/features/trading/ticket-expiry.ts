import type { TicketRecord } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isAhead, isOver } from "../../lib/expiry.ts";

/** Time for which a ticket is valid. */
export const TICKET_TTL_MS = 300_000;
/** Time for which a ticket is valid once a person was asked to confirm it. */
export const REQUESTED_TICKET_TTL_MS = 900_000;

/** Returns true if a ticket may no longer be sent, also if it was issued while the clock was ahead. */
export const isExpired = (
  { expiresAt, requested }: Pick<TicketRecord, "expiresAt" | "requested">,
  now: Date,
): boolean =>
  isOver(
    Date.parse(expiresAt),
    now.getTime(),
    requested === undefined ? TICKET_TTL_MS : REQUESTED_TICKET_TTL_MS,
  );

/** Returns the error of a ticket that may not be sent: a person refused it, or it has expired. */
export function unusableTicketError({ createdAt, expiresAt, refusedAt }: TicketRecord, now: Date): ToolError {
  if (refusedAt !== undefined)
    return new ToolError("REFUSED", `A person of this account refused this trade at ${refusedAt}`, {
      hint: "Do not propose the same trade again without talking to the person.",
    });
  const why = isAhead(Date.parse(createdAt), now.getTime())
    ? `The ticket was issued at ${createdAt}, when the clock of this machine was ahead`
    : `The ticket expired at ${expiresAt}`;
  return new ToolError("REFUSED", why, { hint: "Call preview_trade for a new ticket at the current price." });
}
