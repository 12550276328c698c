import { atr } from "../../analytics/indicators/atr.ts";
import { RISKED_RANGES } from "../../analytics/sizing/caps.ts";
import type { BarHistory, Quotes, Symbols } from "../../domain/ports.ts";
import { type Amount, type Intent, isWorking, mayFill, type Order } from "../../domain/trading/trading.ts";
import type { BrokerOrder, BrokerPosition } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type Decimal, decimal, digits, greatest, least } from "../../lib/decimal.ts";

export interface RangePorts {
  readonly symbols: Symbols;
  readonly bars: BarHistory;
}

const DAYS = 60;
const PERIOD = 14;

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
  ports: RangePorts & { readonly quotes: Quotes },
): Promise<Decimal> {
  let sum = decimal(0);
  for (const { symbol, quantity, averagePrice } of positions) {
    let bare = decimal(quantity).abs();
    for (const stop of stops) {
      if (stop.symbol !== symbol || stop.stopPrice === null || !mayFill(stop.status)) continue;
      const units = least(bare, decimal(stop.quantity).minus(stop.filledQuantity));
      // a stop on the winning side of the entry has nothing left to lose
      const lost = decimal(averagePrice)
        .minus(stop.stopPrice)
        .times(quantity.startsWith("-") ? -1 : 1);
      sum = sum.plus(units.times(greatest(lost, decimal(0))));
      bare = bare.minus(units);
    }
    if (bare.gt(0)) sum = sum.plus(bare.times(await rangeOf(symbol, averagePrice, ports)));
  }
  for (const { intent, units } of openings(positions, orders)) {
    const price = intent.limit_price ?? intent.stop_price ?? (await lastPrice(intent.symbol, ports));
    const each =
      intent.stop_loss === null
        ? await rangeOf(intent.symbol, price, ports)
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
      const closes = least(rest, greatest(now.times(-way), decimal(0)));
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
  return digits(decimal((await quotes.latest(instrument)).price));
}

/** What a unit without a stop is taken to risk: two average daily ranges, all of its price where nobody knows them. */
export async function rangeOf(
  symbol: string,
  price: Amount,
  { symbols, bars: days }: RangePorts,
): Promise<Decimal> {
  const instrument = symbols.find(symbol)?.instrument;
  if (instrument === undefined) return decimal(price);
  try {
    const { bars } = await days.history(instrument, { timeframe: "1d", limit: DAYS });
    const range = atr(bars.high, bars.low, bars.close, PERIOD).at(-1);
    return range !== undefined && range > 0 ? decimal(range).times(RISKED_RANGES) : decimal(price);
  } catch {
    return decimal(price);
  }
}
