import type { EquityChart } from "../../src/charts/equity.text.ts";

/** Six days of an account of 1,000: up to 1,100, down to 800, up to 1,250. */
export const runPicture = (over: Partial<EquityChart> = {}): EquityChart => ({
  title: "AAPL 1d sma_cross",
  bars: over.time?.length ?? 6,
  time: Float64Array.from({ length: 6 }, (_, i) => Date.UTC(2026, 0, 5 + i)),
  equity: Float64Array.of(1_000, 1_100, 800, 1_000, 1_250, 1_200),
  benchmark: Float64Array.of(1_000, 1_100, 1_050, 1_000, 975, 950),
  trades: [
    { time: Date.UTC(2026, 0, 7), side: "LONG", profit: -200 },
    { time: Date.UTC(2026, 0, 9), side: "LONG", profit: 400 },
  ],
  cash: 1_000,
  currency: "USD",
  source: "fixture",
  asOf: "2026-01-10T21:00:00.000Z",
  simulated: null,
  summary: "Sharpe 0.50, 2 trades",
  ...over,
});
