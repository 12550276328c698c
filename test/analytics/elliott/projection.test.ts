import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../src/analytics/elliott/candidates.ts";
import { closeness, extensions, logLength, retracements } from "../../../src/analytics/elliott/fibonacci.ts";
import { invalidationOf, targetsOf } from "../../../src/analytics/elliott/projection.ts";

const rows = (levels: readonly { readonly ratio: number; readonly price: number }[]) =>
  levels.map(({ ratio, price }) => [ratio, Math.round(price * 1000) / 1000]);

describe("Fibonacci levels", () => {
  it("retrace part of a move, up and down", () => {
    expect(rows(retracements(100, 200))).toEqual([
      [0.236, 176.4],
      [0.382, 161.8],
      [0.5, 150],
      [0.618, 138.2],
      [0.786, 121.4],
    ]);
    expect(rows(retracements(200, 100)).at(1)).toEqual([0.382, 138.2]);
  });

  it("project a move from another price, up and down", () => {
    expect(rows(extensions(100, 200, 150))).toEqual([
      [0.618, 211.8],
      [1, 250],
      [1.618, 311.8],
      [2.618, 411.8],
      [4.236, 573.6],
    ]);
    expect(rows(extensions(200, 100, 150)).at(0)).toEqual([0.618, 88.2]);
  });

  it("use log lengths, independent of the price level", () => {
    expect(logLength(100, 200)).toBeCloseTo(Math.LN2, 12);
    expect(logLength(50, 25)).toBeCloseTo(Math.LN2, 12);
  });
});

describe("proximity to a band", () => {
  it("is 1 inside the band and falls to 0 at 1.618 times beyond either edge", () => {
    expect([0.5, 0.55, 0.618].map((ratio) => closeness(ratio, 0.5, 0.618))).toEqual([1, 1, 1]);
    expect(closeness(0.618 * Math.sqrt(1.618), 0.5, 0.618)).toBeCloseTo(0.5, 12);
    expect(closeness(0.5 / Math.sqrt(1.618), 0.5, 0.618)).toBeCloseTo(0.5, 12);
    expect(closeness(1.01, 0.5, 0.618)).toBe(0);
    expect(closeness(0.3, 0.5, 0.618)).toBe(0);
  });
});

/** A count with pivots at the given prices. */
const count = (wave: Candidate["wave"], bound: number | null, ...prices: number[]): Candidate => ({
  pattern: wave === "C" ? "zigzag" : "impulse",
  direction: prices[1]! > prices[0]! ? "up" : "down",
  wave,
  complete: prices.length === 6,
  path: prices.map((price, i) => ({
    kind: (i % 2 === 0) === prices[1]! > prices[0]! ? "low" : "high",
    index: 10 * i,
    price,
    confirmedAt: 10 * i + 5,
  })),
  waves: prices.length - 1,
  bound,
  score: 1,
  clearance: 1,
  violated: [],
  fault: null,
});
const ahead = (candidate: Candidate, reached: number) =>
  targetsOf(candidate, { up: reached > candidate.path.at(-1)!.price, reached, adverse: Number.NaN }).map(
    ({ ratio, price }) => [ratio, Math.round(price * 100) / 100],
  );

describe("targets of waves", () => {
  it("project wave 1 from the end of wave 2, beyond the price already reached", () => {
    const third = count("3", null, 100, 150, 120);
    expect(ahead(third, 155)).toEqual([
      [1, 170],
      [1.618, 200.9],
      [2.618, 250.9],
      [4.236, 331.8],
    ]);
    expect(ahead(third, 170)[0]).toEqual([1.618, 200.9]);
    expect(ahead(third, 332)).toEqual([]);
  });

  it("retrace part of wave 3, short of the end of wave 1", () => {
    expect(ahead(count("4", 150, 100, 150, 120, 200), 190)).toEqual([
      [0.236, 181.12],
      [0.382, 169.44],
      [0.5, 160],
      [0.618, 150.56],
    ]);
  });

  it("project wave 1 from the end of wave 4, limiting wave 5 to less than wave 3 if required", () => {
    expect(ahead(count("5", null, 100, 150, 120, 200, 170), 175)[0]).toEqual([0.618, 200.9]);
    expect(ahead(count("5", 196, 100, 150, 110, 154, 152), 160)).toEqual([[0.618, 182.9]]);
  });

  it("retrace part of a complete impulse", () => {
    expect(ahead(count("5", 100, 100, 150, 120, 200, 170, 220), 190)[0]).toEqual([0.382, 174.16]);
  });

  it("project wave A from the end of B, also down, but not beyond the bound or below 0", () => {
    expect(ahead(count("C", 100, 200, 160, 180), 170)).toEqual([
      [1, 140],
      [1.618, 115.28],
    ]);
    expect(ahead(count("3", null, 200, 120, 150), 110)).toEqual([
      [1, 70],
      [1.618, 20.56],
    ]);
  });
});

describe("invalidation", () => {
  it("is the end of wave 1 for wave 4, otherwise the start of the current leg", () => {
    expect(invalidationOf(count("3", null, 100, 150, 120))).toBe(120);
    expect(invalidationOf(count("4", 150, 100, 150, 120, 200))).toBe(150);
    expect(invalidationOf(count("5", null, 100, 150, 120, 200, 170))).toBe(170);
    expect(invalidationOf(count("5", 100, 100, 150, 120, 200, 170, 220))).toBe(220);
    expect(invalidationOf(count("C", 100, 200, 160, 180))).toBe(180);
  });
});
