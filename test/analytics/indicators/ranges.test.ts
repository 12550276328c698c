import { describe, expect, it } from "vitest";
import { adx } from "../../../src/analytics/indicators/adx.ts";
import { aroon } from "../../../src/analytics/indicators/aroon.ts";
import { atr, trueRange } from "../../../src/analytics/indicators/atr.ts";
import { choppiness } from "../../../src/analytics/indicators/choppiness.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("trueRange", () => {
  it("stretches the range to the previous close across a gap", () => {
    const [high, low, close] = [of(10, 12, 9, 9), of(8, 11, 7, 6), of(9, 11, 8, 7)];
    expect(trueRange(high, low, close)).toEqual(of(none, 3, 4, 3));
  });
});

describe("atr", () => {
  it("starts from the mean of the first ranges that know a previous close", () => {
    // true ranges 3, 4, 3: (3 + 4)/2, then half way to 3
    const [high, low, close] = [of(10, 12, 9, 11), of(8, 11, 7, 9), of(9, 11, 8, 10)];
    expect(atr(high, low, close, 2)).toEqual(of(none, none, 3.5, 3.25));
  });
});

describe("adx", () => {
  it("weighs moves up against moves down", () => {
    // +DM 2, 1, 0; -DM 0, 0, 4.5; true ranges 3, 3, 5; DX 100, then 100 * (2.25 - .75)/(2.25 + .75)
    const [high, low, close] = [of(10, 12, 13, 10.5), of(8, 9, 10, 5.5), of(9, 11, 10.5, 8)];
    expect(adx(high, low, close, 2)).toEqual({
      adx: of(none, none, none, 75),
      plus: of(none, none, 50, 18.75),
      minus: of(none, none, 0, 56.25),
    });
  });

  it("counts neither of two equal moves", () => {
    const outside = adx(of(10, 11, 12), of(8, 7, 6), of(9, 9, 9), 1);
    expect([...outside.plus, ...outside.minus].slice(1, 3)).toEqual([0, 0]);
    expect(outside.minus.at(-1)).toBe(0);
  });

  it("reads 0 where nothing moves, and goes on from there", () => {
    const { adx: strength, plus } = adx(of(5, 5, 5, 6), of(5, 5, 5, 5), of(5, 5, 5, 6), 1);
    expect([...strength]).toEqual([none, 0, 0, 100]);
    expect([...plus]).toEqual([none, 0, 0, 100]);
  });
});

describe("choppiness", () => {
  it("reads 100 for bars on the same ground and 0 for a straight line", () => {
    expect(choppiness(of(12, 12, 12), of(10, 10, 10), of(11, 11, 11), 2)).toEqual(of(none, none, 100));
    expect(choppiness(of(10, 12, 14), of(8, 10, 12), of(10, 12, 14), 2)).toEqual(of(none, none, 0));
  });

  it("is unknown where the bars cover no ground", () => {
    const flat = of(5, 5, 5);
    expect(choppiness(flat, flat, flat, 2)[2]).toBeNaN();
  });
});

describe("aroon", () => {
  it("says how recently the extremes were made", () => {
    expect(aroon(of(1, 3, 2, 2, 4), of(1, 0, 1, 1, 1), 2)).toEqual({
      up: of(none, none, 50, 0, 100),
      down: of(none, none, 50, 0, 0),
      oscillator: of(none, none, 0, 0, 100),
    });
  });

  it("counts the oldest of equal extremes", () => {
    expect(aroon(of(5, 5, 5, 4), of(1, 1, 1, 1), 2).up).toEqual(of(none, none, 0, 0));
  });
});
