import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heldReturn, holdingCurve } from "../../../src/analytics/backtest/market.ts";
import type { Stream } from "../../../src/analytics/backtest/types.ts";
import { barsAround } from "../../support/synthetic-bars.ts";
import { testAccount } from "./tape.ts";

const account = testAccount();
const stream = (start: number, closes: readonly number[]): Stream => {
  const bars = barsAround(closes);
  return { symbol: "A", bars, decisions: { start, action: new Uint8Array(closes.length) } };
};

describe("buy and hold", () => {
  it("buys at the close before the first possible decision and is worth its cost until then", () => {
    const one = stream(2, [10, 20, 30, 40]);
    // Bought at 20, the last close before the first decision could be filled.
    expect([...holdingCurve([one], one.bars.time, account)]).toEqual([1, 1, 1.5, 2]);
    expect(heldReturn([one], account)).toBe(1);
  });

  it("ends at the buy-and-hold return, for one symbol or equal parts of several", () => {
    const closes = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 3, maxLength: 30 });
    fc.assert(
      fc.property(fc.array(fc.tuple(closes, fc.nat(2)), { minLength: 1, maxLength: 4 }), (parts) => {
        const length = Math.min(...parts.map(([values]) => values.length));
        const streams = parts.map(([values, start]) => stream(start, values.slice(0, length)));
        const curve = holdingCurve(streams, streams[0]!.bars.time, account);
        expect(curve.at(-1)! - 1).toBeCloseTo(heldReturn(streams, account)!, 9);
      }),
    );
  });
});
