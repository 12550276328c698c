import { assess } from "../../analytics/risk/assess.ts";
import { openingUnits, worstUnitPrice } from "../../analytics/risk/situation.ts";
import { isBroken } from "../../analytics/risk/verdict.ts";
import { appOf, type Principal } from "../../domain/accounts/access.ts";
import { PlanOdds } from "../../domain/odds/odds.ts";
import type { Ports } from "../../domain/ports.ts";
import {
  Amount,
  type Intent,
  isUnresolved,
  MAX_PRICE_MOVE_PCT,
  type Order,
} from "../../domain/trading/trading.ts";
import type { SubmitResult, TicketRecord } from "../../domain/trading/trading-port.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { type Decimal, decimal, truncated } from "../../lib/decimal.ts";
import { applyOrderChange, type OrderChange, readOrderChange, toOrderChange } from "./reconcile.ts";
import { orderAuditData, recordAudit } from "./record-audit.ts";
import {
  type BrokerConnection,
  findMissingConfirmation,
  requireLiveAccess,
  resolveConnection,
} from "./resolve-connection.ts";
import { riskRefusal } from "./risk-refusal.ts";
import {
  type AccountState,
  availableUnits,
  buildSituation,
  readAccountState,
  type TradePorts,
} from "./situation.ts";
import { isExpired, unusableTicketError } from "./ticket-expiry.ts";
import { sizeFault } from "./venue-fault.ts";

/** Period over which the notional of unconfirmed live orders is summed. */
const UNCONFIRMED_PERIOD_MS = 86_400_000;
/** Maximum age of an order when it is sent. Older orders are not sent, so that reconciliation can treat them as lost. */
const SEND_DEADLINE_MS = 15_000;
/** Maximum number of risk checks when other orders are created concurrently. */
const MAX_ATTEMPTS = 3;

/** Ports of an execution. Without `confirmations`, a missing confirmation is not requested. */
export type ExecutionPorts = TradePorts & Partial<Pick<Ports, "confirmations">>;

interface Execution {
  readonly account: string;
  /** Id of the key or grant that executes the ticket; empty for a person. */
  readonly by: string;
  readonly brokerConnection: BrokerConnection;
  readonly ports: ExecutionPorts;
}

/** The order of a ticket; `repeated` is true when an earlier call created it. */
export interface ExecutionResult {
  readonly order: Order;
  readonly repeated: boolean;
}

/**
 * Sends a ticket as an order exactly once; later calls return the same order. The outcome is accepted, rejected or
 * unknown; an unknown order is looked up at the broker, never sent again. @throws ToolError before anything is sent:
 * NOT_FOUND, CONFLICT while another order is unresolved or when the price moved, REFUSED by a rule
 */
export async function executeTicket(
  ticket: TicketRecord,
  principal: Principal,
  ports: ExecutionPorts,
): Promise<ExecutionResult> {
  const { account, keyId: by = "" } = principal;
  const brokerConnection = await resolveConnection(ports, account, ticket.connection);
  // an order already sent is returned even when sending is disabled
  requireLiveAccess(brokerConnection, principal, ticket.order === null ? ports.brokers : { live: true });
  const execution = { account, by, brokerConnection, ports };
  if (ticket.order !== null) return repeatedResult(ticket.order, execution);
  const now = ports.clock.now();
  if (ticket.refusedAt !== undefined || isExpired(ticket, now)) throw unusableTicketError(ticket, now);
  const order = await beginOrder(ticket, execution);
  if (order === null) {
    const found = (await ports.tradeRepository.ticket(account, ticket.id)) ?? ticket;
    if (found.order === null) throw unusableTicketError(found, now);
    return repeatedResult(found.order, execution);
  }
  // do not pass the call's abort signal or deadline: the outcome must be stored
  return { order: await send(order, ticket, execution), repeated: false };
}

