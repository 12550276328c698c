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

/** The ticket of an account. NOT_FOUND for none of its own, INVALID_INPUT where something else was said beside it. */
export async function requireTicket(
  account: string,
  id: string,
  said: TradeOverrides,
  { tradeBook, symbols }: { readonly tradeBook: TradeRepository } & Pick<Ports, "symbols">,
): Promise<TicketRecord> {
  const ticket = await tradeBook.ticket(account, id);
  if (ticket === null)
    throw new ToolError("NOT_FOUND", "There is no such ticket", { hint: "preview_trade gives one." });
  const other = contradictedFields(said, ticket, symbols);
  if (other.length > 0)
    throw new ToolError(
      "INVALID_INPUT",
      `The ticket is to ${formatIntent(ticket.intent)}, ${formatBracket(ticket.intent)}; something else was said as ${other.join(", ")}`,
      { hint: "Say ticket_id alone, or preview_trade for another trade.", data: { fields: other } },
    );
  return ticket;
}

/** A ticket previewed at once, on paper alone; the same digits again are the same ticket. Rejects where nothing may be sent. */
export async function createPaperTicket(
  request: {
    readonly account: string;
    readonly digits: string;
    readonly instrument: Instrument;
    readonly asked: TradeRequest;
  },
  planFor: (instrument: Instrument) => Promise<TradePlan | null>,
  ports: TradePorts & Pick<Ports, "market">,
): Promise<TicketRecord> {
  const { account, digits, asked, instrument } = request;
  const line = await resolveConnection(ports, account, asked.connection_id);
  if (line.connection.account_type === "live")
    throw new ToolError("REFUSED", "A live trade is previewed first", {
      hint: "preview_trade gives a ticket, which execute_trade sends once it is confirmed.",
    });
  const id = `tk_${digits}`;
  const before = await ports.tradeBook.ticket(account, id);
  if (before !== null) return requireSameTrade(before, request);
  const shown = await previewTrade({ ...request, plan: await planFor(instrument) }, line, ports);
  if (shown.ticket_id !== null) return (await ports.tradeBook.ticket(account, id))!;
  const broken = shown.checks.filter(({ passed }) => !passed);
  if (broken.length > 0) {
    const about = { connection_id: shown.connection_id, intent: shown.intent, checks: broken };
    await recordAudit(ports, account, "order_refused", about);
    throw riskRefusal(shown.checks, asked.type);
  }
  throw new ToolError("REFUSED", shown.reason ?? "There is nothing to send", {
    hint: shown.hint,
    data: { sizing: shown.sizing },
  });
}

function requireSameTrade(
  ticket: TicketRecord,
  { asked, instrument }: { readonly asked: TradeRequest; readonly instrument: Instrument },
): TicketRecord {
  const told = ticket.shown.asked as Readonly<Record<string, unknown>> | undefined;
  const fields = new Set([...Object.keys(told ?? {}), ...Object.keys(asked)]);
  const same = [...fields].every((field) => told?.[field] === asked[field as keyof TradeRequest]);
  if (ticket.intent.symbol === instrument.symbol && same) return ticket;
  throw new ToolError("REFUSED", "This idempotency_key was used for another trade", {
    hint: "list_orders tells whether that was sent: look before you use a new key. A new trade takes a new key.",
  });
}
