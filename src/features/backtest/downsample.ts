import type { EquityPoint } from "../../domain/backtest/backtest.ts";

/** Reduces points to at most `maxPoints`, keeping the first, the last, and the high and low of each interval. */
export function downsampleEquity(points: readonly EquityPoint[], maxPoints: number): EquityPoint[] {
  if (points.length <= maxPoints) return [...points];
  const inner = points.slice(1, -1);
  const intervals = Math.max(1, Math.floor((maxPoints - 2) / 2));
  const extremes = Array.from({ length: intervals }, (_, i) => {
    const from = Math.floor((i * inner.length) / intervals);
    const interval = inner.slice(from, Math.floor(((i + 1) * inner.length) / intervals));
    const values = interval.map(({ equity }) => equity);
    const places = new Set([values.indexOf(Math.max(...values)), values.indexOf(Math.min(...values))]);
    return [...places].sort((a, b) => a - b).map((place) => interval[place]!);
  });
  return [points[0]!, ...extremes.flat(), points[points.length - 1]!];
}