/** Checks the rules and creates the order of the ticket; null when the ticket was used or expired in the meantime. */
async function beginOrder(ticket: TicketRecord, execution: Execution): Promise<Order | null> {
  const { account, by, brokerConnection, ports } = execution;
  const type = brokerConnection.connection.account_type;
  for (let tries = 1; ; tries++) {
    try {
      const { newest: after, recent, usd } = await recheckTicket(ticket, execution);
      const order = orderOf(ticket, ports.clock.now().toISOString());
      const { since, orders } = recent;
      const seen = { after, type, recent: { since, count: orders.length }, app: { id: appOf(by), usd } };
      return (await ports.tradeRepository.begin(account, order, seen)) ? order : null;
    } catch (cause) {
      const { code, data } = asToolError(cause);
      // another order was created after the rules were checked: check again
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

/** Builds the order of a ticket. Its ids are derived from the ticket id, so that a retry refers to the same order. */
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

async function send(order: Order, ticket: TicketRecord, execution: Execution): Promise<Order> {
  const { ports } = execution;
  const { broker } = execution.brokerConnection;
  const save = (change: OrderChange) => saveOutcome(order, change, execution);
  const obstacle = await findSendObstacle(order, ticket, execution);
  if (obstacle !== null) return save({ state: "rejected", reason: `Not sent: ${obstacle}` });
  const { client_order_id: clientOrderId, intent } = order;
  let sent: SubmitResult;
  try {
    sent = await broker.submit({ clientOrderId, intent });
  } catch (cause) {
    sent = { outcome: "unknown", reason: asToolError(cause).message };
  }
  const at = ports.clock.now().toISOString();
  if (sent.outcome === "accepted") return save({ state: "accepted", ...toOrderChange(sent.order, at) });
  if (sent.outcome === "unsent") return save({ state: "rejected", reason: sent.reason });
  // ask the broker: a rejected order must be missing there, and an order whose response was lost may exist there
  const found = await broker.find(clientOrderId).catch(() => undefined);
  if (found != null) return save({ state: "reconciled", ...toOrderChange(found, at) });
  const rejected = sent.outcome === "rejected" && found === null;
  return save({ state: rejected ? "rejected" : "unknown", reason: sent.reason });
}

/** Writes the audit entry required before sending. Returns why the order may not be sent; null when it may. */
async function findSendObstacle(
  order: Order,
  ticket: TicketRecord,
  { account, brokerConnection, ports }: Execution,
): Promise<string | null> {
  const { audit, connections, tradeRules, clock, log } = ports;
  try {
    await audit.write(account, "order_sending", orderAuditData(order));
  } catch (cause) {
    log.error("audit", { account, audited: "order_sending", order_id: order.order_id, cause });
    return "the audit entry required before sending could not be written";
  }
  if (brokerConnection.connection.account_type === "live") {
    const killSwitch = await tradeRules.killSwitch(account).catch(() => null);
    if (killSwitch === null) return "the kill switch could not be read";
    if (killSwitch.engaged) return "the kill switch was engaged";
  }
  const listed = await connections.list(account).catch(() => null);
  if (listed === null) return "its connection could not be read";
  if (!listed.some(({ connection_id }) => connection_id === order.connection_id))
    return "the connection was removed";
  const now = clock.now();
  return isExpired(ticket, now) || now.getTime() - Date.parse(order.created_at) >= SEND_DEADLINE_MS
    ? "too much time had passed since execution began"
    : null;
}

/**
 * Stores the outcome of sending. When storing fails, the order is returned unresolved: an error would make the caller
 * send it again as a new order.
 */
async function saveOutcome(order: Order, change: OrderChange, { account, ports }: Execution): Promise<Order> {
  const updated_at = ports.clock.now().toISOString();
  let stored: Order;
  try {
    stored = (await ports.tradeRepository.change(account, order.order_id, { updated_at, ...change }))!;
  } catch (cause) {
    ports.log.error("order", { account, order_id: order.order_id, ...change, cause });
    return order;
  }
  await recordAudit(ports, account, "order_outcome", orderAuditData(stored));
  return stored;
}

async function repeatedResult(
  id: string,
  { account, brokerConnection, ports }: Execution,
): Promise<ExecutionResult> {
  const order = (await ports.tradeRepository.order(account, id))!;
  if (!isUnresolved(order)) return { order, repeated: true };
  const change = await readOrderChange(order, brokerConnection.broker, ports.clock).catch(() => null);
  if (change === null) return { order, repeated: true };
  return { order: await applyOrderChange(order, change, account, ports), repeated: true };
}

/**
 * Checks that the price has not moved too far and that every rule still passes. Returns the orders included in the
 * check, and the notional of the order, USD.
 */
async function recheckTicket(
  ticket: TicketRecord,
  { account, by, brokerConnection, ports }: Execution,
): Promise<Pick<AccountState, "newest" | "recent"> & { readonly usd: Amount }> {
  const { intent, shown } = ticket;
  const instrument = ports.symbols.find(intent.symbol)?.instrument;
  if (instrument === undefined) throw new ToolError("UNKNOWN_SYMBOL", `Unknown symbol: ${intent.symbol}`);
  const quote = await ports.quotes.latest(instrument, { verify: true });
  const before = previewPrice(shown);
  const moved = decimal(quote.price).minus(before).abs().times(100);
  if (moved.gt(decimal(before).times(MAX_PRICE_MOVE_PCT)))
    throw new ToolError("CONFLICT", `The price is ${quote.price}; the preview showed ${before}`, {
      hint: `The price moved by more than ${MAX_PRICE_MOVE_PCT} %. Call preview_trade for a new ticket.`,
      data: { price: String(quote.price), price_shown: before },
    });
  const state = await readAccountState(account, brokerConnection, ports);
  const available = availableUnits(intent.symbol, state);
  const tooSmall = sizeFault(intent, instrument, { ...brokerConnection, price: before, available });
  if (tooSmall !== null) throw new ToolError("REFUSED", tooSmall.reason, { hint: tooSmall.remedy });
  const { limits } = state;
  const situation = await buildSituation(
    intent,
    { brokerConnection, state, instrument, quote, odds: previewOdds(shown) },
    ports,
  );
  const checks = assess(situation, limits);
  if (checks.some(isBroken)) throw riskRefusal(checks, intent.type);
  const usd = notionalOf(intent, quote.price);
  if (brokerConnection.connection.account_type === "live" && ticket.confirmedAt === null) {
    const notional = truncated(usd, 2);
    const closes = openingUnits(situation).eq(0);
    const order = { notional, closes, sent: await sentUnconfirmed(account, ports) };
    const errorOf = findMissingConfirmation(ticket, order, limits);
    if (errorOf !== null)
      throw errorOf((await ports.confirmations?.requestOrder(account, ticket, by)) ?? null);
  }
  return { ...state, usd: usd.toFixed() };
}

/** Returns the notional of the live orders that were sent without confirmation within 24 hours, in US dollars. */
export async function sentUnconfirmed(
  account: string,
  { tradeRepository, clock }: Pick<TradePorts, "tradeRepository" | "clock">,
): Promise<Amount> {
  const since = new Date(clock.now().getTime() - UNCONFIRMED_PERIOD_MS).toISOString();
  const tickets = await tradeRepository.sentUnconfirmed(account, since);
  const live = tickets.filter(({ shown }) => shown.account_type !== "paper");
  const notionals = live.map(({ intent, shown }) => notionalOf(intent, previewPrice(shown)));
  return truncated(
    notionals.reduce((sum, one) => sum.plus(one), decimal(0)),
    2,
  );
}

const notionalOf = (intent: Intent, price: number | string): Decimal =>
  decimal(intent.quantity).times(worstUnitPrice({ intent, price: decimal(price).toFixed() }));

/**
 * Reads the price shown in a preview. @throws ToolError REFUSED when it cannot be read, since the price move is unknown
 * then
 */
function previewPrice({ quote }: TicketRecord["shown"]): Amount {
  const price = Amount.safeParse((quote as { readonly price?: unknown } | null | undefined)?.price);
  if (price.success) return price.data;
  throw new ToolError("REFUSED", "The preview stored with this ticket cannot be read", {
    hint: "Call preview_trade for a new ticket.",
  });
}

/** Reads the odds shown in a preview; null when there are none. */
const previewOdds = ({ odds }: TicketRecord["shown"]): PlanOdds | null =>
  PlanOdds.safeParse(odds).data ?? null;
