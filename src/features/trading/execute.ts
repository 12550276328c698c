import { assess } from "../../analytics/risk/assess.ts";
import { opening, worstUnitPrice } from "../../analytics/risk/situation.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import {
  Amount,
  isOpenQuestion,
  type Order,
  type OrderType,
  type RiskCheck,
} from "../../domain/trading/trading.ts";
import type { SubmitResult, TicketRecord } from "../../domain/trading/trading-port.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { decimal, truncated } from "../../lib/decimal.ts";
import { formatAmendments, formatRemedy, quantityContext } from "./next-step.ts";
import { applyOrderChange, readOrderChange, toOrderChange } from "./reconcile.ts";
import { orderAuditData, recordAudit } from "./record-audit.ts";
import {
  type BrokerConnection,
  requireConfirmation,
  requireLiveAccess,
  resolveConnection,
} from "./resolve-connection.ts";
import { buildSituation, readAccountState, type TradePorts } from "./situation.ts";

/** A price that moved by more than so many percent since the preview is another trade. */
const MAX_PRICE_MOVE_PCT = 1;
/** What was begun is sent so soon or never: who reads it back may then take it for lost once it cannot arrive any more. */
const SEND_DEADLINE_MS = 15_000;
/** How often the rules are asked where another order comes between them and the beginning. */
const MAX_ATTEMPTS = 3;

/** An order, and whether the ticket had become it before. */
export interface ExecutionResult {
  readonly order: Order;
  readonly repeated: boolean;
}

/**
 * Sends a ticket as one order, once, whoever asks and however often: asked again it tells of that order. What came of
 * sending is accepted, rejected or unknown; an unknown one is read back, never sent again. Rejects before anything is
 * sent: NOT_FOUND, CONFLICT while another order's fate is open or where the price moved, REFUSED by a rule.
 */
export async function executeTicket(
  ticket: TicketRecord,
  principal: Principal,
  ports: TradePorts,
): Promise<ExecutionResult> {
  const { account } = principal;
  const line = await resolveConnection(ports, account, ticket.connection);
  // what was sent is told of even where nothing more is sent
  requireLiveAccess(line, principal, ticket.order === null ? ports.brokers : { live: true });
  if (ticket.order !== null) return repeatedResult(ticket.order, account, line, ports);
  const now = ports.clock.now().toISOString();
  if (ticket.expiresAt <= now) throw ticketExpired(ticket);
  const order = await beginOrder(ticket, account, line, ports);
  if (order === null) {
    const used = (await ports.tradeBook.ticket(account, ticket.id))?.order ?? null;
    if (used === null) throw ticketExpired(ticket);
    return repeatedResult(used, account, line, ports);
  }
  // neither cancelled nor timed out with the call: what was sent is written down
  return { order: await send(order, ticket, account, line, ports), repeated: false };
}

/** The order that the ticket became, once the rules let it; null where it was used or has expired meanwhile. */
async function beginOrder(
  ticket: TicketRecord,
  account: string,
  line: BrokerConnection,
  ports: TradePorts,
): Promise<Order | null> {
  const type = line.connection.account_type;
  for (let tries = 1; ; tries++) {
    try {
      const after = await recheckTicket(ticket, account, line, ports);
      const order = orderOf(ticket, ports.clock.now().toISOString());
      return (await ports.tradeBook.begin(account, order, { after, type })) ? order : null;
    } catch (cause) {
      const { code, data } = asToolError(cause);
      // another order was begun after the rules had looked: they look again
      if (code === "CONFLICT" && data?.newest !== undefined && tries < MAX_ATTEMPTS) continue;
      if (code === "REFUSED" && data?.checks !== undefined)
        await recordAudit(ports, account, "order_refused", {
          ticket_id: ticket.id,
          connection_id: ticket.connection,
          intent: ticket.intent,
          checks: data.checks,
        });
      throw cause;
    }
  }
}

/** One id for each ticket: whoever retries names the same order. */
const orderOf = ({ id, connection, intent, market }: TicketRecord, at: string): Order => {
  const digits = id.slice("tk_".length);
  return {
    order_id: `or_${digits}`,
    ticket_id: id,
    connection_id: connection,
    client_order_id: `ms-${digits}`,
    intent,
    state: "submitting",
    broker_status: null,
    filled_quantity: "0",
    average_price: null,
    fees: "0",
    reason: null,
    market,
    created_at: at,
    updated_at: at,
  };
};

async function send(
  order: Order,
  ticket: TicketRecord,
  account: string,
  line: BrokerConnection,
  ports: TradePorts,
): Promise<Order> {
  const unsent = (reason: string) => saveOutcome(order, { state: "rejected", reason }, account, ports);
  const hindrance = await findSendObstacle(order, ticket, account, line, ports);
  if (hindrance !== null) return unsent(`It was not sent: ${hindrance}`);
  const { broker } = line;
  const { client_order_id: clientOrderId, intent } = order;
  let sent: SubmitResult;
  try {
    sent = await broker.submit({ clientOrderId, intent });
  } catch (cause) {
    sent = { outcome: "unknown", reason: asToolError(cause).message };
  }
  const at = ports.clock.now().toISOString();
  if (sent.outcome === "accepted")
    return saveOutcome(order, { state: "accepted", ...toOrderChange(sent.order, at) }, account, ports);
  if (sent.outcome === "unsent") return unsent(sent.reason);
  // a refusal is believed once the broker does not have the order, a lost answer once it has
  const found = await broker.find(clientOrderId).catch(() => undefined);
  if (found != null)
    return saveOutcome(order, { state: "reconciled", ...toOrderChange(found, at) }, account, ports);
  const rejected = sent.outcome === "rejected" && found === null;
  return saveOutcome(
    order,
    { state: rejected ? "rejected" : "unknown", reason: sent.reason },
    account,
    ports,
  );
}

