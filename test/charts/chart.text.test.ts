import { describe, expect, it } from "vitest";
import { chartAltText, startText } from "../../src/charts/chart.text.ts";
import { barsAround } from "../support/synthetic-bars.ts";

const bars = barsAround([10, 12, 11], { high: [10, 13, 11], low: [9, 12, 11] });
const shown = { symbol: "AAPL", bars, verdict: null, plan: null, isSimulated: false } as const;
const plan = {
  side: "SHORT",
  basis: "watch",
  entry: { low: 10.9, high: 11.1 },
  stop: 12,
  targets: [10, 9],
} as const;

describe("the text of a chart", () => {
  it("describes what is shown and what is missing", () => {
    expect(chartAltText(shown)).toBe(
      "AAPL 1d candlestick chart: 3 closed bars from 2020-01-01 to 2020-01-03, low 9.00, high 13.00, last close 11.00 (+10.0% since the first). No levels are shown.",
    );
  });

  it("describes levels by their purpose", () => {
    expect(chartAltText({ ...shown, verdict: "WAIT", plan })).toMatch(
      /\. WAIT, levels of the SHORT side for watching only: entry 10\.90 to 11\.10, stop 12\.00, targets 10\.00, 9\.00\.$/,
    );
    expect(chartAltText({ ...shown, verdict: "SHORT", plan: { ...plan, basis: "signal" } })).toMatch(
      /\. SHORT: entry 10\.90/,
    );
  });

  it("states that prices are simulated", () => {
    expect(chartAltText({ ...shown, isSimulated: true })).toMatch(
      /^AAPL 1d candlestick chart of simulated prices:/,
    );
  });

  it("labels a daily bar by its date and a shorter bar to the minute", () => {
    const time = Date.UTC(2026, 0, 14, 8);
    expect(startText(time, { timeframe: "4h" })).toBe("2026-01-14 08:00 UTC");
    expect(startText(time, { timeframe: "1d" })).toBe("2026-01-14");
  });
});
