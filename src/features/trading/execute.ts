import { assess } from "../../analytics/risk/assess.ts";
import { opening, reckoned } from "../../analytics/risk/situation.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import {
  Amount,
  isOpenQuestion,
  type Order,
  type OrderType,
  type RiskCheck,
} from "../../domain/trading/trading.ts";
import type { KeptTicket, Sent } from "../../domain/trading/trading-port.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { decimal, digits } from "../../lib/decimal.ts";
import { admitConfirmed, admitLive, type Line, lineOf } from "./line.ts";
import { amends, offeredOf, passing } from "./next.ts";
import { readBack, takeOver, told } from "./reconcile.ts";
import { aboutOrder, record } from "./record.ts";
import { situationOf, standingOf, type TradePorts } from "./situation.ts";

/** A price that moved by more than so many percent since the preview is another trade. */
const MOVED_PCT = 1;
/** What was begun is sent so soon or never: who reads it back may then take it for lost once it cannot arrive any more. */
const SEND_WITHIN_MS = 15_000;
/** How often the rules are asked where another order comes between them and the beginning. */
const TRIES = 3;

/** An order, and whether the ticket had become it before. */
export interface Executed {
  readonly order: Order;
  readonly repeated: boolean;
}

/**
 * Sends a ticket as one order, once, whoever asks and however often: asked again it tells of that order. What came of
 * sending is accepted, rejected or unknown; an unknown one is read back, never sent again. Rejects before anything is
 * sent: NOT_FOUND, CONFLICT while another order's fate is open or where the price moved, REFUSED by a rule.
 */
export async function executeTicket(
  ticket: KeptTicket,
  principal: Principal,
  ports: TradePorts,
): Promise<Executed> {
  const { account } = principal;
  const line = await lineOf(ports, account, ticket.connection);
  // what was sent is told of even where nothing more is sent
  admitLive(line, principal, ticket.order === null ? ports.brokers : { live: true });
  if (ticket.order !== null) return again(ticket.order, account, line, ports);
  const now = ports.clock.now().toISOString();
  if (ticket.expiresAt <= now) throw expired(ticket);
  const order = await begun(ticket, account, line, ports);
  if (order === null) {
    const used = (await ports.tradeBook.ticket(account, ticket.id))?.order ?? null;
    if (used === null) throw expired(ticket);
    return again(used, account, line, ports);
  }
  // neither cancelled nor timed out with the call: what was sent is written down
  return { order: await send(order, ticket, account, line, ports), repeated: false };
}

/** The order that the ticket became, once the rules let it; null where it was used or has expired meanwhile. */
async function begun(
  ticket: KeptTicket,
  account: string,
  line: Line,
  ports: TradePorts,
): Promise<Order | null> {
  const type = line.connection.account_type;
  for (let tries = 1; ; tries++) {
    try {
      const after = await admitted(ticket, account, line, ports);
      const order = orderOf(ticket, ports.clock.now().toISOString());
      return (await ports.tradeBook.begin(account, order, { after, type })) ? order : null;
    } catch (cause) {
      const { code, data } = asToolError(cause);
      // another order was begun after the rules had looked: they look again
      if (code === "CONFLICT" && data?.newest !== undefined && tries < TRIES) continue;
      if (code === "REFUSED" && data?.checks !== undefined)
        await record(ports, account, "order_refused", {
          ...{ ticket_id: ticket.id, connection_id: ticket.connection, intent: ticket.intent },
          checks: data.checks,
        });
      throw cause;
    }
  }
}

/** One id for each ticket: whoever retries names the same order. */
const orderOf = ({ id, connection, intent, market }: KeptTicket, at: string): Order => {
  const digits = id.slice("tk_".length);
  return {
    ...{ order_id: `or_${digits}`, ticket_id: id, connection_id: connection },
    ...{ client_order_id: `ms-${digits}`, intent, state: "submitting", broker_status: null },
    ...{ filled_quantity: "0", average_price: null, fees: "0", reason: null, market },
    ...{ created_at: at, updated_at: at },
  };
};

