import { type Bars, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { BarHistory, CallOptions, Clock } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { Big } from "./amount.ts";
import type { DailyHistory, DayLiquidity } from "./daily-history.ts";
import { halfSpreadBps } from "./liquidity.ts";
import type { Step } from "./match-order.ts";
import type { OrderSteps } from "./match-working-orders.ts";
import { barsToSteps } from "./session.ts";

const FINEST_TIMEFRAME = "5m";
const MAX_BARS_PER_PAGE = 4_000;
/** Maximum number of pages: four years of five-minute bars of a stock, or one year of crypto. */
const MAX_PAGES = 28;

/**
 * Returns the trades since `from` (epoch ms): five-minute bars, and the daily bar of days without any. So days for
 * which no provider has five-minute bars any more are matched less precisely than they would have been at the time.
 */
export async function loadTape(
  { bars, clock }: { readonly bars: BarHistory; readonly clock: Clock },
  instrument: Instrument,
  { from, days, ...options }: CallOptions & { readonly from: number; readonly days: DailyHistory },
): Promise<OrderSteps> {
  const now = clock.now().getTime();
  const fine: Bars[] = [];
  let until = now;
  for (let page = 0; page < MAX_PAGES && until > from; page++) {
    const limit = Math.min(MAX_BARS_PER_PAGE, Math.ceil((until - from) / TIMEFRAME_MS[FINEST_TIMEFRAME]) + 2);
    const request = {
      timeframe: FINEST_TIMEFRAME,
      limit,
      ...(page > 0 && { asOf: until }),
      ...options,
    } as const;
    const read = (await bars.history(instrument, request).catch(nullIfNoIntradayBars))?.bars;
    const first = read?.time[0];
    if (read === undefined || first === undefined || first >= until) break;
    fine.unshift(read);
    until = first;
    if (read.time.length < limit) break;
  }
  const known = fine.flatMap((read) => barsToSteps(read, days.hours));
  const steps = [...known.filter(({ at }) => at >= from), ...uncoveredDailySteps(known, days, from)];
  return {
    steps: steps.sort((a, b) => a.at - b.at),
    liquidity: days.depth,
    seenTo: Math.max(known.at(-1)?.until ?? 0, steps.at(-1)?.until ?? 0),
  };
}

/** Returns the daily bars of days without finer bars. */
function uncoveredDailySteps(known: readonly Step[], days: DailyHistory, from: number): readonly Step[] {
  const dailySteps = barsToSteps(days.bars, days.hours).filter(({ at }) => at >= from);
  let i = 0;
  return dailySteps.filter(({ at, until }) => {
    while (i < known.length && known[i]!.at < at) i++;
    return i === known.length || known[i]!.at >= until;
  });
}

const TRADABLE: ReadonlySet<Quote["price_source"]> = new Set(["live_quote", "delayed_quote", "file_close"]);

/** Returns the quote as a step at `now` with the usual volume of five minutes; no step while the venue is closed. */
export function quoteStep(quote: Quote, depth: DayLiquidity, now: number): readonly Step[] {
  const open = quote.market_state === "regular" || quote.market_state === "always_open";
  if (!open || !TRADABLE.has(quote.price_source)) return [];
  const price = new Big(quote.price);
  return [
    { at: now, until: now, open: price, high: price, low: price, volume: depth.slotUnits, bounded: false },
  ];
}

/** Returns the estimated price for a buyer: the quote plus half the spread. */
export const estimateAskPrice = (quote: Quote, depth: DayLiquidity): Big =>
  new Big((quote.price * (1 + halfSpreadBps(quote.price, depth) / 10_000)).toFixed(9));

/** Returns null for the error of a market that has only daily bars; rethrows others. */
function nullIfNoIntradayBars(thrown: unknown): null {
  if (thrown instanceof ToolError && thrown.code === "NOT_ENOUGH_DATA") return null;
  throw thrown;
}
