import { TIMEFRAME_MS } from "../../src/domain/market/bars.ts";
import { newYorkDay } from "../../src/lib/newyork.ts";
import { type Span, TICK_MS } from "../../src/providers/sample/intraday.ts";
import type { Recording } from "../../src/providers/sample/recordings.ts";
import { DAY_MS, EPOCH } from "../../src/providers/sample/time.ts";
import { instruments, recordings } from "./market.ts";
import { simulatedTopics } from "./topics.ts";
import { type Stretch, type TradingDay, tradingDays } from "./trading-hours.ts";
import type { World, WorldBar } from "./world.ts";

/** Splits by symbol: session date and new shares per old share. Earlier prices are already adjusted. */
const SPLITS: Readonly<Record<string, readonly { readonly day: number; readonly factor: number }[]>> = {
  NFLX: [{ day: Date.UTC(2025, 10, 17), factor: 10 }],
  NVDA: [{ day: Date.UTC(2024, 5, 10), factor: 10 }],
  WMT: [{ day: Date.UTC(2024, 1, 26), factor: 3 }],
};
/** Days searched for the newest trade; US markets never pause this long. */
const LOOK_BACK_DAYS = 8;

const isCrypto = ({ listing }: Recording): boolean => listing.instrument.asset_class === "crypto";

/** Number of ticks of a stretch that have ended at an instant. */
const ticksOver = ({ start, ticks }: Stretch, now: number): number =>
  Math.min(ticks, Math.max(0, Math.floor((now - start) / TICK_MS)));

/**
 * The market reported by every replayed vendor: the sample market's simulator restricted to the hours of US exchanges.
 * Closed bars never change as the clock advances; nothing later than the clock (epoch ms) is visible. `trade` reports
 * open, high, low and volume of the session once it has begun, before that those of the day's earlier trades. NFLX,
 * NVDA and WMT have split.
 */
export function createWorld({ now }: { readonly now: () => number }): World {
  const days = tradingDays();

  /** Date (00:00 UTC) of the trading day that contains an instant. */
  const dateAt = (recording: Recording, instant: number): number =>
    isCrypto(recording) ? Math.floor(instant / DAY_MS) * DAY_MS : newYorkDay(instant);

  /** The day's bar up to now; null before its first trade and on days without trading. */
  function dayBar(recording: Recording, date: number): WorldBar | null {
    const day = days(recording, date);
    if (day === null) return null;
    const over = ticksOver(day.regular, now());
    if (over === 0) return null;
    const span = over === day.regular.ticks ? day.regular.candle : day.regular.day().span(0, over);
    return barOf(recording, date, [span]);
  }

  const stretchesOf = ({ pre, regular, post }: TradingDay, hours: "regular" | "extended") =>
    (hours === "regular" ? [regular] : [pre, regular, post])
      .filter((stretch) => stretch !== null)
      .map((stretch) => ({ stretch, over: ticksOver(stretch, now()) }))
      .filter(({ over }) => over > 0);

  /** Bars of a length on the grid that starts with the day's first stretch, limited to those that have begun. */
  function barsOfDay(recording: Recording, day: TradingDay, length: number, hours: "regular" | "extended") {
    const begun = stretchesOf(day, hours);
    const bars: WorldBar[] = [];
    const last = begun.at(-1);
    if (last === undefined) return bars;
    const end = last.stretch.start + last.over * TICK_MS;
    for (let time = begun[0]!.stretch.start; time < end; time += length) {
      const spans = begun.flatMap(({ stretch, over }) => {
        const from = Math.max(0, (time - stretch.start) / TICK_MS);
        const to = Math.min(over, (time + length - stretch.start) / TICK_MS);
        return to > from ? [stretch.day().span(from, to)] : [];
      });
      bars.push(barOf(recording, time, spans));
    }
    return bars;
  }

  return {
    now,
    ...simulatedTopics({ now }),
    instrument: (symbol) => instruments.get(symbol) ?? null,
    instruments: () => [...instruments.values()],

    bars(symbol, timeframe, { from, until, hours = "regular" }) {
      const recording = recordings(symbol);
      if (recording === null) return [];
      const end = Math.min(until, now());
      const daily = timeframe === "1d";
      const first = daily ? Math.ceil(from / DAY_MS) * DAY_MS : dateAt(recording, from);
      const bars: WorldBar[] = [];
      for (let date = Math.max(EPOCH, first); date <= end; date += DAY_MS) {
        const day = daily ? null : days(recording, date);
        if (daily) bars.push(...[dayBar(recording, date)].filter((bar) => bar !== null));
        else if (day !== null) bars.push(...barsOfDay(recording, day, TIMEFRAME_MS[timeframe], hours));
      }
      return bars.filter(({ time }) => time >= from && time <= end);
    },

    trade(symbol) {
      const recording = recordings(symbol);
      if (recording === null) return null;
      const today = dateAt(recording, now());
      for (let date = today; date >= today - LOOK_BACK_DAYS * DAY_MS; date -= DAY_MS) {
        const day = days(recording, date);
        const newest = day === null ? undefined : stretchesOf(day, "extended").at(-1);
        if (newest === undefined) continue;
        const { stretch, over } = newest;
        const traded = barOf(recording, date, [stretch.day().span(0, over)]);
        const session = dayBar(recording, date) ?? traded;
        return {
          price: traded.close,
          at: stretch.start + over * TICK_MS,
          previousClose: closeBefore(recording, date) ?? session.open,
          open: session.open,
          high: Math.max(session.high, traded.high),
          low: Math.min(session.low, traded.low),
          volume: session.volume,
        };
      }
      return null;
    },

    splits(symbol) {
      const recording = recordings(symbol);
      if (recording === null) return [];
      return (SPLITS[symbol] ?? []).filter(({ day }) => day <= dateAt(recording, now()));
    },
  };

  function closeBefore(recording: Recording, date: number): number | null {
    for (let before = date - DAY_MS; before >= date - LOOK_BACK_DAYS * DAY_MS; before -= DAY_MS) {
      const bar = dayBar(recording, before);
      if (bar !== null) return bar.close;
    }
    return null;
  }
}

/** Merges spans into one bar, in dollars and shares or coins. */
const barOf = ({ listing, path }: Recording, time: number, spans: readonly Span[]): WorldBar => ({
  time,
  open: spans[0]!.open / listing.scale,
  high: Math.max(...spans.map(({ high }) => high)) / listing.scale,
  low: Math.min(...spans.map(({ low }) => low)) / listing.scale,
  close: spans.at(-1)!.close / listing.scale,
  volume: spans.reduce((sum, { volume }) => sum + volume, 0) / path.parts,
});
