import type { AccountRisk } from "../../analytics/check/portfolio.ts";
import { barFacts } from "../../analytics/risk/market-facts.ts";
import type { Situation } from "../../analytics/risk/situation.ts";
import type { CheckRequest } from "../../domain/check/check.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { priceStep, priceStepFaults } from "../../domain/trading/price-step.ts";
import type { Amount, Intent } from "../../domain/trading/trading.ts";
import { type Decimal, decimal, maxDecimal, minDecimal, truncated } from "../../lib/decimal.ts";
import type { CheckPrice } from "./check-price.ts";
import { type ReadHoldings, valueOfHolding } from "./holdings.ts";
import type { OrderRead } from "./read-order.ts";
import type { WorkingOrder } from "./snapshot/orders.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

export interface SituationInput {
  readonly request: CheckRequest;
  readonly order: OrderRead;
  readonly instrument: Instrument;
  readonly bars: Bars;
  /** False if the bars are too old to use. */
  readonly isRecent: boolean;
  readonly price: CheckPrice;
  readonly moment: number;
  readonly snapshot: Snapshot;
  /** null: the positions are not known. */
  readonly holdings: ReadHoldings | null;
  readonly accountRisk: AccountRisk | null;
  readonly report: Situation["report"];
  readonly killSwitch: boolean;
  readonly otherNames: readonly string[];
  /** Returns true for a symbol of the broker that names the instrument. */
  readonly isSame: (symbol: string) => boolean;
}

/** Returns the input of the risk rules for an order elsewhere; what the caller did not send is unknown. */
export function situationOf(input: SituationInput): Situation {
  const { request, order, instrument, bars, price, moment, snapshot, isRecent } = input;
  const { account } = snapshot;
  const isCoin = instrument.asset_class === "crypto";
  const { holding, available, averagePrice } = heldOf(input);
  const { quantity } = order;
  const isWhole = decimal(quantity).round(0, 0).eq(quantity);
  const intent: Intent = {
    symbol: instrument.symbol,
    side: order.side,
    type: order.type,
    quantity,
    limit_price: order.limit_price,
    stop_price: order.stop_price,
    time_in_force: "day",
    take_profit: request.take_profit ?? null,
    stop_loss: request.stop_loss ?? null,
  };
  const equity = account.equity;
  return {
    intent,
    assetClass: instrument.asset_class,
    accountType: "live",
    killSwitch: input.killSwitch,
    now: moment,
    price: price.value,
    pricedAt: price.pricedAt,
    session: price.session,
    extendedHours: request.extended_hours,
    tick: priceStep(decimal(price.value), instrument.asset_class),
    offStep: priceStepFaults(intent, instrument.asset_class),
    step: isCoin ? "0.00000001" : isWhole ? "1" : "0.000001",
    otherNames: input.otherNames,
    ...(request.notional !== undefined && { notional: request.notional }),
    held: truncated(available),
    holding: truncated(holding),
    shorting: order.opensShort && !isCoin,
    closesOnly: order.closesOnly,
    equity,
    buyingPower: account.buyingPower,
    openRisk: openRiskOf(input.holdings),
    equityBefore: account.equityBefore,
    equityPeak: null,
    orders: (snapshot.fills ?? []).flatMap(({ at }) => at ?? []),
    stopOuts: lossesOf(snapshot),
    odds: null,
    ...barFacts(isRecent ? bars : null, { side: order.side, assetClass: instrument.asset_class }),
    ...(price.spread !== null && { spread: price.spread! }),
    ...(price.reference !== undefined && isRecent && { reference: price.reference }),
    ...(input.report !== undefined && { report: input.report }),
    working: workingOf(input),
    fills: (snapshot.fills ?? []).flatMap(({ symbol, side, at, realizedPnl }) =>
      at === null || !input.isSame(symbol) ? [] : [{ side, at, profit: realizedPnl }],
    ),
    averagePrice,
    margin: account.margin,
    correlated: input.accountRisk === null ? null : truncated(decimal(input.accountRisk.cluster.value), 2),
    gross: input.holdings === null ? null : truncated(grossOf(input.holdings), 2),
  };
}

/** Returns the value of all holdings, long and short, USD. */
export const grossOf = ({ holdings }: ReadHoldings): Decimal =>
  holdings.reduce((sum, one) => sum.plus(valueOfHolding(one).abs()), decimal(0));

export const openRiskOf = (read: ReadHoldings | null): Amount | null =>
  read === null
    ? null
    : truncated(
        read.holdings.reduce((sum, { risk }) => sum.plus(risk), decimal(0)),
        2,
      );

/**
 * Returns the units held of the instrument, and those that no working order closes. If the positions are not all
 * known and none is of the instrument, an order that must not open is read as closing what is held.
 */
function heldOf({ snapshot, order, isSame }: SituationInput) {
  const rows = snapshot.holdings?.filter(({ option, symbol }) => option === null && isSame(symbol)) ?? [];
  const known = rows.reduce((sum, { quantity }) => sum.plus(quantity), decimal(0));
  if (order.closesOnly && known.abs().lt(order.quantity) && !hasAllPositions(snapshot)) {
    const held = decimal(order.quantity).times(order.side === "buy" ? -1 : 1);
    return { holding: held, available: held, averagePrice: null };
  }
  const holding = known;
  const working = (snapshot.working ?? []).filter(({ symbol }) => isSame(symbol));
  return {
    holding,
    available: availableUnits(holding, working),
    averagePrice: rows.length === 1 ? rows[0]!.averagePrice : null,
  };
}

/** Returns true if every position is known: one that cannot be read may be of any symbol. */
export const hasAllPositions = ({ holdings, unreadable }: Snapshot): boolean =>
  holdings !== null && !unreadable.some(({ list }) => list === "positions");

/**
 * Returns the units held of an instrument that none of its working orders closes; negative if short. A stop and a limit
 * may be the exits of the same units, of which one cancels the other.
 */
export function availableUnits(holding: Decimal, working: readonly WorkingOrder[]): Decimal {
  const closing = working.filter(({ side }) => side === (holding.gt(0) ? "sell" : "buy"));
  const unitsOf = (isStop: boolean) =>
    closing
      .filter(({ stopPrice }) => (stopPrice !== null) === isStop)
      .reduce((sum, { quantity }) => sum.plus(quantity ?? 0), decimal(0));
  const taken = minDecimal(holding.abs(), maxDecimal(unitsOf(true), unitsOf(false)));
  return holding.gt(0) ? holding.minus(taken) : holding.plus(taken);
}

function workingOf({ snapshot, isSame }: SituationInput): NonNullable<Situation["working"]> | null {
  return snapshot.working === null ? null : snapshot.working.filter(({ symbol }) => isSame(symbol));
}

/** Returns the times of fills at a loss, which the cooldown counts. */
export const lossesOf = ({ fills }: Snapshot): readonly number[] =>
  (fills ?? []).flatMap(({ at, realizedPnl }) =>
    at !== null && realizedPnl !== null && decimal(realizedPnl).lt(0) ? [at] : [],
  );
