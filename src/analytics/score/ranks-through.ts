import type { Bars } from "../../domain/market/bars.ts";
import { type Universe, yearLessMonthReturn } from "../drivers/relative-strength.ts";

/**
 * Computes the momentum universe of every daily bar at once. Returns a function that gives a symbol's universe on the
 * bar that starts at `time`: the members with a bar at that exact start and a year of bars before it; empty if there
 * are none. `hashOf` hashes those members in the given order.
 */
export function ranksThrough(
  members: readonly (readonly [symbol: string, bars: Bars])[],
  year: number,
  hashOf: (symbols: readonly string[], time: number) => string = () => "",
): (symbol: string) => (time: number) => Universe {
  const days = new Map<number, Map<string, number>>();
  for (const [symbol, { time, close }] of members)
    for (let at = year; at < time.length; at++) {
      const own = yearLessMonthReturn(close.subarray(at - year, at + 1), year)!;
      const day = days.get(time[at]!) ?? new Map<string, number>();
      days.set(time[at]!, day.set(symbol, own));
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
