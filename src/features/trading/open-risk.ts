import { atr } from "../../analytics/indicators/atr.ts";
import { ASSUMED_STOP_ATR } from "../../analytics/sizing/caps.ts";
import type { Ports } from "../../domain/ports.ts";
import { type Amount, type Intent, isWorking, mayFill, type Order } from "../../domain/trading/trading.ts";
import type { BrokerOrder, BrokerPosition } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type Decimal, decimal, maxDecimal, minDecimal, truncated } from "../../lib/decimal.ts";

const ATR_HISTORY_DAYS = 60;
const ATR_PERIOD = 14;

interface Exposure {
  readonly positions: readonly BrokerPosition[];
  /** Newest first. */
  readonly orders: readonly Order[];
  readonly stops: readonly BrokerOrder[];
}

/**
 * Returns the loss of equity in US dollars, from the current prices, if every position and all units still to be opened
 * by working orders hit their stops. Without a live price, a position counts from its last daily close, or else from its
 * average price; a stop beyond that risks as much as none. Without a stop, a unit risks two average daily ranges, or its
 * full price when the range is unknown.
 */
export async function openRiskOf(
  { positions, orders, stops }: Exposure,
  ports: Pick<Ports, "symbols" | "bars" | "quotes">,
): Promise<Decimal> {
  let total = decimal(0);
  const held = positions.flatMap(({ symbol }) => ports.symbols.find(symbol)?.instrument ?? []);
  await ports.quotes.prefetch?.(held);
  for (const { symbol, quantity, averagePrice } of positions) {
    let unprotected = decimal(quantity).abs();
    const { price, isKnown } = await heldPrice({ symbol, averagePrice }, ports);
    for (const stop of stops) {
      if (stop.symbol !== symbol || stop.stopPrice === null || !mayFill(stop.status)) continue;
      const units = minDecimal(unprotected, decimal(stop.quantity).minus(stop.filledQuantity));
      const lossPerUnit = decimal(price)
        .minus(stop.stopPrice)
        .times(quantity.startsWith("-") ? -1 : 1);
      // beyond an average price the loss of equity is unknown; a stop that the price has passed risks nothing more
      if (!isKnown && lossPerUnit.lt(0)) continue;
      total = total.plus(units.times(maxDecimal(lossPerUnit, decimal(0))));
      unprotected = unprotected.minus(units);
    }
    if (unprotected.gt(0))
      total = total.plus(unprotected.times(await unstoppedUnitRisk(symbol, price, ports)));
  }
  for (const { intent, units } of openings({ positions, orders, stops })) {
    const price = intent.limit_price ?? intent.stop_price ?? (await lastPrice(intent.symbol, ports));
    const unitRisk =
      intent.stop_loss === null
        ? await unstoppedUnitRisk(intent.symbol, price, ports)
        : decimal(price).minus(intent.stop_loss).abs();
    total = total.plus(units.times(unitRisk));
  }
  return total;
}

/**
 * Returns the units that working orders would still open: the unfilled quantity less the units that close a position,
 * oldest order first.
 */
function openings({
  positions,
  orders,
}: Exposure): readonly { readonly intent: Intent; readonly units: Decimal }[] {
  const held = new Map(positions.map(({ symbol, quantity }) => [symbol, decimal(quantity)]));
  return orders
    .filter(isWorking)
    .toReversed()
    .flatMap(({ intent, filled_quantity }) => {
      const direction = intent.side === "buy" ? 1 : -1;
      const now = held.get(intent.symbol) ?? decimal(0);
      const unfilled = decimal(intent.quantity).minus(filled_quantity);
      const closes = minDecimal(unfilled, maxDecimal(now.times(-direction), decimal(0)));
      held.set(intent.symbol, now.plus(closes.times(direction)));
      return unfilled.gt(closes) ? [{ intent, units: unfilled.minus(closes) }] : [];
    });
}

/**
 * Returns the price of a held symbol, else its last daily close, else its average price: an outage of one price blocks no
 * other trade. `isKnown`: false for the average price.
 */
async function heldPrice(
  { symbol, averagePrice }: Pick<BrokerPosition, "symbol" | "averagePrice">,
  ports: Pick<Ports, "symbols" | "quotes" | "bars">,
): Promise<{ readonly price: Amount; readonly isKnown: boolean }> {
  try {
    return { price: await lastPrice(symbol, ports), isKnown: true };
  } catch {
    const { symbols, bars } = ports;
    const instrument = symbols.find(symbol)?.instrument;
    const close =
      instrument &&
      (await bars.history(instrument, { timeframe: "1d", limit: 1 }).catch(() => null))?.bars.close.at(-1);
    return close !== undefined && close > 0
      ? { price: truncated(decimal(close)), isKnown: true }
      : { price: averagePrice, isKnown: false };
  }
}

async function lastPrice(
  symbol: string,
  { symbols, quotes }: Pick<Ports, "symbols" | "quotes">,
): Promise<Amount> {
  const instrument = symbols.find(symbol)?.instrument;
  if (instrument === undefined) throw new ToolError("UNKNOWN_SYMBOL", `Unknown symbol: ${symbol}`);
  return truncated(decimal((await quotes.latest(instrument)).price));
}

/** Returns the risk of one unit without a stop: two average daily ranges, or the full price when the range is unknown. */
export async function unstoppedUnitRisk(
  symbol: string,
  price: Amount,
  { symbols, bars: history }: Pick<Ports, "symbols" | "bars">,
): Promise<Decimal> {
  const instrument = symbols.find(symbol)?.instrument;
  if (instrument === undefined) return decimal(price);
  try {
    const { bars } = await history.history(instrument, { timeframe: "1d", limit: ATR_HISTORY_DAYS });
    const range = atr(bars.high, bars.low, bars.close, ATR_PERIOD).at(-1);
    return range !== undefined && range > 0 ? decimal(range).times(ASSUMED_STOP_ATR) : decimal(price);
  } catch {
    return decimal(price);
  }
}
