import type { Output } from "../../api/tools.ts";
import type { Band, Level, Line } from "../../charts/line-chart.tsx";

export type Odds = Output<"get_odds">;
export type PastBars = Readonly<Output<"get_history">["bars"]>;

export interface FanData {
  readonly lines: readonly Line[];
  readonly bands: readonly Band[];
  readonly levels: readonly Level[];
}

/** Returns the range at a horizon, or at the number of bars nearest to it. */
export const rangeAt = ({ ranges }: Odds, horizon: number) =>
  ranges.reduce((best, range) =>
    Math.abs(range.bars - horizon) < Math.abs(best.bars - horizon) ? range : best,
  );

/** Returns what a fan of odds draws: past closes, ranges ahead with their base, and the levels. Bar 0 is the last close. */
export function fanOf({ from, ranges, levels, plan }: Odds, newestFirst: PastBars): FanData {
  const past = newestFirst
    .toReversed()
    .map(({ close }, index) => ({ x: index + 1 - newestFirst.length, y: close }));
  const band = (low: "p5" | "p25", high: "p95" | "p75") => [
    { x: 0, low: from, high: from },
    ...ranges.map((range) => ({ x: range.bars, low: range[low], high: range[high] })),
  ];
  const base = (edge: "p5" | "p95") => [
    { x: 0, y: from },
    ...ranges.flatMap((range) => (range.base === null ? [] : [{ x: range.bars, y: range.base[edge] }])),
  ];
  const hasBase = ranges.some((range) => range.base !== null);
  return {
    lines: [
      {
        name: "Median",
        tone: "accent",
        points: [{ x: 0, y: from }, ...ranges.map(({ bars, p50 }) => ({ x: bars, y: p50 }))],
      },
      ...(past.length > 1 ? [{ name: "Close", tone: "text", points: past } as const] : []),
      ...(hasBase
        ? [
            { name: "Base 5 %", tone: "warn", dashed: true, points: base("p5") } as const,
            { name: "Base 95 %", tone: "warn", dashed: true, points: base("p95") } as const,
          ]
        : []),
    ],
    bands: [
      { name: "90 of 100", tone: "accent", opacity: 0.14, points: band("p5", "p95") },
      { name: "50 of 100", tone: "accent", opacity: 0.22, points: band("p25", "p75") },
    ],
    levels: [
      ...levels.map(({ price, change_percent }) => ({
        y: price,
        text: `${change_percent > 0 ? "+" : "−"}${Math.abs(change_percent)} %`,
        tone: "flat" as const,
      })),
      ...(plan === null
        ? []
        : [
            { y: plan.stop, text: "stop", tone: "down" as const },
            { y: plan.target, text: "target", tone: "up" as const },
          ]),
    ],
  };
}
