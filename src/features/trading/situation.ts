import { ODDS_BARS } from "../../analytics/odds/range-model.ts";
import { barFacts } from "../../analytics/risk/market-facts.ts";
import type { Situation } from "../../analytics/risk/situation.ts";
import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { priceStep, priceStepFaults } from "../../domain/trading/price-step.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import {
  type Amount,
  type Intent,
  isUnresolved,
  isWorking,
  type Order,
} from "../../domain/trading/trading.ts";
import type { BrokerAccount, BrokerOrder, BrokerPosition } from "../../domain/trading/trading-port.ts";
import { type Decimal, decimal, maxDecimal, minDecimal, truncated } from "../../lib/decimal.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { effectiveOrders, workingLegs } from "./effective-orders.ts";
import { openRiskOf } from "./open-risk.ts";
import { ORDER_GRACE_MS, type ReconcilePorts } from "./reconcile.ts";
import type { BrokerConnection } from "./resolve-connection.ts";

export type TradePorts = ReconcilePorts & Pick<Ports, "symbols" | "quotes" | "bars" | "tradeRules">;

export type AccountStatePorts = Pick<
  TradePorts,
  "tradeRepository" | "tradeRules" | "clock" | "symbols" | "quotes" | "bars"
>;

/** Current state of an account at its broker, combined with our stored orders. */
export interface AccountState {
  readonly account: BrokerAccount;
  readonly positions: readonly BrokerPosition[];
  /** Orders sent through this connection, newest first. */
  readonly orders: readonly Order[];
  /** Id of the newest order created before this state was read; null for none. */
  readonly newest: string | null;
  /** Orders of the account within the last minute, over all its connections. */
  readonly recent: { readonly since: string; readonly orders: readonly Order[] };
  readonly limits: RiskLimits;
  readonly killSwitch: boolean;
  /** Orders working at the broker, except legs of unfilled entries. */
  readonly guards: readonly BrokerOrder[];
  readonly openRisk: Amount;
  readonly peak: Amount;
  readonly before: Amount;
  /** Times at which stop orders were filled, epoch ms. */
  readonly stopOuts: readonly number[];
}

const MAX_ORDERS = 500;
const MINUTE = 60_000;

/**
 * Reads the state of an account. Rejects when the broker is unavailable, so that nothing is sent on partial
 * information. `stores`: whether the equity is recorded. Default: true.
 */
export async function readAccountState(
  account: string,
  brokerConnection: BrokerConnection,
  ports: AccountStatePorts,
  { stores = true }: { readonly stores?: boolean } = {},
): Promise<AccountState> {
  const { broker, connection } = brokerConnection;
  const { tradeRepository, tradeRules } = ports;
  const now = ports.clock.now();
  const newest = await tradeRepository.newest(account, connection.connection_id);
  const { limits } = await tradeRules.limits(account);
  const { engaged: killSwitch } = await tradeRules.killSwitch(account);
  const since = new Date(now.getTime() - limits.cooldown_minutes * MINUTE).toISOString();
  const query = { connection: connection.connection_id, limit: MAX_ORDERS };
  const minuteAgo = new Date(now.getTime() - MINUTE).toISOString();
  const ofAccount = await tradeRepository.orders(account, { since: minuteAgo, limit: MAX_ORDERS });
  // read our orders before the broker's, and orders before positions: a fill in between counts twice rather than never
  const recent = await tradeRepository.orders(account, query);
  const working = await tradeRepository.orders(account, { ...query, working: true });
  const atBroker = await broker.orders({ since });
  const [brokerAccount, positions] = await Promise.all([broker.account(), broker.positions()]);
  const listed = new Set(recent.map(({ order_id }) => order_id));
  const stored = [...recent, ...working.filter(({ order_id }) => !listed.has(order_id))];
  const orders = withBrokerStatus(stored, atBroker, now.getTime());
  const marks = await tradeRepository.recordEquity(account, connection.connection_id, {
    equity: brokerAccount.equity,
    day: newYorkDate(now.getTime()),
    stores,
  });
  const stops = atBroker.filter(({ leg }) => leg === "stop_loss");
  const guards = effectiveOrders(atBroker);
  const guardingStops = guards.filter(({ leg }) => leg === "stop_loss");
  return {
    account: brokerAccount,
    positions,
    orders,
    newest,
    recent: { since: minuteAgo, orders: ofAccount },
    limits,
    killSwitch,
    peak: marks.peak,
    before: brokerAccount.equityBefore ?? marks.before,
    guards,
    openRisk: truncated(await openRiskOf({ positions, orders, stops: guardingStops }, ports)),
    stopOuts: stops.filter(({ status }) => status === "filled").map(({ updatedAt }) => Date.parse(updatedAt)),
  };
}

/**
 * Updates stored orders with the broker's status. Working orders that the broker does not list become expired, unless
 * unresolved or too recent.
 */
function withBrokerStatus(
  stored: readonly Order[],
  atBroker: readonly BrokerOrder[],
  now: number,
): readonly Order[] {
  const byClientId = new Map(atBroker.map((one) => [one.clientOrderId, one]));
  return stored.map((order): Order => {
    const found = byClientId.get(order.client_order_id);
    if (found !== undefined) {
      const { status: broker_status, filledQuantity: filled_quantity } = found;
      return { ...order, state: "reconciled", broker_status, filled_quantity };
    }
    const mayBePending = isUnresolved(order) || now - Date.parse(order.created_at) < ORDER_GRACE_MS;
    return mayBePending || !isWorking(order) ? order : { ...order, broker_status: "expired" };
  });
}

