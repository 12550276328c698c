import { describe, expect, it } from "vitest";
import { sma } from "../../../src/analytics/indicators/sma.ts";
import { INDICATORS } from "../../../src/analytics/indicators/table.ts";
import { barLabel } from "../../../src/domain/market/bars.ts";
import { technicalsOf } from "../../../src/features/signal/technicals.ts";
import { climbingBars } from "../../support/market.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";

describe("technical figures", () => {
  it("return the bar at which MACD crossed to its current side of the signal line", () => {
    // flat for 60 bars, so MACD lies on its signal line; then the faster average leads from the first rise on
    const rising = barsAround([...Array<number>(60).fill(100), 101, 102, 103]);
    expect(technicalsOf(rising, "crypto")).toMatchObject({
      macd_cross: "bullish",
      macd_cross_at: barLabel(rising.time[60]!, "1d"),
    });
    const falling = barsAround([...Array<number>(60).fill(100), 99, 98, 97]);
    expect(technicalsOf(falling, "crypto")).toMatchObject({
      macd_cross: "bearish",
      macd_cross_at: "2020-03-01",
    });
  });

  it("contain every indicator without a separate field, null in its warm-up", () => {
    const { indicators, reasons, ...figures } = technicalsOf(syntheticBars(3, 40), "equity");
    const names = INDICATORS.flatMap((indicator) => indicator.names);
    expect(Object.keys(indicators)).toEqual(names.filter((name) => !(name in figures)));
    expect(indicators.senkou_b).toBeNull();
    expect(indicators.sma).toBeCloseTo(sma(syntheticBars(3, 40).close, 20).at(-1)!, 12);
  });

  it("are null with a reason each, and have a reason only when null", () => {
    const series = [
      climbingBars({ count: 15 }),
      climbingBars({ count: 40, timeframe: "1h" }),
      { ...climbingBars(), volume: climbingBars().volume.map(() => 0) },
      barsAround(Array<number>(400).fill(100)),
      syntheticBars(3, 500),
    ];
    for (const bars of series) {
      const { reasons, ...figures } = technicalsOf(bars, "equity");
      const missing = Object.entries(figures).filter(([, value]) => value === null);
      expect(Object.keys(reasons).sort()).toEqual(missing.map(([name]) => name).sort());
      for (const value of Object.values(figures)) expect(value).not.toBeNaN();
    }
    expect(technicalsOf(series[0]!, "equity").reasons).toMatchObject({
      macd_cross: "MACD needs 34 bars, there are 15",
      year_high: "A year needs 252 bars, there are 15",
      volume_ratio: "A mean volume needs 51 bars, there are 15",
    });
    expect(technicalsOf(series[2]!, "equity").reasons.volume_ratio).toBe(
      "Nothing traded in the previous 50 bars",
    );
    expect(technicalsOf(series[3]!, "equity").reasons.year_position).toBe("The year's range is 0");
  });
});
