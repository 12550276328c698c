import { describe, expect, it } from "vitest";
import { equityAltText } from "../../src/charts/equity.text.ts";
import { runPicture } from "./run-picture.ts";

describe("the text of a backtest chart", () => {
  it("describes the chart", () => {
    expect(equityAltText(runPicture())).toBe(
      "Equity of AAPL 1d sma_cross: 6 bars from 2026-01-05 to 2026-01-10, from 1,000.00 USD to 1,200.00 USD (+20.0%), highest 1,250.00 on 2026-01-09, lowest 800.00 on 2026-01-07, deepest drawdown -27.3% on 2026-01-07. Buying and holding ends at 950.00 USD (-5.0%). Closed trades: 2, profitable: 1.",
    );
  });

  it("names missing parts, and simulated prices", () => {
    const run = {
      equity: Float64Array.of(1_000, 1_010, 1_020, 1_030, 1_040, 1_050),
      benchmark: null,
      trades: [],
    };
    expect(equityAltText(runPicture({ ...run, simulated: "SAMPLE (simulated)" }))).toBe(
      "Equity of AAPL 1d sma_cross over simulated prices: 6 bars from 2026-01-05 to 2026-01-10, from 1,000.00 USD to 1,050.00 USD (+5.0%), never below its peak. No trade was closed.",
    );
  });
});
