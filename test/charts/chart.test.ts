import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Chart, chartSvg } from "../../src/charts/chart.ts";
import type { Bars } from "../../src/domain/market/bars.ts";
import { climbingBars } from "../support/market.ts";
import { barsAround, syntheticBars } from "../support/synthetic-bars.ts";
import { expectWithinPicture, textsIn } from "./svg-content.ts";

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
    fc.assert(
      fc.property(fc.array(bar, { minLength: 1, maxLength: 60 }), fc.option(plan), (rows, levels) => {
        const column = (of: (row: (typeof rows)[0]) => number) => Float64Array.from(rows, of);
        const bars: Bars = {
          ...barsAround(rows.map(({ b }) => b)),
          open: column(({ a }) => a),
          high: column(({ a, b, c, d }) => Math.max(a, b, c, d)),
          low: column(({ a, b, c, d }) => Math.min(a, b, c, d)),
          volume: column(({ volume }) => volume),
        };
        expectWithinPicture(chartSvg(chart({ bars, plan: levels })));
      }),
      { numRuns: 60 },
    );
  });

  it("is identical for the same bars", () => {
    const same = () => chartSvg(chart({ bars: syntheticBars(3, 200) }));
    expect(same()).toBe(same());
  });
});
