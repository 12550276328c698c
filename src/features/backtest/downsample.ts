import type { EquityPoint } from "../../domain/backtest/backtest.ts";

/** Reduces points to at most `most`, keeping the first, the last, and the high and low of each interval. */
export function downsampleEquity(points: readonly EquityPoint[], most: number): EquityPoint[] {
  if (points.length <= most) return [...points];
  const inner = points.slice(1, -1);
  const stretches = Math.max(1, Math.floor((most - 2) / 2));
  const kept = Array.from({ length: stretches }, (_, i) => {
    const from = Math.floor((i * inner.length) / stretches);
    const stretch = inner.slice(from, Math.floor(((i + 1) * inner.length) / stretches));
    const worth = stretch.map(({ equity }) => equity);
    const places = new Set([worth.indexOf(Math.max(...worth)), worth.indexOf(Math.min(...worth))]);
    return [...places].sort((a, b) => a - b).map((place) => stretch[place]!);
  });
  return [points[0]!, ...kept.flat(), points[points.length - 1]!];
}
