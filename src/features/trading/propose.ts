import type { Preview } from "../../domain/trading/preview.ts";
import type { Proposal, ProposedTicket } from "../../domain/trading/proposal.ts";
import { itemError } from "../../kernel/errors.ts";
import { type PreviewPorts, type PreviewRequest, previewTrade } from "./preview.ts";
import type { BrokerConnection } from "./resolve-connection.ts";
import type { TradePlan } from "./size.ts";

type TicketOutcome = Pick<Proposal, "ticket" | "reason" | "next">;

/**
 * Creates a ticket for a signal, or returns the reason for having none: the signal is WAIT or stale, or
 * the trade may not be sent. Sends no order. Rejects only with errors that affect the entire call.
 */
export async function proposeTicket(
  request: PreviewRequest & { readonly plan: TradePlan },
  brokerConnection: BrokerConnection,
  ports: PreviewPorts,
): Promise<TicketOutcome> {
  const { direction, reason } = request.plan.signal;
  const { stale = null } = request.plan;
  if (direction === "WAIT")
    return { ticket: null, reason: `The signal is WAIT: ${reason ?? "no side leads"}`, next: WAIT_HINT };
  if (stale !== null) return { ticket: null, reason: stale, next: STALE_HINT };
  try {
    const shown = await previewTrade(request, brokerConnection, ports);
    const ticket = toProposedTicket(shown);
    return { ticket, reason: ticket === null ? (shown.reason ?? NOTHING_TO_SEND) : null, next: shown.hint };
  } catch (thrown) {
    const { message, hint } = itemError(thrown);
    return { ticket: null, reason: message, next: hint ?? "Retry with preview_trade." };
  }
}

const WAIT_HINT =
  "No action. get_signal returns the levels to watch, explain_signal what would change the direction.";
const STALE_HINT = "Wait for newer bars; get_history returns the newest ones.";
const NOTHING_TO_SEND = "There is nothing to send";

function toProposedTicket(preview: Preview): ProposedTicket | null {
  const { ticket_id, expires_at, intent, quote, sizing, maximum_loss, odds, odds_reason } = preview;
  if (ticket_id === null || expires_at === null || intent === null) return null;
  return {
    ticket_id,
    expires_at,
    intent,
    price: quote.price,
    price_source: quote.price_source,
    priced_at: quote.traded_at,
    at_risk: sizing.at_risk,
    worst: maximum_loss.worst,
    odds,
    odds_reason,
  };
}
