import { describe, expect, it } from "vitest";
import { contextOf, type Range, tradingRange } from "../../../src/analytics/wyckoff/range.ts";
import { type View, viewsOf } from "../../../src/analytics/wyckoff/view.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";
import { around, BASE, steps, tapeOf } from "../../support/wyckoff-tape.ts";

const view = (rows: Parameters<typeof tapeOf>[0]): View => viewsOf(tapeOf(rows))[0];

/** The same definition tried window by window, with the regression line from its textbook sums. */
function oracle({ high, low, close, atr }: View, end: number): Range | null {
  const a = atr[end]!;
  for (let w = 90; w >= 20; w--) {
    const first = end - w + 1;
    if (first < 0) continue;
    const bars = Array.from({ length: w }, (_, i) => first + i);
    const top = Math.max(...bars.map((bar) => high[bar]!));
    const bottom = Math.min(...bars.map((bar) => low[bar]!));
    const height = top - bottom;
    if (!(height >= 3 * a && height <= 9 * a)) continue;
    const apart = (touches: number[]) => touches.at(-1)! - touches[0]! >= 4;
    if (!apart(bars.filter((bar) => high[bar]! >= top - 0.5 * a))) continue;
    if (!apart(bars.filter((bar) => low[bar]! <= bottom + 0.5 * a))) continue;
    const meanX = (w - 1) / 2;
    const meanY = bars.reduce((sum, bar) => sum + close[bar]!, 0) / w;
    const xy = bars.reduce((sum, bar, i) => sum + (i - meanX) * (close[bar]! - meanY), 0);
    const xx = bars.reduce((sum, _, i) => sum + (i - meanX) ** 2, 0);
    if (Math.abs((xy / xx) * w) <= 0.5 * height) return { low: bottom, high: top, first, last: end };
  }
  return null;
}

describe("trading range", () => {
  it("uses the longest valid window", () => {
    expect(tradingRange(view(BASE), 108)).toEqual({ low: 100, high: 122, first: 51, last: 108 });
  });

  it("is null in a steady decline, during warm-up and without movement", () => {
    expect(tradingRange(view(BASE), 60)).toBeNull();
    expect(tradingRange(view(BASE), 10)).toBeNull();
    expect(tradingRange(viewsOf(barsAround(Array(100).fill(50)))[0], 99)).toBeNull();
  });

  it("needs two touches per side at least 4 bars apart", () => {
    // Closes 100 to 118 and back once: highs within 2 of the top of 120 lie 2 bars apart.
    const once = [...Array(20).fill(around(100)), ...steps(102, 118), ...steps(116, 100)];
    expect(tradingRange(view(once), once.length - 1)).toBeNull();
    const twice = [...once, ...steps(102, 118), ...steps(116, 100)];
    expect(tradingRange(view(twice), twice.length - 1)).toMatchObject({ low: 98, high: 120, last: 55 });
  });

  it("matches a search over every window", () => {
    let found = 0;
    for (const seed of [1, 2, 3]) {
      for (const side of viewsOf(syntheticBars(seed, 300)))
        for (let end = 0; end < 300; end += 3) {
          const range = tradingRange(side, end);
          expect(range).toEqual(oracle(side, end));
          if (range !== null) found++;
        }
    }
    expect(found).toBeGreaterThan(100);
  });

  it("does not depend on later bars", () => {
    const cut = viewsOf(syntheticBars(5, 200))[0];
    for (let end = 40; end < 200; end += 10) {
      const other = viewsOf(syntheticBars(5, 200))[0];
      for (const column of [other.high, other.low, other.close]) column.fill(1e6, end + 1);
      expect(tradingRange(other, end)).toEqual(tradingRange(cut, end));
    }
  });
});

describe("context of a range", () => {
  it("compares the close 40 bars earlier with three quarters of the range's height", () => {
    const down = view(BASE); // 222 - 2 a bar, so 80 lower after 40 bars
    expect(contextOf(down, 51, 106)).toBe("after_decline");
    expect(contextOf(down, 51, 107)).toBe("none");
    expect(contextOf(viewsOf(tapeOf(BASE))[1], 51, 106)).toBe("after_advance");
  });

  it("is none without 40 earlier bars", () => {
    expect(contextOf(view(BASE), 39, 10)).toBe("none");
    expect(contextOf(view(BASE), 40, 10)).toBe("after_decline");
  });
});
