import { createHash } from "node:crypto";
import { barsPerYear } from "../../analytics/drivers/context.ts";
import { type Universe, yearLessMonthReturn } from "../../analytics/drivers/relative-strength.ts";
import { hasSplitFault } from "../../analytics/score/split-fault.ts";
import { type Bars, sliceBars } from "../../domain/market/bars.ts";
import { type Instrument, kindOf } from "../../domain/market/market.ts";
import type { MomentumRanks } from "../../domain/nightly/run-repository-port.ts";
import type { Ports } from "../../domain/ports.ts";
import { countLeading } from "../../lib/count-leading.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { seriesOrNull } from "./series.ts";

const CACHE_TTL_MS = 15 * 60_000;

/** 12-1 month returns of the members that traded on one day. */
export interface RankUniverse {
  readonly time: number;
  readonly returns: ReadonlyMap<string, number>;
  /** Only the returns, in the same order. */
  readonly values: readonly number[];
  readonly hash: string;
}

/**
 * Returns the universe for ranking an instrument on the daily bar that starts at `time`: members of its kind (crypto, or
 * stocks and funds) with a bar on that day and a year of bars before it. Reads nothing later than `asOf` (epoch ms).
 * Concurrent callers share one computation; a caller that cancels does not abort it.
 */
export function rankUniverse(
  instrument: Instrument,
  { time, asOf }: { readonly time: number; readonly asOf: number },
  { symbols, bars, cache, market }: Pick<Ports, "symbols" | "bars" | "cache" | "market">,
): Promise<RankUniverse> {
  const marketKind = kindOf(instrument);
  const year = barsPerYear(instrument.asset_class);
  const members = symbols.universe().filter((one) => kindOf(one) === marketKind);
  return cache.remember(
    `universe|${market.id}|${market.content ?? ""}|${marketKind}|${time}|${asOf}`,
    CACHE_TTL_MS,
    async () => {
      const found = await Promise.all(
        members.map(async (member) => {
          if (isBusy()) await yieldToEventLoop();
          const series = await seriesOrNull(bars, member, { timeframe: "1d", limit: year + 1, asOf });
          return series === null ? null : ([member.symbol, series.bars] as const);
        }),
      );
      return ranksAt(
        time,
        instrument.asset_class,
        found.filter((one) => one !== null),
      );
    },
  );
}

/**
 * Returns an instrument's place among ranks that a nightly run stored: its own 12-1 month return of that day is the
 * stored one or, for a symbol outside the run, that of its daily bars.
 */
export function storedRank(
  { symbol, asset_class }: Instrument,
  daily: Bars,
  { time, hash, returns }: MomentumRanks,
): Universe {
  const values = Object.values(returns);
  const stored = returns[symbol];
  if (stored !== undefined) return { returns: values, own: stored, hash, time };
  const bars = sliceBars(
    daily,
    0,
    countLeading(daily.time.length, (i) => daily.time[i]! <= time),
  );
  const own = ranksAt(time, asset_class, [[symbol, bars]]).values[0] ?? null;
  return { returns: values, own, hash, time };
}

/**
 * Builds a ranking universe from daily series. Skips series that do not end with the bar starting at `time`, have less
 * than a year of bars or may contain an unadjusted split in that year.
 */
export function ranksAt(
  time: number,
  assetClass: Instrument["asset_class"],
  series: Iterable<readonly [symbol: string, bars: Bars]>,
): RankUniverse {
  const year = barsPerYear(assetClass);
  const returns = new Map<string, number>();
  for (const [symbol, bars] of series) {
    const value = bars.time.at(-1) === time ? yearLessMonthReturn(bars.close, year) : null;
    if (value !== null && !hasSplitFault(bars, bars.time.length - 1 - year)) returns.set(symbol, value);
  }
  const hash = createHash("sha256")
    .update([...returns.keys()].sort().join("\n"))
    .update(String(time));
  return { time, returns, values: [...returns.values()], hash: hash.digest("hex").slice(0, 16) };
}
