import { describe, expect, it } from "vitest";
import { firstTarget } from "../../../src/analytics/levels/targets.ts";
import type { Pivot } from "../../../src/analytics/levels/zigzag.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const LENGTH = 300;
const market = barsAround(new Array(LENGTH).fill(100));
const pivot = (kind: Pivot["kind"], price: number, index = 200): Pivot => ({
  kind,
  price,
  index,
  confirmedAt: index + 3,
});
const long = (...pivots: Pivot[]) => firstTarget("LONG", market, 1, 100.25, pivots);
const short = (...pivots: Pivot[]) => firstTarget("SHORT", market, 1, 99.75, pivots);

describe("firstTarget", () => {
  it("is the nearest swing at least one range beyond the far edge of the zone", () => {
    expect(long(pivot("high", 108), pivot("high", 103), pivot("high", 101))).toEqual({
      price: 103,
      basis: "pivot",
    });
    expect(long(pivot("high", 101.25))).toEqual({ price: 101.25, basis: "pivot" });
    expect(long(pivot("high", 101.24))).toEqual({ price: 104.25, basis: "reach" });
    expect(short(pivot("low", 92), pivot("low", 97))).toEqual({ price: 97, basis: "pivot" });
    expect(short(pivot("low", 98.75))).toEqual({ price: 98.75, basis: "pivot" });
  });

  it("is four ranges beyond the far edge of the zone without a swing", () => {
    expect(long()).toEqual({ price: 104.25, basis: "reach" });
    expect(short()).toEqual({ price: 95.75, basis: "reach" });
    expect(long(pivot("low", 103))).toEqual({ price: 104.25, basis: "reach" });
  });

  it("is four ranges away where the nearest swing lies more than ten away", () => {
    expect(long(pivot("high", 110.25))).toEqual({ price: 110.25, basis: "pivot" });
    expect(long(pivot("high", 110.26))).toEqual({ price: 104.25, basis: "reach" });
    expect(short(pivot("low", 89.74))).toEqual({ price: 95.75, basis: "reach" });
  });

  it("ignores a swing older than 252 bars", () => {
    expect(long(pivot("high", 103, LENGTH - 252)).basis).toBe("pivot");
    expect(long(pivot("high", 103, LENGTH - 253)).basis).toBe("reach");
  });

  it("ignores a swing that a later close exceeded, but not one that was touched or exceeded earlier", () => {
    const closing = (price: number, at: number) =>
      barsAround(Array.from({ length: LENGTH }, (_, i) => (i === at ? price : 100)));
    const pivots = [pivot("high", 103, 200)];
    const basis = (price: number, at: number) =>
      firstTarget("LONG", closing(price, at), 1, 100.25, pivots).basis;
    expect(basis(103.01, 201)).toBe("reach");
    expect(basis(103, 250)).toBe("pivot");
    expect(basis(110, 199)).toBe("pivot");
    expect(firstTarget("SHORT", closing(96.9, 250), 1, 99.75, [pivot("low", 97)]).basis).toBe("reach");
    expect(firstTarget("SHORT", closing(97, 250), 1, 99.75, [pivot("low", 97)]).basis).toBe("pivot");
  });

  it("compares each swing only with closes after its own bar", () => {
    const bars = barsAround(Array.from({ length: LENGTH }, (_, i) => (i === 220 ? 105 : 100)));
    const pivots = [pivot("high", 103, 200), pivot("low", 95, 210), pivot("high", 104, 240)];
    expect(firstTarget("LONG", bars, 1, 100.25, pivots)).toEqual({ price: 104, basis: "pivot" });
  });
});
