import { describe, expect, it } from "vitest";
import type { PatternId } from "../../src/analytics/patterns/definitions.ts";
import { findPatterns } from "../../src/analytics/patterns/patterns.ts";
import { type Bars, sliceBars } from "../../src/domain/market/bars.ts";
import { barsAround } from "./synthetic-bars.ts";

export type Row = readonly [open: number, high: number, low: number, close: number];

/** Daily bars of the given rows. */
export const barsOf = (rows: readonly Row[]): Bars => ({
  ...barsAround(
    rows.map((row) => row[3]),
    { high: rows.map((row) => row[1]), low: rows.map((row) => row[2]) },
  ),
  open: Float64Array.from(rows, (row) => row[0]),
});

/**
 * Closes half a dollar inside their bars, each bar opening at the previous close: the average true range is exactly 1.
 */
export const rowsThrough = (closes: readonly number[]): Row[] =>
  closes.map((close, i) => [closes[i - 1] ?? close, close + 0.5, close - 0.5, close]);

/** 40 closes a quarter apart; the last is 110. */
const DECLINE = rowsThrough(Array.from({ length: 40 }, (_, i) => 110 + 0.25 * (39 - i)));
export const declining = (...rows: readonly Row[]) => barsOf([...DECLINE, ...rows]);

/** Straight legs of half a dollar per bar through the given closes. */
export function legs(...turns: readonly number[]): Bars {
  const closes = [turns[0]!];
  for (const turn of turns.slice(1))
    while (closes.at(-1) !== turn) closes.push(closes.at(-1)! + 0.5 * Math.sign(turn - closes.at(-1)!));
  return barsOf(rowsThrough(closes));
}

/** The bars mirrored vertically. */
export const mirrored = (bars: Bars, around = 1024): Bars => ({
  ...bars,
  open: bars.open.map((price) => around - price),
  high: bars.low.map((price) => around - price),
  low: bars.high.map((price) => around - price),
  close: bars.close.map((price) => around - price),
});
export const ids = (bars: Bars): PatternId[] => findPatterns(bars).map(({ id }) => id);

export const MIRROR: Readonly<Partial<Record<PatternId, PatternId>>> = {
  hammer: "shooting_star",
  bullish_engulfing: "bearish_engulfing",
  piercing_line: "dark_cloud_cover",
  morning_star: "evening_star",
  three_white_soldiers: "three_black_crows",
  channel_breakout: "channel_breakdown",
  bull_flag: "bear_flag",
  double_bottom: "double_top",
  inverse_head_and_shoulders: "head_and_shoulders",
  ascending_triangle: "descending_triangle",
};

export interface Case {
  readonly id: PatternId;
  readonly has: Bars;
  /** Start, confirmation bar, level, void price. */
  readonly found: readonly [number, number, number | null, number | null];
  readonly misses: Readonly<Record<string, Bars>>;
}
/** Tests each pattern on its case, its mirror on the mirrored case, and both on near misses. */
export function patternCases(cases: readonly Case[]): void {
  describe.each(cases)("the pattern $id", ({ id, has, found, misses }) => {
    const [from, confirmedAt, level, voidPrice] = found;

    it("is found in its bars, and its mirror in the mirrored bars", () => {
      expect(findPatterns(has).filter((one) => one.id === id)).toEqual([
        { id, from, confirmedAt, level, voidPrice, voidAt: null },
      ]);
      const upside = (price: number | null) => (price === null ? null : 1024 - price);
      expect(findPatterns(mirrored(has)).filter((one) => one.id === (MIRROR[id] ?? id))).toEqual([
        {
          id: MIRROR[id] ?? id,
          from,
          confirmedAt,
          level: upside(level),
          voidPrice: upside(voidPrice),
          voidAt: null,
        },
      ]);
    });

    it("is not found one bar before its confirmation", () => {
      expect(ids(sliceBars(has, 0, confirmedAt))).not.toContain(id);
    });

    it.each(Object.entries(misses))("is not found with %s", (_, bars) => {
      expect(ids(bars)).not.toContain(id);
      expect(ids(mirrored(bars))).not.toContain(MIRROR[id] ?? id);
    });
  });
}
