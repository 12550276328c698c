import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Chart, chartSvg } from "../../src/charts/chart.ts";
import type { Bars } from "../../src/domain/market/bars.ts";
import type { PlanOdds, RangeBand } from "../../src/domain/odds/odds.ts";
import { climbingBars } from "../support/market.ts";
import { barsAround, syntheticBars } from "../support/synthetic-bars.ts";
import { expectWithinPicture, textsIn } from "./svg-content.ts";

const band = (bars: number, [p5, p10, p25, p50, p75, p90, p95]: readonly number[]): RangeBand => ({
  bars,
  p5: p5!,
  p10: p10!,
  p25: p25!,
  p50: p50!,
  p75: p75!,
  p90: p90!,
  p95: p95!,
});
const BANDS = [band(1, [134, 135, 136, 137, 138, 140, 142]), band(20, [120, 125, 130, 138, 146, 150, 160])];
const ODDS: PlanOdds = {
  version: "odds-1.0.0",
  bars: 20,
  from: 137.375,
  stop_first: 0.3,
  target_first: 0.45,
  neither: 0.25,
  base: { stop_first: 0.33, target_first: 0.4, neither: 0.27, windows: 480 },
};

const chart = (over: Partial<Chart> = {}): Chart => ({
  symbol: "AAPL",
  name: "Apple",
  source: "fixture",
  venue: "XTST",
  closedAt: "2026-01-14T21:00:00.000Z",
  bars: climbingBars(),
  shown: 120,
  verdict: "LONG",
  summary: "grade B, score 65.0",
  plan: null,
  range: null,
  odds: null,
  levels: null,
  simulated: null,
  ...over,
});

