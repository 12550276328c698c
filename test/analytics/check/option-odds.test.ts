import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type OptionTerms, optionOddsOf } from "../../../src/analytics/check/option-odds.ts";
import { priceRangeOf } from "../../../src/analytics/check/price-range.ts";
import { oddsOf } from "../../../src/analytics/odds/odds.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import { draws } from "../../support/draws.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";

const BARS = syntheticBars(11, 500);
const ASSET = { bars: BARS, symbol: "AAPL", assetClass: "equity" } as const;
const CLOSE = BARS.close.at(-1)!;
const oddsFrom = (from: number, terms: OptionTerms, sessions = 14) =>
  optionOddsOf({ ...ASSET, from, terms, sessions }).odds!;

describe("the odds of an option", () => {
  it("touch the strike as the odds of a level do at the last close", () => {
    for (const factor of [0.93, 1.05]) {
      const strike = CLOSE * factor;
      const level = oddsOf({ ...ASSET, horizons: [14], levels: [strike] }).odds!.levels[0]!.touch[0]!;
      expect(level.odds).toBeGreaterThan(0.02);
      for (const right of ["call", "put"] as const)
        expect(oddsFrom(CLOSE, { right, strike, breakeven: null }).touchStrike).toEqual({
          odds: level.odds,
          base: level.base,
        });
    }
  });

  it("have the range of the price at expiry", () => {
    const { range } = oddsFrom(CLOSE * 1.02, { right: "put", strike: CLOSE, breakeven: null });
    expect(range).toEqual(priceRangeOf({ ...ASSET, from: CLOSE * 1.02, horizon: 14 }).range);
  });

  // 139 windows of one bar from 100, of which only the last moves: high 98, low 94, close 96
  const rest = (value: number, last: number): readonly number[] => [...Array<number>(139).fill(value), last];
  const bars = barsAround(rest(100, 96), { high: rest(100.5, 98), low: rest(99.5, 94) });
  const byHand = (right: OptionTerms["right"], strike: number, breakeven: number | null) =>
    optionOddsOf({ ...ASSET, bars, from: 100, sessions: 1, terms: { right, strike, breakeven } }).odds!;

  it.each([
    // a call with its strike below the price is in the money: the price touches the strike from above
    ["call", 95, "above", 1 / 139],
    ["put", 95, "above", 1 / 139],
    ["put", 93, "above", 0],
    ["call", 100.25, "below", 138 / 139],
    ["put", 102, "below", 0],
    ["call", 100, "at", 1],
  ] as const)("touch the strike of a %s at %d from %s: base %d", (right, strike, touchFrom, base) => {
    const odds = byHand(right, strike, null);
    expect(odds).toMatchObject({ touchFrom, touchStrike: { base: expect.closeTo(base, 12) } });
  });

  it("are 1 at the strike, on all paths too", () => {
    expect(oddsFrom(80, { right: "put", strike: 80, breakeven: null }).touchStrike).toEqual({
      odds: 1,
      base: 1,
    });
  });

  it.each([
    ["put", 97, 1 / 139],
    ["put", 96, 0],
    ["put", 100, 1 / 139],
    ["call", 99, 138 / 139],
    ["call", 100, 0],
    ["call", 95, 1],
  ] as const)("end beyond the breakeven of a %s at %d, but not at it: base %d", (right, breakeven, base) => {
    expect(byHand(right, 100, breakeven).beyondBreakeven!.base).toBeCloseTo(base, 12);
  });

  it("have no breakeven without a premium, and cannot end below one of 0 or less", () => {
    expect(byHand("put", 5, null).beyondBreakeven).toBeNull();
    for (const breakeven of [0, -2])
      expect(byHand("put", 5, breakeven).beyondBreakeven).toEqual({ odds: 0, base: 0 });
  });

  it("fall with the distance of the strike, and a call and a put share the ends, for any prices", () => {
    const factor = fc.double({ min: 0.85, max: 1.2, noNaN: true });
    fc.assert(
      fc.property(factor, factor, (one, other) => {
        const [strike, farther] = [one, other].sort((a, b) => Math.abs(Math.log(a)) - Math.abs(Math.log(b)));
        const at = (right: OptionTerms["right"], price: number) =>
          oddsFrom(CLOSE, { right, strike: CLOSE * price, breakeven: CLOSE * price });
        const [near, far] = [at("call", strike!), at("call", farther!)];
        if (near.touchFrom === far.touchFrom)
          expect(far.touchStrike.odds).toBeLessThanOrEqual(near.touchStrike.odds);
        const put = at("put", strike!);
        expect(near.beyondBreakeven!.odds + put.beyondBreakeven!.odds).toBeCloseTo(1, 2);
        // a price that ends on the other side of the strike has touched it
        const crossed = (near.touchFrom === "below" ? near : put).beyondBreakeven!;
        expect(crossed.odds).toBeLessThanOrEqual(near.touchStrike.odds);
        expect(crossed.base).toBeLessThanOrEqual(near.touchStrike.base);
      }),
      { numRuns: draws(40) },
    );
  });

  it("have a reason when there are none", () => {
    const terms: OptionTerms = { right: "call", strike: CLOSE, breakeven: null };
    const reasonOf = (subject: object) =>
      optionOddsOf({ ...ASSET, from: CLOSE, terms, sessions: 14, ...subject });
    expect(reasonOf({ sessions: 85 })).toEqual({ odds: null, reason: "Odds reach 1 to 60 bars, not 85" });
    expect(reasonOf({ bars: sliceBars(BARS, 400) })).toEqual({
      odds: null,
      reason: "Odds need 120 bars, there are 100",
    });
  });
});
