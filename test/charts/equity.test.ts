import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EquityChart } from "../../src/charts/equity.text.ts";
import { equitySvg } from "../../src/charts/equity.ts";
import { runPicture } from "./run-picture.ts";
import { expectWithinPicture, textsIn } from "./svg-content.ts";

const texts = (over: Partial<EquityChart> = {}) => textsIn(equitySvg(runPicture(over)));

describe("the chart of a backtest", () => {
  it("shows the symbol, strategy, provider, period and results", () => {
    expect(texts()).toEqual(
      expect.arrayContaining([
        "AAPL 1d sma_cross",
        "Sharpe 0.50, 2 trades",
        "fixture  |  6 bars, 2026-01-05 to 2026-01-10  |  USD  |  as of 2026-01-10 21:00 UTC",
        "Equity +20.0%",
        "1,200.00",
        "Buy &amp; hold -5.0%",
        "950.00",
        "Start 1,000.00",
        "Highest 1,250.00",
        "2026-01-09",
        "Lowest 800.00",
        "2026-01-07",
        "Drawdown: deepest -27.3% on 2026-01-07, at the end -4.0%; buy &amp; hold deepest -13.6%",
        "Closed trades: 2, profitable: 1. Each bar is the profit or loss of one trade after costs",
      ]),
    );
  });

  it("omits the benchmark, trades and extremes that do not exist", () => {
    const bare = texts({ benchmark: null, trades: [], summary: "" }).join("\n");
    expect(bare).not.toContain("hold");
    expect(bare).toContain("No closed trades");
    const flat = Float64Array.from({ length: 6 }, () => 1_000);
    expect(texts({ equity: flat, benchmark: null })).toContain("Drawdown: never below its peak");
    expect(texts({ equity: flat }).join()).not.toMatch(/Highest|Lowest/);
  });

  it("labels its scale", () => {
    expect(texts()).toContain("USD");
    expect(texts({ equity: Float64Array.of(1_000, 2_000, 3_000, 4_000, 5_000, 6_000) })).toContain(
      "USD, log scale",
    );
  });

  it("labels intraday bars to the minute", () => {
    const time = Float64Array.from({ length: 6 }, (_, i) => Date.UTC(2026, 0, 5, 4 * i));
    const shown = texts({ time });
    expect(shown).toContain("UTC");
    expect(shown.join()).toContain("6 bars, 2026-01-05 00:00 UTC to 2026-01-05 20:00 UTC");
  });

  it("labels simulated prices twice, and real prices never", () => {
    const marks = (simulated: string | null) =>
      texts({ simulated }).filter((text) => text.includes("SAMPLE"));
    expect(marks("SAMPLE (simulated)")).toEqual(["SAMPLE (simulated)", "SAMPLE (simulated)"]);
    expect(marks(null)).toEqual([]);
  });

  it("escapes external text and truncates long text", () => {
    const shown = texts({ title: `<script>"${"x".repeat(200)}`, source: "<b>", summary: "&".repeat(300) });
    expect(shown.find((text) => text.startsWith("&lt;script&gt;&quot;x"))).toMatch(/x…$/);
    expect(shown.join()).toContain("&lt;b&gt;  |");
    expect(shown.join()).not.toMatch(/<(script|b)>/);
  });

  it("throws without any values", () => {
    const none = new Float64Array();
    expect(() => equitySvg(runPicture({ time: none, equity: none, benchmark: null }))).toThrow(RangeError);
  });

  it("has only finite coordinates inside the chart for any backtest", () => {
    const worth = fc.oneof(fc.double({ min: -1e6, max: 1e12, noNaN: true }), fc.constantFrom(0, 1, 10_000));
    const row = fc.record({
      own: worth,
      held: worth,
      profit: fc.double({ min: -1e9, max: 1e9, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), fc.boolean(), (rows, isHeld) => {
        const svg = equitySvg(
          runPicture({
            time: Float64Array.from(rows, (_, i) => Date.UTC(2026, 0, 5 + i)),
            equity: Float64Array.from(rows, ({ own }) => own),
            benchmark: isHeld ? Float64Array.from(rows, ({ held }) => held) : null,
            trades: rows.map(({ profit }, i) => ({ time: Date.UTC(2026, 0, 5 + i), side: "SHORT", profit })),
          }),
        );
        expectWithinPicture(svg);
      }),
      { numRuns: 60 },
    );
  });

  it("stays small for many bars", () => {
    const time = Float64Array.from({ length: 50_000 }, (_, i) => Date.UTC(2020, 0, 1, i));
    const equity = time.map((_, i) => 1_000 + 100 * Math.sin(i / 3) + i);
    expect(equitySvg(runPicture({ time, equity, benchmark: equity, trades: [] })).length).toBeLessThan(
      400_000,
    );
  });
});
