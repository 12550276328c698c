import type { Situation } from "../../analytics/risk/situation.ts";
import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { BarHistory, Quotes, Symbols } from "../../domain/ports.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import {
  type Amount,
  type Intent,
  isOpenQuestion,
  isWorking,
  type Order,
} from "../../domain/trading/trading.ts";
import type {
  BrokerAccount,
  BrokerOrder,
  BrokerPosition,
  TradeRules,
} from "../../domain/trading/trading-port.ts";
import { type Decimal, decimal, maxDecimal, minDecimal, truncated } from "../../lib/decimal.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { effectiveOrders, workingLegs } from "./effective-orders.ts";
import { openRiskOf, unstoppedUnitRisk } from "./open-risk.ts";
import { ORDER_GRACE_MS, type ReconcilePorts } from "./reconcile.ts";
import type { BrokerConnection } from "./resolve-connection.ts";

export interface TradePorts extends ReconcilePorts {
  readonly symbols: Symbols;
  readonly quotes: Quotes;
  readonly bars: BarHistory;
  readonly tradeRules: TradeRules;
}

/** An account at its broker as it is now, with what our book knows of it. */
export interface AccountState {
  readonly account: BrokerAccount;
  readonly positions: readonly BrokerPosition[];
  /** Sent through this connection, newest first. */
  readonly orders: readonly Order[];
  /** The one begun last before anything of this was read; null for none. */
  readonly newest: string | null;
  /** What the owner allows, and whether live orders are stopped. */
  readonly limits: RiskLimits;
  readonly killSwitch: boolean;
  /** Orders at the broker that work, without legs of what has not filled. */
  readonly guards: readonly BrokerOrder[];
  readonly openRisk: Amount;
  readonly peak: Amount;
  readonly before: Amount;
  /** When its stops were hit, epoch ms. */
  readonly stopOuts: readonly number[];
}

const MAX_ORDERS = 500;
const MINUTE = 60_000;

/** Reads an account's standing. Rejects where the broker is silent: nothing is sent half-informed. */
export async function readAccountState(
  account: string,
  line: BrokerConnection,
  ports: TradePorts,
): Promise<AccountState> {
  const { broker, connection } = line;
  const { tradeBook, tradeRules } = ports;
  const now = ports.clock.now();
  const newest = await tradeBook.newest(account, connection.connection_id);
  const { limits } = await tradeRules.limits(account);
  const { engaged: killSwitch } = await tradeRules.killSwitch(account);
  const since = new Date(now.getTime() - limits.cooldown_minutes * MINUTE).toISOString();
  const mine = { connection: connection.connection_id, limit: MAX_ORDERS };
  // the book before the broker, and there orders before positions: what is filled meanwhile counts twice and never not at all
  const recent = await tradeBook.orders(account, mine);
  const working = await tradeBook.orders(account, { ...mine, working: true });
  const atBroker = await broker.orders({ since });
  const [told, positions] = await Promise.all([broker.account(), broker.positions()]);
  const listed = new Set(recent.map(({ order_id }) => order_id));
  const book = [...recent, ...working.filter(({ order_id }) => !listed.has(order_id))];
  const orders = withBrokerStatus(book, atBroker, now.getTime());
  const marks = await tradeBook.recordEquity(account, connection.connection_id, {
    equity: told.equity,
    day: newYorkDate(now.getTime()),
  });
  const stops = atBroker.filter(({ leg }) => leg === "stop_loss");
  const guards = effectiveOrders(atBroker);
  const guardingStops = guards.filter(({ leg }) => leg === "stop_loss");
  return {
    account: told,
    positions,
    orders,
    newest,
    limits,
    killSwitch,
    peak: marks.peak,
    before: told.equityBefore ?? marks.before,
    guards,
    openRisk: truncated(await openRiskOf({ positions, orders, stops: guardingStops }, ports)),
    stopOuts: stops.filter(({ status }) => status === "filled").map(({ updatedAt }) => Date.parse(updatedAt)),
  };
}

/** Orders of our book as the broker tells of them: what it does not list is over, unless nobody knows or it is too new. */
function withBrokerStatus(
  book: readonly Order[],
  atBroker: readonly BrokerOrder[],
  now: number,
): readonly Order[] {
  const told = new Map(atBroker.map((one) => [one.clientOrderId, one]));
  return book.map((order): Order => {
    const found = told.get(order.client_order_id);
    if (found !== undefined)
      return {
        ...order,
        state: "reconciled",
        broker_status: found.status,
        filled_quantity: found.filledQuantity,
      };
    const mayBeLate = isOpenQuestion(order) || now - Date.parse(order.created_at) < ORDER_GRACE_MS;
    return mayBeLate || !isWorking(order) ? order : { ...order, broker_status: "expired" };
  });
}

