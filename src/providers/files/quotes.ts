import { type Bars, sliceBars } from "../../domain/market/bars.ts";
import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { Clock, Quotes } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { marketStateAt } from "../../market/calendar/calendar.ts";
import { omitSpikes } from "../../market/prices/spikes.ts";
import {
  closeTimeOf,
  countClosedBars,
  detectTradingHours,
  type FileBarStore,
  SOURCE,
  VENUE,
} from "./history.ts";

const DAY = 86_400_000;
/** Newest bars that a quote is read from; more than those of two days. */
const QUOTE_BARS = 600;

/**
 * Creates quotes from files: the close of the newest closed bar of any timeframe, as `file_close` with the time of that
 * close; of two bars that closed at the same time, the longer one is used. The change refers to the previous day in the
 * same file, because other files may be adjusted differently.
 */
export function fileQuotes(store: FileBarStore, clock: Clock): Quotes {
  return {
    async latest(instrument, { signal } = {}) {
      signal?.throwIfAborted();
      await store.look(instrument.symbol);
      const now = clock.now();
      let newest: LastClosedBar | null = null;
      const timeframes = store.timeframes(instrument.symbol);
      for (const timeframe of timeframes) await store.load(instrument.symbol, timeframe);
      for (const timeframe of timeframes) {
        const last = lastClosedBar(
          store.series(instrument.symbol, timeframe, now.getTime()).bars,
          now.getTime(),
        );
        if (last !== null && (newest === null || last.closedAt > newest.closedAt)) newest = last;
      }
      if (newest === null) throw noPrice(instrument);
      return quoteOf(newest, instrument, now);
    },
  };
}

interface LastClosedBar {
  readonly bars: Bars;
  readonly index: number;
  readonly closedAt: number;
}

function lastClosedBar(bars: Bars, now: number): LastClosedBar | null {
  const hours = detectTradingHours(bars);
  const count = countClosedBars(bars, now, hours);
  const closed = omitSpikes(sliceBars(bars, Math.max(0, count - QUOTE_BARS), count)).bars;
  const index = closed.time.length - 1;
  return index < 0 ? null : { bars: closed, index, closedAt: closeTimeOf(closed, index, hours) };
}

function quoteOf({ bars, index, closedAt }: LastClosedBar, { asset_class }: Instrument, now: Date): Quote {
  const price = bars.close[index]!;
  const before = previousDayClose(bars, index);
  const change = before === null ? null : Number((price - before).toFixed(8));
  const daily = bars.timeframe === "1d"; // an intraday bar has neither the range nor the volume of its day
  return {
    price,
    change,
    changePercent: before === null ? null : Number(((100 * (price - before)) / before).toFixed(4)),
    volume: daily ? bars.volume[index]! : null,
    high: daily ? bars.high[index]! : null,
    low: daily ? bars.low[index]! : null,
    open: daily ? bars.open[index]! : null,
    timestamp: new Date(closedAt).toISOString(),
    source: SOURCE,
    venue: VENUE,
    price_source: "file_close",
    market_state: marketStateAt(now.getTime(), asset_class),
    delayed_minutes: null,
  };
}

/** Returns the close of the last bar of the previous session date; null if the bars do not reach back that far. */
function previousDayClose(bars: Bars, index: number): number | null {
  const today = dayOf(bars, index);
  let before = index - 1;
  while (before >= 0 && dayOf(bars, before) === today) before--;
  return bars.close[before] ?? null;
}

function dayOf({ time, timeframe, zone }: Bars, index: number): number {
  const at = time[index]!;
  return zone === "UTC" || timeframe === "1d" ? Math.floor(at / DAY) : newYorkDay(at) / DAY;
}

function noPrice({ symbol }: Instrument): ToolError {
  return new ToolError("NO_PRICE", `The files contain no price of ${symbol}`, {
    hint: "Request a symbol that the files contain; the owner of the server can add a file of its bars.",
    data: { symbol, price: null, data: { price: null } },
  });
}
