import { describe, expect, it } from "vitest";
import { isQuoted, sidesOf } from "../../../src/analytics/conviction/side.ts";
import { printAt } from "../../support/prints.ts";

const quotes = { bid: 99, ask: 101 };
const print = (price: number, nbbo: { bid: number; ask: number } | null) => printAt(price, { price, nbbo });

describe("sidesOf", () => {
  it("uses quotes first: above their midpoint is a buy, below it a sell", () => {
    expect(sidesOf([print(100.01, quotes), print(99.99, quotes)])).toEqual([
      { sign: 1, basis: "quote" },
      { sign: -1, basis: "quote" },
    ]);
  });

  it("uses the last different price at the midpoint and without quotes, and reports the basis", () => {
    const tape = [print(100, quotes), print(101, null), print(101, null), print(100, quotes)];
    expect(sidesOf(tape)).toEqual([
      { sign: 0, basis: null },
      { sign: 1, basis: "tick" },
      { sign: 1, basis: "tick" },
      { sign: -1, basis: "tick" },
    ]);
  });

  it("ignores invalid quotes", () => {
    expect([null, quotes, { bid: 0, ask: 1 }, { bid: 2, ask: 1 }].map(isQuoted)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect(sidesOf([print(100.5, { bid: 103, ask: 102 })])).toEqual([{ sign: 0, basis: null }]);
  });
});
