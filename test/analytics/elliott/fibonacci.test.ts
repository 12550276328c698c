import { describe, expect, it } from "vitest";
import { closeness, extensions, logLength, retracements } from "../../../src/analytics/elliott/fibonacci.ts";

const rows = (levels: readonly { readonly ratio: number; readonly price: number }[]) =>
  levels.map(({ ratio, price }) => [ratio, Math.round(price * 1000) / 1000]);

describe("Fibonacci levels", () => {
  it("give back part of a move, up and down", () => {
    expect(rows(retracements(100, 200))).toEqual([
      [0.236, 176.4],
      [0.382, 161.8],
      [0.5, 150],
      [0.618, 138.2],
      [0.786, 121.4],
    ]);
    expect(rows(retracements(200, 100)).at(1)).toEqual([0.382, 138.2]);
  });

  it("repeat a move from another price, up and down", () => {
    expect(rows(extensions(100, 200, 150))).toEqual([
      [0.618, 211.8],
      [1, 250],
      [1.618, 311.8],
      [2.618, 411.8],
      [4.236, 573.6],
    ]);
    expect(rows(extensions(200, 100, 150)).at(0)).toEqual([0.618, 88.2]);
  });

  it("measure log lengths alike at any price", () => {
    expect(logLength(100, 200)).toBeCloseTo(Math.LN2, 12);
    expect(logLength(50, 25)).toBeCloseTo(Math.LN2, 12);
  });
});

describe("closeness to a band", () => {
  it("is 1 inside it and falls to 0 at 1.618 times beyond either edge", () => {
    expect([0.5, 0.55, 0.618].map((ratio) => closeness(ratio, 0.5, 0.618))).toEqual([1, 1, 1]);
    expect(closeness(0.618 * Math.sqrt(1.618), 0.5, 0.618)).toBeCloseTo(0.5, 12);
    expect(closeness(0.5 / Math.sqrt(1.618), 0.5, 0.618)).toBeCloseTo(0.5, 12);
    expect(closeness(1.01, 0.5, 0.618)).toBe(0);
    expect(closeness(0.3, 0.5, 0.618)).toBe(0);
  });
});
