import {
  type Adjustment,
  type Bar,
  type Bars,
  type BarTimeframe,
  barColumns,
  barRows,
  hasDateLabel,
  PROVIDER_TIMEFRAMES,
  type ProviderTimeframe,
  sliceBars,
  TIMEFRAME_MS,
} from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { TradingHours } from "../../domain/market/trading-hours.ts";
import type { BarHistory, Clock } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { countLeading } from "../../lib/count-leading.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { barCloseMs, sessionOf } from "../../market/calendar/calendar.ts";
import { newestPlausible } from "../../market/prices/spikes.ts";
import { type LoadedSeries, zoneOf } from "./load.ts";
import { weeklyBars } from "./weekly-bars.ts";

/** Number of bars inspected to detect the trading hours of a file; more than a day of the shortest bars. */
const SAMPLE_BARS = 1_000;

/** Returns the time at which the bar at `index` closed, epoch ms. */
export const closeTimeOf = (bars: Bars, index: number, hours: TradingHours): number =>
  barCloseMs(bars.time[index]!, bars.timeframe, bars.zone, hours);

/** Returns the number of bars that had closed by an instant (epoch ms). */
export const countClosedBars = (bars: Bars, at: number, hours: TradingHours): number =>
  countLeading(bars.time.length, (index) => closeTimeOf(bars, index, hours) <= at);

/** Returns the trading hours of bars: extended if one of the newest bars lies entirely outside the regular session. */
export function detectTradingHours({ time, timeframe, zone }: Bars): TradingHours {
  if (zone === "UTC" || hasDateLabel(timeframe)) return "regular";
  const outside = time.subarray(-SAMPLE_BARS).some((start) => {
    const session = sessionOf(newYorkDate(start));
    return session !== null && (start >= session.close || start + TIMEFRAME_MS[timeframe] <= session.open);
  });
  return outside ? "extended" : "regular";
}

/** Value of `source` and of the venue in every response based on files. */
export const SOURCE = "files";
export const VENUE = "FILE";

/** All bars of the files, read on demand. */
export interface FileBarStore {
  /** Returns the timeframes that the files have for a symbol, longest first. */
  timeframes(symbol: string): readonly ProviderTimeframe[];
  /** Reads a series into the cache, large files in a thread. */
  load(symbol: string, timeframe: ProviderTimeframe): Promise<void>;
  /**
   * Returns all bars that the files have of a series, closed or not, adjusted for the splits known until an instant
   * (epoch ms), and the rows left out.
   */
  series(symbol: string, timeframe: ProviderTimeframe, until: number): LoadedSeries;
  /** Returns the shorter timeframe whose files have the newest bars after those of a series; null if none has. */
  fresher(symbol: string, timeframe: ProviderTimeframe): ProviderTimeframe | null;
  /** Returns a series built from shorter bars; null if it cannot be built from them. */
  built(symbol: string, timeframe: ProviderTimeframe, of: BuiltFrom): LoadedSeries | null;
  /** Returns a series, continued or replaced by one from fresher shorter bars if it ends before `until`. */
  continued(symbol: string, timeframe: ProviderTimeframe, until: number): LoadedSeries;
  /** Reloads changed files of a symbol, at most about once a minute. */
  look(symbol: string): Promise<void>;
}

interface BuiltFrom {
  readonly from: ProviderTimeframe;
  readonly until: number;
}

/**
 * Creates the bar history from files; 4-hour bars are built from 1-hour bars where there are no others, weekly bars
 * from daily bars. Rejects with NOT_ENOUGH_DATA if the files have the symbol only in other timeframes.
 */
export function fileBars(store: FileBarStore, clock: Clock, adjustment: Adjustment): BarHistory {
  return {
    async history(instrument, { timeframe, limit, asOf, extendedHours, signal }) {
      signal?.throwIfAborted();
      const { symbol } = instrument;
      await store.look(symbol);
      const held = store.timeframes(symbol);
      const read = fileTimeframe(timeframe, held);
      if (held.length > 0 && read === null) throw otherTimeframesError(instrument, timeframe, held);
      for (const one of read === null ? [] : [read, store.fresher(symbol, read)])
        if (one !== null) await store.load(symbol, one);
      const now = clock.now().getTime();
      const until = Math.min(asOf ?? now, now);
      const loaded =
        read === null
          ? { bars: barColumns([], { timeframe, adjustment, zone: zoneOf({ instrument }) }), omitted: [] }
          : store.continued(symbol, read, until);
      const series =
        read === timeframe || read === null
          ? loaded
          : timeframe === "1w"
            ? weeklyBars(loaded, instrument, until)
            : store.built(symbol, timeframe as ProviderTimeframe, { from: read, until });
      if (series === null) throw otherTimeframesError(instrument, timeframe, held);
      const { bars, omitted, chosen } = series;
      const hours = detectTradingHours(bars);
      if (extendedHours === true && hours !== "extended") throw noExtendedHoursError(instrument, timeframe);
      const count = countClosedBars(bars, until, hours);
      const dropped = omitted.filter(({ time }) => barCloseMs(time, timeframe, bars.zone, hours) <= until);
      const plausible = newestPlausible(sliceBars(bars, 0, count), limit, dropped);
      const forming = asOf === undefined || asOf >= now ? formingBar(bars, count, now) : null;
      return {
        ...plausible,
        ...(chosen !== undefined && { chosen }),
        forming,
        source: SOURCE,
        venue: VENUE,
        adjustment: plausible.bars.adjustment,
        as_of: closeOfLast(plausible.bars, hours),
      };
    },
  };
}

/** Returns the timeframe of the file from which bars are read or built; null if no file has it. */
function fileTimeframe(
  timeframe: BarTimeframe,
  held: readonly ProviderTimeframe[],
): ProviderTimeframe | null {
  if (timeframe === "1w") return held.includes("1d") ? "1d" : null;
  if (held.includes(timeframe)) return timeframe;
  return timeframe === "4h" && held.includes("1h") ? "1h" : null;
}

/** Returns the close time of the last bar, ISO 8601 UTC; null without bars. */
const closeOfLast = (bars: Bars, hours: TradingHours): string | null =>
  bars.time.length === 0 ? null : new Date(closeTimeOf(bars, bars.time.length - 1, hours)).toISOString();

/** Returns the bar that has begun but not closed; null if there is no such bar. */
function formingBar(bars: Bars, index: number, now: number): Bar | null {
  const [bar] = barRows(sliceBars(bars, index, index + 1));
  return bar === undefined || bar.time > now ? null : bar;
}

const noExtendedHoursError = ({ symbol }: Instrument, timeframe: BarTimeframe): ToolError =>
  new ToolError("NOT_ENOUGH_DATA", `The ${timeframe} bars of ${symbol} in the files have no extended hours`, {
    hint: "Omit extended_hours; the owner of the server can add a file with pre-market and after-hours bars.",
    data: { symbol, timeframe },
  });

function otherTimeframesError(
  { symbol }: Instrument,
  timeframe: BarTimeframe,
  held: readonly ProviderTimeframe[],
): ToolError {
  return new ToolError("NOT_ENOUGH_DATA", `The files contain no ${timeframe} bars of ${symbol}`, {
    hint: `Request ${held.join(" or ")}${held.length < PROVIDER_TIMEFRAMES.length ? "; the owner of the server can add a file with other bars" : ""}.`,
    data: { symbol, timeframe, available: held },
  });
}
