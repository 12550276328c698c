import { kindOf, type MarketKind } from "../../domain/market/market.ts";
import type { EngineRow } from "../../domain/nightly/engine.ts";

/** Returns a function that gives the day on which the bars of most rows of a row's kind end; on a tie, the later one. */
export function usualDays(rows: readonly EngineRow[]): (row: EngineRow) => string {
  const counts = new Map<MarketKind, Map<string, number>>();
  for (const row of rows) {
    const days = counts.get(kindOf(row)) ?? new Map<string, number>();
    const day = row.as_of.slice(0, 10);
    counts.set(kindOf(row), days.set(day, (days.get(day) ?? 0) + 1));
  }
  const usual = new Map(
    [...counts].map(([kind, days]) => {
      const [first] = [...days].sort(([a, n], [b, m]) => m - n || (a < b ? 1 : -1));
      return [kind, first![0]];
    }),
  );
  return (row) => usual.get(kindOf(row))!;
}
