import { atr } from "../../analytics/indicators/atr.ts";
import { RISKED_RANGES } from "../../analytics/sizing/caps.ts";
import type { BarHistory, Quotes, Symbols } from "../../domain/ports.ts";
import { type Amount, type Intent, isWorking, mayFill, type Order } from "../../domain/trading/trading.ts";
import type { BrokerOrder, BrokerPosition } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type Decimal, decimal, maxDecimal, minDecimal, truncated } from "../../lib/decimal.ts";

export interface UnitRiskPorts {
  readonly symbols: Symbols;
  readonly bars: BarHistory;
}

const ATR_HISTORY_DAYS = 60;
const ATR_PERIOD = 14;

/** Lost where every position and all that working orders open meets its stop; without one, two average ranges, or all of it. */
export async function openRiskOf(
  {
    positions,
    orders,
    stops,
  }: {
    readonly positions: readonly BrokerPosition[];
    /** The newest first. */
    readonly orders: readonly Order[];
    readonly stops: readonly BrokerOrder[];
  },
  ports: UnitRiskPorts & { readonly quotes: Quotes },
): Promise<Decimal> {
  let sum = decimal(0);
  for (const { symbol, quantity, averagePrice } of positions) {
    let bare = decimal(quantity).abs();
    for (const stop of stops) {
      if (stop.symbol !== symbol || stop.stopPrice === null || !mayFill(stop.status)) continue;
      const units = minDecimal(bare, decimal(stop.quantity).minus(stop.filledQuantity));
      // a stop on the winning side of the entry has nothing left to lose
      const lost = decimal(averagePrice)
        .minus(stop.stopPrice)
        .times(quantity.startsWith("-") ? -1 : 1);
      sum = sum.plus(units.times(maxDecimal(lost, decimal(0))));
      bare = bare.minus(units);
    }
    if (bare.gt(0)) sum = sum.plus(bare.times(await unstoppedUnitRisk(symbol, averagePrice, ports)));
  }
  for (const { intent, units } of openings(positions, orders)) {
    const price = intent.limit_price ?? intent.stop_price ?? (await lastPrice(intent.symbol, ports));
    const each =
      intent.stop_loss === null
        ? await unstoppedUnitRisk(intent.symbol, price, ports)
        : decimal(price).minus(intent.stop_loss).abs();
    sum = sum.plus(units.times(each));
  }
  return sum;
}

/** What working orders still open: all that is not filled, less what lets go of units held, the oldest first. */
function openings(
  positions: readonly BrokerPosition[],
  orders: readonly Order[],
): readonly { readonly intent: Intent; readonly units: Decimal }[] {
  const held = new Map(positions.map(({ symbol, quantity }) => [symbol, decimal(quantity)]));
  return orders
    .filter(isWorking)
    .toReversed()
    .flatMap(({ intent, filled_quantity }) => {
      const way = intent.side === "buy" ? 1 : -1;
      const now = held.get(intent.symbol) ?? decimal(0);
      const rest = decimal(intent.quantity).minus(filled_quantity);
      const closes = minDecimal(rest, maxDecimal(now.times(-way), decimal(0)));
      held.set(intent.symbol, now.plus(closes.times(way)));
      return rest.gt(closes) ? [{ intent, units: rest.minus(closes) }] : [];
    });
}

async function lastPrice(
  symbol: string,
  { symbols, quotes }: { readonly symbols: Symbols; readonly quotes: Quotes },
): Promise<Amount> {
  const instrument = symbols.find(symbol)?.instrument;
  if (instrument === undefined) throw new ToolError("UNKNOWN_SYMBOL", `${symbol} is not known here`);
  return truncated(decimal((await quotes.latest(instrument)).price));
}

/** What a unit without a stop is taken to risk: two average daily ranges, all of its price where nobody knows them. */
export async function unstoppedUnitRisk(
  symbol: string,
  price: Amount,
  { symbols, bars: days }: UnitRiskPorts,
): Promise<Decimal> {
  const instrument = symbols.find(symbol)?.instrument;
  if (instrument === undefined) return decimal(price);
  try {
    const { bars } = await days.history(instrument, { timeframe: "1d", limit: ATR_HISTORY_DAYS });
    const range = atr(bars.high, bars.low, bars.close, ATR_PERIOD).at(-1);
    return range !== undefined && range > 0 ? decimal(range).times(RISKED_RANGES) : decimal(price);
  } catch {
    return decimal(price);
  }
}
