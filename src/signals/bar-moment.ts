import type { Bars } from "../domain/bars.ts";

/** How callers see the start of a bar: the date of a daily bar, else ISO 8601 UTC. */
export function barMoment({ time, timeframe }: Bars, bar: number): string {
  const iso = new Date(time[bar]!).toISOString();
  return timeframe === "1d" ? iso.slice(0, 10) : iso;
}