/** Writes down that an order is about to be sent; what is in the way of it at the last moment, null for nothing. */
async function findSendObstacle(
  order: Order,
  { expiresAt }: TicketRecord,
  account: string,
  { connection }: BrokerConnection,
  { audit, connections, tradeRules, clock, log }: TradePorts,
): Promise<string | null> {
  try {
    await audit.write(account, "order_sending", orderAuditData(order));
  } catch (cause) {
    log.error("audit", { account, audited: "order_sending", order_id: order.order_id, cause });
    return "what is sent has to be written down first, and that failed";
  }
  if (connection.account_type === "live") {
    const killSwitch = await tradeRules.killSwitch(account).catch(() => null);
    if (killSwitch === null) return "whether the kill switch is engaged could not be read";
    if (killSwitch.engaged) return "the kill switch was engaged meanwhile";
  }
  const all = await connections.list(account).catch(() => null);
  if (all === null) return "whether its connection still stands could not be read";
  if (!all.some(({ connection_id }) => connection_id === order.connection_id))
    return "the connection was removed";
  const now = clock.now().getTime();
  return now >= Date.parse(expiresAt) || now - Date.parse(order.created_at) >= SEND_DEADLINE_MS
    ? "too much time had passed since the ticket was taken"
    : null;
}

/**
 * Writes down what came of sending. Where that fails the order stays in the book as one whose fate is open, and is told
 * so: an error would have the caller send it as another.
 */
async function saveOutcome(
  order: Order,
  change: Parameters<TradePorts["tradeBook"]["change"]>[2],
  account: string,
  ports: TradePorts,
): Promise<Order> {
  const updated_at = ports.clock.now().toISOString();
  let now: Order;
  try {
    now = (await ports.tradeBook.change(account, order.order_id, { updated_at, ...change }))!;
  } catch (cause) {
    ports.log.error("order", { account, order_id: order.order_id, ...change, cause });
    return order;
  }
  await recordAudit(ports, account, "order_outcome", orderAuditData(now));
  return now;
}

async function repeatedResult(
  id: string,
  account: string,
  line: BrokerConnection,
  ports: TradePorts,
): Promise<ExecutionResult> {
  const order = (await ports.tradeBook.order(account, id))!;
  if (!isOpenQuestion(order)) return { order, repeated: true };
  const change = await readOrderChange(order, line.broker, ports.clock).catch(() => null);
  if (change === null) return { order, repeated: true };
  return { order: await applyOrderChange(order, change, account, ports), repeated: true };
}

/** Lets a ticket pass whose price still holds and which still passes every rule. The newest order that the rules saw. */
async function recheckTicket(
  ticket: TicketRecord,
  account: string,
  line: BrokerConnection,
  ports: TradePorts,
): Promise<string | null> {
  const { intent, shown } = ticket;
  const instrument = ports.symbols.find(intent.symbol)?.instrument;
  if (instrument === undefined) throw new ToolError("UNKNOWN_SYMBOL", `${intent.symbol} is not known here`);
  const quote = await ports.quotes.latest(instrument);
  const before = previewPrice(shown);
  const moved = decimal(quote.price).minus(before).abs().times(100);
  if (moved.gt(decimal(before).times(MAX_PRICE_MOVE_PCT)))
    throw new ToolError("CONFLICT", `The price is ${quote.price}, and was ${before} when it was shown`, {
      hint: `It moved by more than ${MAX_PRICE_MOVE_PCT} %: preview_trade shows the trade as it is now.`,
      data: { price: String(quote.price), price_shown: before },
    });
  const standing = await readAccountState(account, line, ports);
  const { limits, newest } = standing;
  const situation = await buildSituation(intent, { line, standing, instrument, quote }, ports);
  const checks = assess(situation, limits);
  if (checks.some(({ passed }) => !passed)) throw riskRefusal(checks, intent.type);
  const opens = truncated(opening(situation).times(worstUnitPrice(situation)), 2);
  requireConfirmation(line, ticket, { opens, unconfirmed: limits.unconfirmed_live_usd });
  return newest;
}

/** The price of a preview. REFUSED where it cannot be read: whether it moved is not known then. */
function previewPrice({ quote }: TicketRecord["shown"]): Amount {
  const price = Amount.safeParse((quote as { readonly price?: unknown } | null | undefined)?.price);
  if (price.success) return price.data;
  throw new ToolError("REFUSED", "What was shown of this ticket cannot be read any more", {
    hint: "preview_trade shows the trade as it is now, with a new ticket.",
  });
}

/** The refusal of an order by the rules it breaks, each with its value and the number that would pass. */
export function riskRefusal(checks: readonly RiskCheck[], type: OrderType): ToolError {
  const broken = checks.filter(({ passed }) => !passed);
  return new ToolError(
    "REFUSED",
    `Refused by ${broken.map(({ rule, value, limit }) => `${rule}: ${value} against ${limit}`).join("; ")}`,
    {
      hint: `${broken.map((check) => `${check.rule}: ${formatRemedy(check)}`).join("; ")}. ${formatAmendments(broken, quantityContext(type, checks))}`,
      data: { checks: broken },
    },
  );
}

const ticketExpired = ({ expiresAt }: TicketRecord): ToolError =>
  new ToolError("REFUSED", `The ticket expired at ${expiresAt}`, {
    hint: "preview_trade makes a new one at the price of now.",
  });
