import type { Ports } from "../../domain/ports.ts";
import { NO_BROKER } from "../../domain/trading/positions.ts";
import type { Preview } from "../../domain/trading/preview.ts";
import type { Proposal, ProposedTicket } from "../../domain/trading/proposal.ts";
import { asToolError, endsTheCall } from "../../kernel/errors.ts";
import type { Line } from "./line.ts";
import { type PreviewRequest, previewTrade } from "./preview.ts";
import type { TradePorts } from "./situation.ts";
import type { Plan } from "./size.ts";

type Ticketed = Pick<Proposal, "ticket" | "reason" | "next">;

/**
 * A ticket for what a signal says, or why there is none: it says WAIT, no broker is connected, or the trade may not be sent.
 * Sends nothing. Rejects only with what ends the whole call and with what broke inside.
 */
export async function ticketFor(
  request: PreviewRequest & { readonly plan: Plan },
  line: Line | null,
  ports: TradePorts & Pick<Ports, "market">,
): Promise<Ticketed> {
  const { direction, reason } = request.plan.signal;
  if (direction === "WAIT")
    return { ticket: null, reason: `The signal is WAIT: ${reason ?? "no side leads"}`, next: WAITING };
  if (line === null) return { ticket: null, reason: "No broker is connected", next: NO_BROKER };
  try {
    const shown = await previewTrade(request, line, ports);
    const ticket = ticketIn(shown);
    return { ticket, reason: ticket === null ? (shown.reason ?? UNSAID) : null, next: shown.hint };
  } catch (thrown) {
    const error = asToolError(thrown);
    if (endsTheCall(error) || error.code === "INTERNAL") throw thrown;
    return { ticket: null, reason: error.message, next: error.hint ?? "preview_trade tries it again." };
  }
}

const WAITING =
  "Nothing is to be done; get_signal shows the levels to watch, explain_signal what would turn it.";
const UNSAID = "There is nothing to send";

function ticketIn({
  ticket_id,
  expires_at,
  intent,
  quote,
  sizing,
  maximum_loss,
}: Preview): ProposedTicket | null {
  if (ticket_id === null || expires_at === null || intent === null) return null;
  return {
    ...{ ticket_id, expires_at, intent },
    ...{ price: quote.price, price_source: quote.price_source, priced_at: quote.traded_at },
    ...{ at_risk: sizing.at_risk, worst: maximum_loss.worst },
  };
}
