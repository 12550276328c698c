import type { Output } from "../../api/tools.ts";
import type { ChartEvent, ChartLevel, FanBand, PriceChartData } from "../../charts/chart-data.ts";
import type { Plan, SignalFacts } from "./facts.ts";

export type Bars = Pick<Output<"get_history">, "bars" | "forming">;

/** Returns what the chart of a signal draws: its bars, plan, range ahead and structure. */
export function chartDataOf(
  {
    plan,
    odds,
    range,
    wyckoff,
    elliott,
  }: Pick<SignalFacts, "plan" | "odds" | "range" | "wyckoff" | "elliott">,
  { bars: newestFirst, forming }: Bars,
): PriceChartData {
  const bars = [...newestFirst].reverse();
  const fan =
    range ?? (odds === null ? [] : [{ bars: odds.bars, p5: odds.range_90.low, p95: odds.range_90.high }]);
  return {
    bars,
    forming,
    plan: plan && {
      entryLow: plan.entry.low,
      entryHigh: plan.entry.high,
      stop: plan.stop,
      target: plan.targets[0]!,
    },
    levels: planLevels(plan),
    fan: fan satisfies readonly FanBand[],
    ...structureOf({ wyckoff, elliott }),
  };
}

export function planLevels(plan: Plan | null): readonly ChartLevel[] {
  if (plan === null) return [];
  return [
    { price: plan.stop, text: "stop", tone: "down" },
    ...entryEdges(plan),
    ...plan.targets.map((price, index): ChartLevel => ({ price, text: `T${index + 1}`, tone: "up" })),
  ];
}

/** Returns the edges of the entry zone; of a zone without width the one price. */
const entryEdges = ({ entry: { low, high } }: Plan): readonly ChartLevel[] =>
  low === high
    ? [{ price: low, text: "entry", tone: "accent" }]
    : [
        { price: low, text: "entry low", tone: "accent" },
        { price: high, text: "entry high", tone: "accent" },
      ];

/** Returns the trading range with its events, and the path of a wave count that is valid. */
export function structureOf({
  wyckoff,
  elliott,
}: Pick<SignalFacts, "wyckoff" | "elliott">): Pick<PriceChartData, "events" | "range" | "path"> {
  const events = (wyckoff?.events ?? []).map(
    ({ type, date, side, status }): ChartEvent => ({
      date,
      side: side === "top" ? "above" : "below",
      text: status === "confirmed" ? type : `${type} ${status}`,
      tone: status === "void" ? "flat" : side === "top" ? "warn" : "up",
    }),
  );
  const range = wyckoff?.range ?? null;
  return {
    events,
    range: range && { ...range, text: "trading range" },
    path: elliott?.available
      ? elliott.path.map(({ wave, date, price }) => ({ date, price, text: wave }))
      : [],
  };
}
