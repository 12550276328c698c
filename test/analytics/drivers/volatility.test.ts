import { describe, expect, it } from "vitest";
import { driverContext } from "../../../src/analytics/drivers/context.ts";
import { volatilityDrivers } from "../../../src/analytics/drivers/volatility.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const read = (bars: Bars) =>
  Object.fromEntries(volatilityDrivers(driverContext(bars, "equity")).map((d) => [d.id, d]));

describe("volatilityDrivers", () => {
  it("returns 0 for a flat market: mid-band with zero band width, and median volatility rank", () => {
    const { x_squeeze, x_lowvol, x_chop } = read(barsAround(new Array(200).fill(33.3)));
    expect(x_squeeze).toMatchObject({ value: 0, inputs: { percent_b: 0.5, width_rank: 0.5 } });
    expect(x_lowvol).toMatchObject({ value: 0, inputs: { atr_rank: 0.5 } });
    expect(x_chop).toMatchObject({ value: null, reason: "High and low of 14 bars are equal" });
  });

  it("ranks the latest range among those of the last year", () => {
    // Ranges grow bar by bar, so the last of 200 - 14 values is the largest: 1 - 2 x (185.5 / 186).
    const width = Array.from({ length: 200 }, (_, i) => 1 + i / 100);
    const close = new Array(200).fill(100);
    const bars = barsAround(close, { high: width.map((w) => 100 + w), low: width.map((w) => 100 - w) });
    expect(read(bars).x_lowvol!.value).toBeCloseTo(1 - 2 * (185.5 / 186), 12);
  });

  it("reads a straight move as a trend in its direction", () => {
    // Closes one apart, each bar spanning from close to close: path 14, range 14, choppiness 0.
    const close = Array.from({ length: 30 }, (_, i) => 100 + i);
    expect(read(barsAround(close)).x_chop!.value).toBe(1);
    expect(read(barsAround(close.toReversed())).x_chop!.value).toBe(-1);
  });
});
