import { describe, expect, it } from "vitest";
import { ranksThrough } from "../../../src/analytics/score/ranks-through.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import { ranksAt } from "../../../src/features/signal/universe.ts";
import { splitAt, syntheticBars } from "../../support/synthetic-bars.ts";

const MEMBERS = [
  ["ONE", syntheticBars(1, 400)],
  ["TWO", syntheticBars(2, 330)],
  ["LATE", sliceBars(syntheticBars(3, 400), 100)],
  ["NEW", sliceBars(syntheticBars(4, 400), 300)],
  ["SPLIT", splitAt(syntheticBars(5, 400), 340, "raw")],
] as const;

describe("ranksThrough", () => {
  const seen: { readonly symbols: readonly string[]; readonly time: number }[] = [];
  const ranks = ranksThrough(MEMBERS, 252, (symbols, time) => {
    seen.push({ symbols, time });
    return `${symbols.length} members`;
  });
  const whole = MEMBERS[0][1];

  it.each([0, 251, 252, 329, 330, 351, 352, 399])(
    "ranks bar %i as a separate computation for that time does",
    (at) => {
      const time = whole.time[at]!;
      const then = MEMBERS.map(([symbol, bars]) => {
        const end = bars.time.findLastIndex((start) => start <= time) + 1;
        return [symbol, sliceBars(bars, 0, end)] as const;
      });
      const alone = ranksAt(time, "equity", then);
      for (const [symbol] of MEMBERS)
        expect(ranks(symbol)(time)).toEqual({
          returns: alone.values,
          own: alone.returns.get(symbol) ?? null,
          hash: `${alone.values.length} members`,
        });
      expect(seen.filter((request) => request.time === time)).toEqual([
        { symbols: [...alone.returns.keys()], time },
      ]);
    },
  );

  it("has no members on a day without bars", () => {
    expect(ranks("ONE")(1)).toEqual({ returns: [], own: null, hash: "0 members" });
  });
});