describe("a chart", () => {
  it("shows the symbol, the period and the time of the last close", () => {
    expect(textsIn(chartSvg(chart()))).toEqual(
      expect.arrayContaining([
        "AAPL 1d",
        "Apple",
        "LONG",
        "grade B, score 65.0",
        "fixture (XTST)  |  adjustment split  |  120 closed bars, 2025-07-31 to 2026-01-14  |  as of 2026-01-14 21:00 UTC",
        "O 137.25  H 137.88  L 136.88  C 137.38",
        "Close 137.38",
        "Volume 1.00K",
      ]),
    );
  });

  it("computes averages from bars before the visible ones as well", () => {
    // The close rises by .125 a bar: an average over n bars lags (n - 1) / 2 steps behind 137.375.
    expect(textsIn(chartSvg(chart())).filter((text) => text.startsWith("SMA"))).toEqual([
      "SMA 20  136.19",
      "SMA 50  134.31",
      "SMA 200  124.94",
    ]);
    const few = chartSvg(chart({ bars: climbingBars({ count: 49 }) }));
    expect(textsIn(few).filter((text) => text.startsWith("SMA"))).toEqual(["SMA 20  104.81"]);
  });

  it("marks simulated prices twice, and real ones never", () => {
    const marks = (simulated: string | null) =>
      textsIn(chartSvg(chart({ simulated }))).filter((text) => text.includes("SAMPLE"));
    expect(marks("SAMPLE (simulated)")).toEqual(["SAMPLE (simulated)", "SAMPLE (simulated)"]);
    expect(marks(null)).toEqual([]);
  });

  it("labels watch levels with their side", () => {
    const entry = { low: 136, high: 138 };
    const plan = { side: "SHORT", basis: "watch", entry, stop: 140, targets: [130] } as const;
    expect(textsIn(chartSvg(chart({ plan, verdict: "WAIT" })))).toContain(
      "grade B, score 65.0; levels for watching only, SHORT side",
    );
  });

  it("draws the range on the time axis of the bars, from the last close", () => {
    const svg = chartSvg(chart({ range: BANDS, shown: 40 }));
    // 40 bars and 20 more share the width from 68 to 1063 (a tag of 12 letters): 995 / 60 pixels each
    const left = 20 + 40 + 8;
    const right = 1200 - 20 - (Math.ceil(12 * 12 * (1233 / 2048)) + 14) - 16;
    const slot = (right - left) / 60;
    const xOf = (bar: number) => Math.floor(left + (bar + 0.5) * slot) + 0.5;
    const [start, next, end] = [xOf(39), xOf(40), xOf(59)];
    expect([right, slot, start, next, end]).toEqual([1063, 995 / 60, 723.5, 739.5, 1054.5]);
    // prices from 120 to 160, 4% more at each end, on the 418 pixels from 102 to 520
    const y = (price: number) => Math.round(100 * (520 - ((price - 118.4) * 418) / 43.2)) / 100;
    const [widest, , narrowest, median] = [
      ...svg.matchAll(/<path d="([^"]*)" fill="#3d4f7c"|<path d="([^"]*)" fill="none" stroke="#3d4f7c"/g),
    ].map(([, area, line]) => area ?? line);
    expect(widest).toBe(
      `M${start} ${y(137.375)}L${next} ${y(142)}L${end} ${y(160)}L${end} ${y(120)}L${next} ${y(134)}z`,
    );
    expect(narrowest).toBe(
      `M${start} ${y(137.375)}L${next} ${y(138)}L${end} ${y(146)}L${end} ${y(130)}L${next} ${y(136)}z`,
    );
    expect(median).toBe(`M${start} ${y(137.375)}L${next} ${y(137)}L${end} ${y(138)}`);
    expect(textsIn(svg)).toEqual(
      expect.arrayContaining([
        "20 bars ahead",
        "Range of the close over 20 bars, of 100 cases:",
        "50",
        "80",
        "90",
        "median",
      ]),
    );
  });

  it("has room for the label of the bars ahead, however narrow they are", () => {
    for (const [bars, shown] of [
      [climbingBars(), 250],
      [climbingBars(), 20],
      [barsAround([10, 11]), 2],
    ] as const) {
      const svg = chartSvg(chart({ bars, shown, range: BANDS }));
      const label = /<text x="([\d.]+)" y="652"[^>]*>20 bars ahead</.exec(svg)!;
      const half = (13 * 12 * (1233 / 2048)) / 2;
      const dates = [...svg.matchAll(/<text x="([\d.]+)" y="652"[^>]*>([^<]*)</g)].slice(0, -1);
      expect(dates.length).toBeGreaterThan(0);
      expect(Number(label[1]) + half).toBeLessThan(1180);
      for (const [, x, text] of dates)
        expect(Number(x) + (text!.length * 12 * (1233 / 2048)) / 2).toBeLessThan(Number(label[1]) - half);
    }
  });

  it("draws the odds above the prices, in two lines if one is too long", () => {
    const drawn = (odds: PlanOdds | null) => chartSvg(chart({ odds }));
    const paneTop = (svg: string) => /<clipPath id="pane"><rect x="68" y="(\d+)"/.exec(svg)![1];
    const short = drawn({ ...ODDS, base: null });
    const outcomes = "Odds: stop first in 30 of 100 cases, target 1 in 45, neither within 20 bars in 25";
    expect(textsIn(short)).toContain(outcomes);
    expect(textsIn(drawn(ODDS))).toEqual(
      expect.arrayContaining([
        outcomes,
        "(any close of this symbol: stop 33, target 40, neither 27; 480 past windows)",
      ]),
    );
    const rare = { stop_first: 0, target_first: 0, neither: 1 };
    const long = drawn({ ...ODDS, ...rare, base: { ...rare, windows: 480 } });
    expect(textsIn(long)).toEqual(
      expect.arrayContaining([
        "Odds: stop first in less than 1 of 100 cases, target 1 in less than 1, neither within 20 bars in more than 99",
        "(any close of this symbol: stop less than 1, target less than 1, neither more than 99; 480 past windows)",
      ]),
    );
    expect([drawn(null), short, long].map(paneTop)).toEqual(["102", "120", "138"]);
  });

  it("draws no bar in progress: the last bar is the last one given", () => {
    const svg = chartSvg(chart({ bars: barsAround([1, 2]), shown: 5 }));
    expect(textsIn(svg).join()).toContain("2 closed bars, 2020-01-01 to 2020-01-02");
  });

  it("escapes names and truncates those that are too long for the line", () => {
    const named = textsIn(chartSvg(chart({ name: `<script>&"${"x".repeat(200)}` }))).find((text) =>
      text.startsWith("&lt;"),
    )!;
    expect(named).toMatch(/^&lt;script&gt;&amp;&quot;x+…$/);
    // 808 pixels are left between the symbol and the grade, at 9.03 per letter.
    expect(named.replace(/&\w+;/g, "&")).toHaveLength(89);
  });

  it.each([
    ["two bars", barsAround([10, 11])],
    ["one bar", barsAround([10])],
    [
      "flat prices without volume",
      barsAround(Array<number>(60).fill(5), { volume: Array<number>(60).fill(0) }),
    ],
    ["prices of 700,000", barsAround([699_000, 700_000, 701_500])],
    ["prices of a millionth", barsAround([0.00000123, 0.00000125, 0.00000122])],
    ["bars of nothing", barsAround([0, 0, 0])],
  ])("copes with %s", (_, bars) => {
    expectWithinPicture(chartSvg(chart({ bars })));
  });

  it("throws without bars to show", () => {
    expect(() => chartSvg(chart({ bars: barsAround([]) }))).toThrow(RangeError);
    expect(() => chartSvg(chart({ shown: 0 }))).toThrow(RangeError);
  });

  it("stays inside the picture with finite numbers for any bars and any plan", () => {
    const price = fc.oneof(
      fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      fc.constantFrom(0.00000123, 1, 100, 700_000),
    );
    const bar = fc.record({ a: price, b: price, c: price, d: price, volume: fc.nat() });
    const plan = fc.record({
      side: fc.constantFrom("LONG" as const, "SHORT" as const),
      basis: fc.constant("signal" as const),
      entry: price.map((low) => ({ low, high: low * 1.01 })),
      stop: price,
      targets: fc.array(price, { minLength: 1, maxLength: 3 }),
    });
    const rowsOf = fc.array(bar, { minLength: 1, maxLength: 60 });
    const range = fc.array(price, { minLength: 7, maxLength: 7 }).map((prices) => [
      band(
        20,
        prices.toSorted((a, b) => a - b),
      ),
    ]);
    fc.assert(
      fc.property(rowsOf, fc.option(plan), fc.option(range), (rows, levels, ahead) => {
        const column = (of: (row: (typeof rows)[0]) => number) => Float64Array.from(rows, of);
        const bars: Bars = {
          ...barsAround(rows.map(({ b }) => b)),
          open: column(({ a }) => a),
          high: column(({ a, b, c, d }) => Math.max(a, b, c, d)),
          low: column(({ a, b, c, d }) => Math.min(a, b, c, d)),
          volume: column(({ volume }) => volume),
        };
        expectWithinPicture(chartSvg(chart({ bars, plan: levels, range: ahead, odds: levels && ODDS })));
      }),
      { numRuns: 60 },
    );
  });

  it("is identical for the same bars", () => {
    const same = () => chartSvg(chart({ bars: syntheticBars(3, 200) }));
    expect(same()).toBe(same());
  });
});
