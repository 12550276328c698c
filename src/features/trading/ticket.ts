import { isBroken } from "../../analytics/risk/verdict.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { formatBracket, formatIntent } from "../../domain/requests/intent.text.ts";
import type { TradeOverrides, TradeRequest } from "../../domain/trading/preview.ts";
import type { TicketRecord } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { decimal } from "../../lib/decimal.ts";
import { type PreviewPorts, type PreviewRequest, previewTrade } from "./preview.ts";
import { recordAudit } from "./record-audit.ts";
import { resolveConnection } from "./resolve-connection.ts";
import { riskRefusal } from "./risk-refusal.ts";
import type { TradePlan } from "./size.ts";

/** Returns a ticket of the account. @throws ToolError NOT_FOUND, or INVALID_INPUT when other fields contradict it */
export async function requireTicket(
  account: string,
  id: string,
  overrides: TradeOverrides,
  { tradeRepository, symbols }: Pick<Ports, "tradeRepository" | "symbols">,
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
 * Creates a ticket on a paper connection; a call with the same digits returns the same ticket. Rejects when the trade
 * may not be sent.
 */
export async function createPaperTicket(
  request: Omit<PreviewRequest, "plan">,
  planFor: (instrument: Instrument) => Promise<TradePlan | null>,
  ports: PreviewPorts,
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
  const broken = shown.checks.filter(isBroken);
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
  { trade, instrument }: Pick<PreviewRequest, "trade" | "instrument">,
): TicketRecord {
  const previewed = ticket.shown.requested as Readonly<Record<string, unknown>> | undefined;
  const fields = new Set([...Object.keys(previewed ?? {}), ...Object.keys(trade)]);
  const same = [...fields].every((field) => previewed?.[field] === trade[field as keyof TradeRequest]);
  if (ticket.intent.symbol === instrument.symbol && same) return ticket;
  throw new ToolError("REFUSED", "This idempotency_key was used for another trade", {
    hint: "Check with list_orders whether that trade was sent before using a new key. A new trade requires a new key.",
  });
}

type Field = keyof TradeOverrides;

const NUMERIC_FIELDS: ReadonlySet<Field> = new Set([
  "quantity",
  "risk_pct",
  "limit_price",
  "stop_price",
  "stop_loss",
  "take_profit",
]);

/**
 * Returns the names of fields passed with a ticket id that differ from the ticket. Compares numbers by value, not by
 * notation.
 */
function contradictedFields(
  overrides: TradeOverrides,
  { intent, connection, shown }: TicketRecord,
  symbols: Ports["symbols"],
): readonly Field[] {
  const previewed = (shown.requested ?? {}) as TradeOverrides;
  const kind = symbols.find(intent.symbol)?.instrument.asset_class;
  const ticketValues: Readonly<Record<Exclude<Field, "symbol">, string | null | undefined>> = {
    connection_id: connection,
    timeframe: previewed.timeframe,
    side: intent.side,
    quantity: intent.quantity,
    risk_pct: previewed.risk_pct,
    sizing: previewed.sizing ?? "risk_pct",
    type: intent.type,
    limit_price: intent.limit_price,
    stop_price: intent.stop_price,
    time_in_force: intent.time_in_force,
    stop_loss: intent.stop_loss,
    take_profit: intent.take_profit,
    asset_class: kind,
  };
  const fields = (Object.keys(ticketValues) as Exclude<Field, "symbol">[]).filter((field) => {
    const [given, expected] = [overrides[field], ticketValues[field]];
    if (given === undefined || given === expected) return false;
    return expected == null || !NUMERIC_FIELDS.has(field) || !decimal(given).eq(expected);
  });
  return isSameSymbol(overrides, intent.symbol, symbols) ? fields : ["symbol", ...fields];
}

/** Returns true when the symbol (and asset class, if given) identifies the ticket's instrument. */
function isSameSymbol(
  { symbol, asset_class }: TradeOverrides,
  ticketSymbol: string,
  symbols: Ports["symbols"],
): boolean {
  if (symbol === undefined) return true;
  const found = symbols.find(symbol);
  if (found === null) return false;
  const matches =
    asset_class === undefined
      ? [found.instrument]
      : [found.instrument, ...found.alternatives].filter((given) => given.asset_class === asset_class);
  return matches.some((given) => given.symbol === ticketSymbol);
}
