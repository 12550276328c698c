import type { Bars } from "../../domain/market/bars.ts";
import { suspectedSplitsWithin } from "../backtest/splits.ts";
import { type Universe, yearLessMonthReturn } from "../drivers/relative-strength.ts";
import { mayHaveSplits } from "./split-fault.ts";

/**
 * Computes the momentum universe of every daily bar at once. Returns a function that gives a symbol's universe on the
 * bar that starts at `time`: the members with a bar at that exact start and a year of bars before it that contain no
 * suspected unadjusted split; empty if there are none. `hashOf` hashes those members in the given order.
 */
export function ranksThrough(
  members: readonly (readonly [symbol: string, bars: Bars])[],
  year: number,
  hashOf: (symbols: readonly string[], time: number) => string = () => "",
): (symbol: string) => (time: number) => Universe {
  const days = new Map<number, Map<string, number>>();
  for (const [symbol, bars] of members) {
    const { time, close } = bars;
    const splitsWithin = mayHaveSplits(bars) ? suspectedSplitsWithin(bars) : () => [];
    for (let at = year; at < time.length; at++) {
      if (splitsWithin(at - year, at).length > 0) continue;
      const own = yearLessMonthReturn(close.subarray(at - year, at + 1), year)!;
      const day = days.get(time[at]!) ?? new Map<string, number>();
      days.set(time[at]!, day.set(symbol, own));
    }
  }
  const named = new Map<number, Pick<Universe, "returns" | "hash">>();
  const noMembers = new Map<string, number>();
  return (symbol) => (time) => {
    const day = days.get(time) ?? noMembers;
    const known = named.get(time) ?? { returns: [...day.values()], hash: hashOf([...day.keys()], time) };
    named.set(time, known);
    return { ...known, own: day.get(symbol) ?? null };
  };
}