async function send(
  order: Order,
  ticket: KeptTicket,
  account: string,
  line: Line,
  ports: TradePorts,
): Promise<Order> {
  const unsent = (reason: string) => settled(order, { state: "rejected", reason }, account, ports);
  const hindrance = await hindranceOf(order, ticket, account, line, ports);
  if (hindrance !== null) return unsent(`It was not sent: ${hindrance}`);
  const { broker } = line;
  const { client_order_id: clientOrderId, intent } = order;
  let sent: Sent;
  try {
    sent = await broker.submit({ clientOrderId, intent });
  } catch (cause) {
    sent = { outcome: "unknown", reason: asToolError(cause).message };
  }
  const at = ports.clock.now().toISOString();
  if (sent.outcome === "accepted")
    return settled(order, { state: "accepted", ...told(sent.order, at) }, account, ports);
  if (sent.outcome === "unsent") return unsent(sent.reason);
  // a refusal is believed once the broker does not have the order, a lost answer once it has
  const found = await broker.find(clientOrderId).catch(() => undefined);
  if (found != null) return settled(order, { state: "reconciled", ...told(found, at) }, account, ports);
  const rejected = sent.outcome === "rejected" && found === null;
  return settled(order, { state: rejected ? "rejected" : "unknown", reason: sent.reason }, account, ports);
}

/** Writes down that an order is about to be sent; what is in the way of it at the last moment, null for nothing. */
async function hindranceOf(
  order: Order,
  { expiresAt }: KeptTicket,
  account: string,
  { connection }: Line,
  { audit, connections, tradeRules, clock, log }: TradePorts,
): Promise<string | null> {
  try {
    await audit.write(account, "order_sending", aboutOrder(order));
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
  return now >= Date.parse(expiresAt) || now - Date.parse(order.created_at) >= SEND_WITHIN_MS
    ? "too much time had passed since the ticket was taken"
    : null;
}

/**
 * Writes down what came of sending. Where that fails the order stays in the book as one whose fate is open, and is told
 * so: an error would have the caller send it as another.
 */
async function settled(
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
  await record(ports, account, "order_outcome", aboutOrder(now));
  return now;
}

async function again(id: string, account: string, line: Line, ports: TradePorts): Promise<Executed> {
  const order = (await ports.tradeBook.order(account, id))!;
  if (!isOpenQuestion(order)) return { order, repeated: true };
  const change = await readBack(order, line.broker, ports.clock).catch(() => null);
  if (change === null) return { order, repeated: true };
  return { order: await takeOver(order, change, account, ports), repeated: true };
}

/** Lets a ticket pass whose price still holds and which still passes every rule. The newest order that the rules saw. */
async function admitted(
  ticket: KeptTicket,
  account: string,
  line: Line,
  ports: TradePorts,
): Promise<string | null> {
  const { intent, shown } = ticket;
  const instrument = ports.symbols.find(intent.symbol)?.instrument;
  if (instrument === undefined) throw new ToolError("UNKNOWN_SYMBOL", `${intent.symbol} is not known here`);
  const quote = await ports.quotes.latest(instrument);
  const before = priceShown(shown);
  const moved = decimal(quote.price).minus(before).abs().times(100);
  if (moved.gt(decimal(before).times(MOVED_PCT)))
    throw new ToolError("CONFLICT", `The price is ${quote.price}, and was ${before} when it was shown`, {
      hint: `It moved by more than ${MOVED_PCT} %: preview_trade shows the trade as it is now.`,
      data: { price: String(quote.price), price_shown: before },
    });
  const standing = await standingOf(account, line, ports);
  const { limits, newest } = standing;
  const situation = await situationOf(intent, { line, standing, instrument, quote }, ports);
  const checks = assess(situation, limits);
  if (checks.some(({ passed }) => !passed)) throw refusedBy(checks, intent.type);
  const opens = digits(opening(situation).times(reckoned(situation)), 2);
  admitConfirmed(line, ticket, { opens, unconfirmed: limits.unconfirmed_live_usd });
  return newest;
}

/** The price of a preview. REFUSED where it cannot be read: whether it moved is not known then. */
function priceShown({ quote }: KeptTicket["shown"]): Amount {
  const price = Amount.safeParse((quote as { readonly price?: unknown } | null | undefined)?.price);
  if (price.success) return price.data;
  throw new ToolError("REFUSED", "What was shown of this ticket cannot be read any more", {
    hint: "preview_trade shows the trade as it is now, with a new ticket.",
  });
}

/** The refusal of an order by the rules it breaks, each with its value and the number that would pass. */
export function refusedBy(checks: readonly RiskCheck[], type: OrderType): ToolError {
  const broken = checks.filter(({ passed }) => !passed);
  return new ToolError(
    "REFUSED",
    `Refused by ${broken.map(({ rule, value, limit }) => `${rule}: ${value} against ${limit}`).join("; ")}`,
    {
      hint: `${broken.map((check) => `${check.rule}: ${passing(check)}`).join("; ")}. ${amends(broken, offeredOf(type, checks))}`,
      data: { checks: broken },
    },
  );
}

const expired = ({ expiresAt }: KeptTicket): ToolError =>
  new ToolError("REFUSED", `The ticket expired at ${expiresAt}`, {
    hint: "preview_trade makes a new one at the price of now.",
  });
