import { describe, expect, it } from "vitest";
import { adx } from "../../../src/analytics/indicators/adx.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("adx", () => {
  it("weighs upward moves against downward moves", () => {
    // +DM 2, 1, 0; -DM 0, 0, 4.5; true ranges 3, 3, 5; DX 100, then 100 * (2.25 - .75)/(2.25 + .75).
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

  it("is 0 while nothing moves, and recovers afterwards", () => {
    const { adx: strength, plus } = adx(of(5, 5, 5, 6), of(5, 5, 5, 5), of(5, 5, 5, 6), 1);
    expect([...strength]).toEqual([none, 0, 0, 100]);
    expect([...plus]).toEqual([none, 0, 0, 100]);
  });
});
