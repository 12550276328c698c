import type { TicketRecord } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isAhead, isOver } from "../../lib/expiry.ts";

/** Time for which a ticket is valid. */
export const TICKET_TTL_MS = 300_000;

/** Returns true if a ticket may no longer be sent, also if it was issued while the clock was ahead. */
export const isExpired = ({ expiresAt }: Pick<TicketRecord, "expiresAt">, now: Date): boolean =>
  isOver(Date.parse(expiresAt), now.getTime(), TICKET_TTL_MS);

export function expiredTicketError({ createdAt, expiresAt }: TicketRecord, now: Date): ToolError {
  const why = isAhead(Date.parse(createdAt), now.getTime())
    ? `The ticket was issued at ${createdAt}, when the clock of this machine was ahead`
    : `The ticket expired at ${expiresAt}`;
  return new ToolError("REFUSED", why, { hint: "Call preview_trade for a new ticket at the current price." });
}
