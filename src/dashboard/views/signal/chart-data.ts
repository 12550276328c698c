import type { Output } from "../../api/tools.ts";
import type { ChartEvent, ChartLevel, PriceChartData } from "../../charts/price-chart.ts";

export type SignalAnswer = Output<"get_signal">["data"];
export type Bars = Pick<Output<"get_history">, "bars" | "forming">;

/** Returns what the chart of a signal draws: its bars, plan, levels and Wyckoff events. */
export function chartDataOf(
  { signal, wyckoff }: SignalAnswer,
  { bars: newestFirst, forming }: Bars,
): PriceChartData {
  const bars = [...newestFirst].reverse();
  const { entry_zone: zone, stop_loss: stop, targets } = signal;
  const [target] = targets;
  const plan =
    zone === null || stop === null || target === undefined
      ? null
      : { entryLow: zone.low, entryHigh: zone.high, stop, target };
  const levels: readonly ChartLevel[] =
    plan === null
      ? []
      : [
          { price: plan.stop, text: "stop", tone: "down" },
          { price: (plan.entryLow + plan.entryHigh) / 2, text: "entry", tone: "accent" },
          { price: plan.target, text: "T1", tone: "up" },
        ];
  const days = new Map(bars.map((bar) => [bar.datetime, bar]));
  const events = wyckoff.events.map(({ type, date, price, status }): ChartEvent => {
    const bar = days.get(date);
    const side = bar !== undefined && price <= (bar.low + bar.high) / 2 ? "below" : "above";
    return {
      date,
      side,
      text: status === "confirmed" ? type : `${type} ${status}`,
      tone: status === "void" ? "flat" : side === "below" ? "up" : "warn",
    };
  });
  return { bars, forming, plan, levels, events };
}
