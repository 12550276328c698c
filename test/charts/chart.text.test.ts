import { describe, expect, it } from "vitest";
import { chartAltText, oddsLines, startText } from "../../src/charts/chart.text.ts";
import { barsAround } from "../support/synthetic-bars.ts";

const bars = barsAround([10, 12, 11], { high: [10, 13, 11], low: [9, 12, 11] });
const shown = {
  symbol: "AAPL",
  bars,
  verdict: null,
  plan: null,
  odds: null,
  range: null,
  isSimulated: false,
} as const;
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
      /\. WAIT, levels for watching only, SHORT side: entry 10\.90 to 11\.10, stop 12\.00, targets 10\.00, 9\.00\.$/,
    );
    expect(chartAltText({ ...shown, verdict: "SHORT", plan: { ...plan, basis: "signal" } })).toMatch(
      /\. SHORT: entry 10\.90/,
    );
  });

  it("describes the odds and the range in one line", () => {
    const odds = {
      version: "odds-1.0.0",
      bars: 20,
      from: 11,
      stop_first: 0.3,
      target_first: 0.45,
      neither: 0.25,
      base: null,
    };
    const range = [{ bars: 20, p5: 8.5, p10: 9, p25: 10, p50: 11, p75: 12, p90: 13, p95: 14.25 }];
    const text = chartAltText({ ...shown, odds, range });
    expect(text).toMatch(
      / Odds: stop first in 30 of 100 cases, target 1 in 45, neither within 20 bars in 25\. In 90 of 100 cases the close after 20 bars is 8\.50 to 14\.25\.$/,
    );
    expect(text).not.toContain("\n");
  });

  it("gives a line on odds of up to 145 characters, and their base a line of its own in a longer one", () => {
    // 5 + 100 + 1 + 38 + 1 characters
    const odds = { text: "x".repeat(100), base: `(${"y".repeat(36)})` };
    expect(oddsLines(odds, { start: "Odds:", end: "." })).toEqual([`Odds:${odds.text} ${odds.base}.`]);
    expect(oddsLines(odds, { start: "Odds: ", end: "." })).toEqual([`Odds: ${odds.text}`, `${odds.base}.`]);
    const bare = { text: "x".repeat(200), base: null };
    expect(oddsLines(bare, { end: "." })).toEqual([`${bare.text}.`]);
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
