import { barsPerYear } from "../../analytics/drivers/context.ts";
import { atr } from "../../analytics/indicators/atr.ts";
import { macd } from "../../analytics/indicators/macd.ts";
import { percentRank } from "../../analytics/indicators/percent-rank.ts";
import { rsi } from "../../analytics/indicators/rsi.ts";
import { INDICATORS } from "../../analytics/indicators/table.ts";
import { thirtyWeekAverage, weinsteinStage } from "../../analytics/indicators/weinstein-stage.ts";
import type { Bars } from "../../domain/market/bars.ts";
import { barLabel } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { Technicals } from "../../domain/signal/analysis.ts";

const VOLUME_BARS = 50;
const RANK_BARS = 126;

/** Returns the technical figures at the last bar; unavailable ones are null with a reason. Requires at least one bar. */
export function technicalsOf(bars: Bars, assetClass: AssetClass): Technicals {
  const reasons: Record<string, string> = {};
  const { high, low, close, volume } = bars;
  const n = close.length;
  const last = close[n - 1]!;
  const year = barsPerYear(assetClass);
  const known = (name: string, value: number | undefined, reason: string): number | null => {
    if (value !== undefined && Number.isFinite(value)) return value;
    reasons[name] = reason;
    return null;
  };
  const needsBars = (bars: number, what: string): string => `${what} needs ${bars} bars, there are ${n}`;

  const { value: weekly, weeks } = thirtyWeekAverage(bars);
  const tooFewWeeks = `A 30-week average needs 30 completed weeks, there are ${weeks}`;
  const average = known("average_30w", weekly ?? undefined, tooFewWeeks);
  if (average === null)
    for (const name of ["above_30wma", "distance_30w_percent"]) reasons[name] = tooFewWeeks;
  const ranges = atr(high, low, close);
  const range = known("atr", ranges[n - 1], needsBars(15, "An average true range"));
  if (range === null) reasons.atr_percent = reasons.atr!;
  const relativeRanges = ranges.map((value, i) => value / close[i]!);
  const rank = percentRank(relativeRanges, year)[n - 1]!;
  const daily = bars.timeframe === "1d";
  const yearReason = daily ? needsBars(year, "A year") : "A year's range is computed on daily bars only";
  const fullYear = daily && n >= year;
  const top = fullYear ? Math.max(...high.subarray(n - year)) : undefined;
  const bottom = fullYear ? Math.min(...low.subarray(n - year)) : undefined;
  const usual = n <= VOLUME_BARS ? 0 : mean(volume.subarray(n - 1 - VOLUME_BARS, n - 1));
  const cross = macdCross(bars);
  if (cross.side === null) reasons.macd_cross = needsBars(34, "MACD");
  if (cross.at === null)
    reasons.macd_cross_at =
      cross.side === null ? reasons.macd_cross! : "MACD has not crossed within the bars read";
  const rankReason =
    n < RANK_BARS + 14 ? needsBars(RANK_BARS + 14, "A percentile") : "Not defined on this data";
  const figures = {
    rsi: known("rsi", rsi(close)[n - 1], needsBars(15, "RSI")),
    macd_cross: cross.side,
    macd_cross_at: cross.at,
    stage: known(
      "stage",
      weinsteinStage(bars)[n - 1],
      weeks < 34
        ? `A stage needs 34 completed weeks, there are ${weeks}`
        : `No stage 2 or 4 has been seen in ${weeks} weeks`,
    ),
    above_30wma: average === null ? null : last > average,
    average_30w: average,
    distance_30w_percent: average === null ? null : 100 * (last / average - 1),
    atr: range,
    atr_percent: range === null ? null : (100 * range) / last,
    volatility_percentile: known("volatility_percentile", 100 * rank, rankReason),
    year_low: known("year_low", bottom, yearReason),
    year_high: known("year_high", top, yearReason),
    year_position: known(
      "year_position",
      top === undefined || bottom === undefined ? undefined : (100 * (last - bottom)) / (top - bottom),
      fullYear ? "The year's range is 0" : yearReason,
    ),
    volume_ratio: known(
      "volume_ratio",
      usual > 0 ? volume[n - 1]! / usual : undefined,
      n <= VOLUME_BARS
        ? needsBars(VOLUME_BARS + 1, "A mean volume")
        : "Nothing traded in the previous 50 bars",
    ),
  };
  return { ...figures, indicators: indicatorsAt(bars, new Set(Object.keys(figures))), reasons };
}

/**
 * Returns every indicator with default parameters at the last bar, except those in `named`, which have their own
 * fields.
 */
function indicatorsAt(bars: Bars, named: ReadonlySet<string>): Technicals["indicators"] {
  const columns = INDICATORS.flatMap(({ params, columns }) =>
    Object.entries(columns(bars, ...params.map((param) => param.default))),
  );
  return Object.fromEntries(
    columns
      .filter(([name]) => !named.has(name))
      .map(([name, column]) => {
        const value = column.at(-1)!;
        return [name, Number.isFinite(value) ? value : null];
      }),
  );
}

/** Returns on which side of its signal line the MACD is, and the bar of the latest crossing. */
function macdCross(bars: Bars): { readonly side: Technicals["macd_cross"]; readonly at: string | null } {
  const { histogram } = macd(bars.close);
  const sideAt = (bar: number): number => Math.sign(histogram[bar] ?? Number.NaN);
  const end = histogram.length - 1;
  const now = sideAt(end);
  let bar = end;
  while (sideAt(bar - 1) === now) bar--;
  const at =
    Number.isNaN(now) || Number.isNaN(sideAt(bar - 1)) ? null : barLabel(bars.time[bar]!, bars.timeframe);
  const side = Number.isNaN(now) ? null : now > 0 ? "bullish" : now < 0 ? "bearish" : "none";
  return { side, at };
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
