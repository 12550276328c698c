import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { formatBracket, formatIntent } from "../../domain/questions/intent.text.ts";
import type { TradeOverrides, TradeRequest } from "../../domain/trading/preview.ts";
import type { TicketRecord, TradeRepository } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { contradictedFields } from "./contradicted-fields.ts";
import { riskRefusal } from "./execute.ts";
import { previewTrade } from "./preview.ts";
import { recordAudit } from "./record-audit.ts";
import { resolveConnection } from "./resolve-connection.ts";
import type { TradePorts } from "./situation.ts";
import type { TradePlan } from "./size.ts";

/** Returns a ticket of the account. @throws ToolError NOT_FOUND, or INVALID_INPUT when other fields contradict it */
export async function requireTicket(
  account: string,
  id: string,
  overrides: TradeOverrides,
  { tradeRepository, symbols }: { readonly tradeRepository: TradeRepository } & Pick<Ports, "symbols">,
): Promise<TicketRecord> {
  const ticket = await tradeRepository.ticket(account, id);
  if (ticket === null)
    throw new ToolError("NOT_FOUND", "Ticket not found", { hint: "preview_trade creates one." });
  const fields = contradictedFields(overrides, ticket, symbols);
  if (fields.length > 0)
    throw new ToolError(
      "INVALID_INPUT",
      `The ticket is to ${formatIntent(ticket.intent)}, ${formatBracket(ticket.intent)}; these fields contradict it: ${fields.join(", ")}`,
      { hint: "Pass ticket_id alone, or call preview_trade for another trade.", data: { fields } },
    );
  return ticket;
}

/**
 * Creates a ticket on a paper connection; the same digits return the same ticket. Rejects when the trade may not be
 * sent.
 */
export async function createPaperTicket(
  request: {
    readonly account: string;
    readonly digits: string;
    readonly instrument: Instrument;
    readonly trade: TradeRequest;
  },
  planFor: (instrument: Instrument) => Promise<TradePlan | null>,
  ports: TradePorts & Pick<Ports, "market">,
): Promise<TicketRecord> {
  const { account, digits, trade, instrument } = request;
  const brokerConnection = await resolveConnection(ports, account, trade.connection_id);
  if (brokerConnection.connection.account_type === "live")
    throw new ToolError("REFUSED", "A live trade requires a preview", {
      hint: "Call preview_trade for a ticket; execute_trade sends it once it is confirmed.",
    });
  const id = `tk_${digits}`;
  const existing = await ports.tradeRepository.ticket(account, id);
  if (existing !== null) return requireSameTrade(existing, request);
  const shown = await previewTrade({ ...request, plan: await planFor(instrument) }, brokerConnection, ports);
  if (shown.ticket_id !== null) return (await ports.tradeRepository.ticket(account, id))!;
  const broken = shown.checks.filter(({ passed }) => !passed);
  if (broken.length > 0) {
    const details = { connection_id: shown.connection_id, intent: shown.intent, checks: broken };
    await recordAudit(ports, account, "order_refused", details);
    throw riskRefusal(shown.checks, trade.type);
  }
  throw new ToolError("REFUSED", shown.reason ?? "There is nothing to send", {
    hint: shown.hint,
    data: { sizing: shown.sizing },
  });
}

function requireSameTrade(
  ticket: TicketRecord,
  { trade, instrument }: { readonly trade: TradeRequest; readonly instrument: Instrument },
): TicketRecord {
  const previewed = ticket.shown.asked as Readonly<Record<string, unknown>> | undefined;
  const fields = new Set([...Object.keys(previewed ?? {}), ...Object.keys(trade)]);
  const same = [...fields].every((field) => previewed?.[field] === trade[field as keyof TradeRequest]);
  if (ticket.intent.symbol === instrument.symbol && same) return ticket;
  throw new ToolError("REFUSED", "This idempotency_key was used for another trade", {
    hint: "Check with list_orders whether that trade was sent before using a new key. A new trade requires a new key.",
  });
}
