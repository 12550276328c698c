import { describe, expect, it } from "vitest";
import { driverContext } from "../../../src/analytics/drivers/context.ts";
import { trendDrivers } from "../../../src/analytics/drivers/trend.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const read = (bars: Bars) =>
  Object.fromEntries(trendDrivers(driverContext(bars, "crypto")).map((d) => [d.id, d]));
const flat = barsAround(new Array(300).fill(42.1));

describe("trendDrivers", () => {
  it("returns 0 for a flat market, and null for Supertrend without a range", () => {
    const { t_ma200, t_ma50, t_stack, t_adx, t_super, t_reg } = read(flat);
    expect([t_ma200, t_ma50, t_stack, t_adx, t_reg].map((d) => d!.value)).toEqual([0, 0, 0, 0, 0]);
    expect(t_super).toMatchObject({ value: null, reason: "The average true range is 0" });
  });

  it("has no stage until an advance or a decline was seen", () => {
    expect(read(flat).t_stage).toMatchObject({
      value: null,
      reason: expect.stringContaining("34 completed weeks"),
    });
  });

  it("returns full trend for a steady exponential rise", () => {
    const rise = barsAround(Array.from({ length: 300 }, (_, i) => 10 * 1.01 ** i));
    const { t_ma200, t_stack, t_stage, t_adx, t_super, t_reg } = read(rise);
    expect([t_ma200, t_stack, t_stage, t_adx].map((d) => d!.value)).toEqual([1, 1, 1, 1]);
    expect(t_reg!.value).toBeCloseTo(1, 12);
    expect(t_super!.value).toBeGreaterThan(0.5);
  });

  it("measures the distance from the mean in units of the symbol's volatility", () => {
    // 49 closes at 100, one at 102: SMA50 is 100.04; bars of 4 points make ATR 4% of price, so v is 2.
    const close = [...new Array(49).fill(100), 102];
    const bars = barsAround(close, { high: close.map((c) => c + 2), low: close.map((c) => c - 2) });
    expect(driverContext(bars, "equity").v).toBe(2);
    expect(read(bars).t_ma50!.value).toBeCloseTo((102 / 100.04 - 1) / 0.16, 12);
  });
});