/** What a symbol is held of, below 0 for short, and the working orders that will close some of it. */
function holdingOf(symbol: string, { positions, orders }: AccountState) {
  const held = decimal(positions.find((one) => one.symbol === symbol)?.quantity ?? 0);
  const leaving = orders
    .filter((order) => order.intent.symbol === symbol && isWorking(order))
    .filter(({ intent }) => (intent.side === "sell" ? held.gt(0) : held.lt(0)));
  return { held, leaving };
}

/** Units held, below 0 for short, whatever working orders will close of them. */
export const heldUnits = (symbol: string, standing: AccountState): Decimal =>
  holdingOf(symbol, standing).held;

/** Units held, below 0 for short, less those that working orders will close. */
export function availableUnits(symbol: string, standing: AccountState): Decimal {
  const { held, leaving } = holdingOf(symbol, standing);
  const units = leaving.reduce(
    (sum, { intent, filled_quantity }) => sum.plus(intent.quantity).minus(filled_quantity),
    decimal(0),
  );
  return held.gt(0) ? held.minus(minDecimal(held, units)) : held.plus(minDecimal(held.abs(), units));
}

/** Least price difference: a cent, and a hundredth of that under a dollar; of crypto four digits under a dollar, too. */
export const tickSize = (price: Decimal, { asset_class }: Instrument): Amount => {
  if (price.gte(1)) return "0.01";
  if (asset_class !== "crypto" || price.gte("0.1")) return "0.0001";
  return `0.${"1".padStart(Math.min(MAX_DECIMALS, 3 - price.e), "0")}`;
};
const MAX_DECIMALS = 9;
/** Least quantity difference of what is opened: no parts of shares are sold short. */
export const quantityStep = (
  { fractional }: BrokerAccount,
  { asset_class }: Instrument,
  side: Intent["side"],
): Amount => (asset_class === "crypto" ? "0.00000001" : fractional && side === "buy" ? "0.0001" : "1");
/** The same of what closes: every part that is held may be let go, also where only whole units are bought. */
export const CLOSING_STEP: Amount = "0.000000001";
/** Whether a trade of so much only lets go of what is held. */
export const isClosing = (held: Decimal, side: Intent["side"], quantity: Amount): boolean =>
  held.times(side === "buy" ? -1 : 1).gte(quantity);

/** What working legs hold where the broker lets nothing else close it. */
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

/** All that the rules look at for an intent. */
export async function buildSituation(
  intent: Intent,
  at: {
    readonly line: BrokerConnection;
    readonly standing: AccountState;
    readonly instrument: Instrument;
    readonly quote: Quote;
  },
  ports: TradePorts,
): Promise<Situation> {
  const { line, standing, instrument, quote } = at;
  const { account, orders, killSwitch } = standing;
  const price = decimal(quote.price);
  const held = availableUnits(intent.symbol, standing);
  const range =
    intent.stop_loss === null ? await unstoppedUnitRisk(intent.symbol, truncated(price), ports) : null;
  return {
    intent,
    accountType: line.connection.account_type,
    killSwitch,
    now: ports.clock.now().getTime(),
    price: truncated(price),
    pricedAt: Date.parse(quote.timestamp),
    session: quote.market_state,
    tick: tickSize(price, instrument),
    step: isClosing(held, intent.side, intent.quantity)
      ? CLOSING_STEP
      : quantityStep(account, instrument, intent.side),
    held: truncated(held),
    holding: truncated(heldUnits(intent.symbol, standing)),
    leaving: holdingOf(intent.symbol, standing).leaving.map(({ order_id }) => order_id),
    ...workingExits(intent, line, standing),
    shorting: account.shorting && instrument.asset_class !== "crypto",
    equity: account.equity,
    buyingPower: account.buyingPower,
    openRisk: standing.openRisk,
    riskAUnit: range === null ? null : truncated(range),
    equityBefore: standing.before,
    equityPeak: truncated(maxDecimal(decimal(standing.peak), decimal(account.equity))),
    orders: orders.map(({ created_at }) => Date.parse(created_at)),
    stopOuts: standing.stopOuts,
  };
}
