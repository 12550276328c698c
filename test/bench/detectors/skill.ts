import { consensus } from "../../../src/analytics/score/consensus.ts";
import { closeReturn } from "../../../src/analytics/track/outcome.ts";
import { recordOf } from "../../../src/analytics/track/record.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import type { ScoredSignal } from "../../../src/domain/track-record/track.ts";
import { tableOf } from "./report.ts";

const HISTORY = 500;
const HORIZON = 20;
const DAY = 86_400_000;

/** Track record of one market: signals by side, their hits relative to the base rate, and the skill of forecasts. */
export interface Skill {
  readonly signals: number;
  readonly hits: number;
  readonly base: number;
  /** Mean Brier skill over the groups of LONG and SHORT, weighted by the number of signals; null without one. */
  readonly skill: number | null;
}

/** Scores signals at every `stride`-th bar of many series after 20 bars, as the track record does. */
export function skillOf(series: Iterable<Bars>, stride: number): Skill {
  const scored: ScoredSignal[] = [];
  for (const bars of series)
    for (let end = HISTORY; end + HORIZON <= bars.close.length; end += stride) {
      const change = closeReturn(bars.close, { at: end - 1, horizon: HORIZON });
      if (change === null) continue;
      const { direction, grade } = consensus({
        bars: sliceBars(bars, end - HISTORY, end),
        assetClass: "equity",
        benchmark: null,
        isBenchmark: false,
        peers: [],
        universe: null,
      });
      const at = bars.time[end - 1]! + DAY;
      scored.push({
        horizon: HORIZON,
        change,
        r: null,
        at,
        known: bars.time[end - 1 + HORIZON]! + DAY,
        asset_class: "equity",
        direction,
        grade,
      });
    }
  const rows = recordOf(scored).filter(({ direction }) => direction !== "WAIT");
  const signals = rows.reduce((sum, { n }) => sum + n, 0);
  const mean = (of: (row: (typeof rows)[number]) => number | null) => {
    const known = rows.flatMap((row) => {
      const value = of(row);
      return value === null ? [] : [[value, row.n] as const];
    });
    const weight = known.reduce((sum, [, n]) => sum + n, 0);
    return weight === 0 ? null : known.reduce((sum, [value, n]) => sum + value * n, 0) / weight;
  };
  return {
    signals,
    hits: mean(({ hit_rate }) => hit_rate) ?? 0,
    base: mean(({ base_rate }) => base_rate) ?? 0,
    skill: mean(({ skill }) => skill),
  };
}

/** The track records, one line per market. */
export const skillText = (markets: Readonly<Record<string, Skill>>): string =>
  [
    "## Track record",
    "Every LONG and SHORT of the decisions above, scored after 20 bars as `get_track_record` does: hits, the base rate of the same direction over all decisions, and the Brier skill of forecasting each group by its own past. Where nothing can be known the skill is about zero, or a little under it: what it costs to learn from noise.",
    tableOf(
      ["", "LONG and SHORT", "hits", "base", "skill"],
      Object.entries(markets).map(([name, { signals, hits, base, skill }]) => [
        name,
        `${signals}`,
        `${(100 * hits).toFixed(1)}%`,
        `${(100 * base).toFixed(1)}%`,
        skill === null ? "-" : skill.toFixed(4),
      ]),
    ),
  ].join("\n\n");