/**
 * Returns the held quantity (negative for short), and the working orders that would reduce it: those of this connection
 * and, of the same account at the broker, those of other connections or sent elsewhere.
 */
function holdingOf(symbol: string, { positions, orders, guards }: AccountState) {
  const held = decimal(positions.find((one) => one.symbol === symbol)?.quantity ?? 0);
  const side = held.gt(0) ? "sell" : held.lt(0) ? "buy" : null;
  const leaving = orders.filter(
    (order) => order.intent.symbol === symbol && order.intent.side === side && isWorking(order),
  );
  const own = new Set(orders.map(({ client_order_id }) => client_order_id));
  const others = guards.filter(
    (order) =>
      order.symbol === symbol && order.side === side && order.leg === null && !own.has(order.clientOrderId),
  );
  return { held, leaving, others };
}

/** Returns the held units (negative for short), including those that working orders will close. */
export const heldUnits = (symbol: string, state: AccountState): Decimal => holdingOf(symbol, state).held;

/** Returns the held units (negative for short) minus the units that working orders will close. */
export function availableUnits(symbol: string, state: AccountState): Decimal {
  const { held, leaving, others } = holdingOf(symbol, state);
  const closing = [
    ...leaving.map(({ intent, filled_quantity }) => decimal(intent.quantity).minus(filled_quantity)),
    ...others.map(({ quantity, filledQuantity }) => decimal(quantity).minus(filledQuantity)),
  ];
  const units = closing.reduce((sum, unfilled) => sum.plus(unfilled), decimal(0));
  return held.gt(0) ? held.minus(minDecimal(held, units)) : held.plus(minDecimal(held.abs(), units));
}

/** Returns the smallest quantity increment of an opening order: one unit for short sales. */
export const quantityStep = (
  { fractional }: BrokerAccount,
  { asset_class }: Instrument,
  side: Intent["side"],
): Amount => (asset_class === "crypto" ? "0.00000001" : fractional && side === "buy" ? "0.0001" : "1");
/** Smallest quantity increment of a closing order: any held fraction may be closed. */
export const CLOSING_STEP: Amount = "0.000000001";
/** Returns true when a trade of this quantity only reduces or closes the position. */
export const isClosing = (held: Decimal, side: Intent["side"], quantity: Amount): boolean =>
  held.times(side === "buy" ? -1 : 1).gte(quantity);

/**
 * Returns the units reserved by working legs and the entry orders of these legs; empty when other orders may close the
 * units.
 */
function workingExits(
  { symbol, side }: Intent,
  { broker }: BrokerConnection,
  { guards, orders }: AccountState,
) {
  const { units, entries } = workingLegs(symbol, side, guards);
  if (broker.legsHold !== true || units.lte(0)) return {};
  const ids = orders.filter((one) => entries.includes(one.client_order_id)).map(({ order_id }) => order_id);
  return { exits: { units: truncated(units), orders: ids } };
}

/** Returns how a second provider agrees with a price; empty if none was compared. */
function secondPriceOf({ currency = "USD", origin }: Quote): Pick<Situation, "secondPrice"> {
  const verdict = origin?.comparison?.verdict;
  if (currency !== "USD") return { secondPrice: "not_in_usd" };
  if (verdict === "apart") return { secondPrice: "differs" };
  if (origin?.check?.confirmed === false) return { secondPrice: "missing" };
  return verdict === "agree" || origin?.check !== undefined ? { secondPrice: "agrees" } : {};
}

/** Builds the input of the risk rules for an intent. */
export async function buildSituation(
  intent: Intent,
  at: {
    readonly brokerConnection: BrokerConnection;
    readonly state: AccountState;
    readonly instrument: Instrument;
    readonly quote: Quote;
    readonly odds: Situation["odds"];
  },
  ports: TradePorts,
): Promise<Situation> {
  const { brokerConnection, state, instrument, quote, odds = null } = at;
  const { account, killSwitch } = state;
  const price = decimal(quote.price);
  const held = availableUnits(intent.symbol, state);
  const request = { timeframe: "1d", limit: ODDS_BARS } as const;
  const history = await ports.bars.history(instrument, request).catch(() => null);
  const ofBars = barFacts(history === null || history.bars.close.length === 0 ? null : history.bars, {
    side: intent.side,
    assetClass: instrument.asset_class,
  });
  return {
    intent,
    assetClass: instrument.asset_class,
    accountType: brokerConnection.connection.account_type,
    killSwitch,
    now: ports.clock.now().getTime(),
    price: truncated(price),
    pricedAt: Date.parse(quote.timestamp),
    session: quote.market_state,
    ...secondPriceOf(quote),
    tick: priceStep(price, instrument.asset_class),
    offStep: priceStepFaults(intent, instrument.asset_class),
    step: isClosing(held, intent.side, intent.quantity)
      ? CLOSING_STEP
      : quantityStep(account, instrument, intent.side),
    held: truncated(held),
    holding: truncated(heldUnits(intent.symbol, state)),
    leaving: holdingOf(intent.symbol, state).leaving.map(({ order_id }) => order_id),
    ...workingExits(intent, brokerConnection, state),
    shorting: account.shorting && instrument.asset_class !== "crypto",
    equity: account.equity,
    buyingPower: account.buyingPower,
    openRisk: state.openRisk,
    ...ofBars,
    equityBefore: state.before,
    equityPeak: truncated(maxDecimal(decimal(state.peak), decimal(account.equity))),
    orders: state.recent.orders.map(({ created_at }) => Date.parse(created_at)),
    stopOuts: state.stopOuts,
    odds,
  };
}
