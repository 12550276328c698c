import { describe, expect, it } from "vitest";
import { driverContext } from "../../../src/analytics/drivers/context.ts";
import { volumeDrivers } from "../../../src/analytics/drivers/volume.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const read = (bars: Bars) =>
  Object.fromEntries(volumeDrivers(driverContext(bars, "equity")).map((d) => [d.id, d]));
const zigzag = Array.from({ length: 60 }, (_, i) => 100 + (i % 2));
const around = { high: zigzag.map((c) => c + 1), low: zigzag.map((c) => c - 1) };

describe("volumeDrivers", () => {
  it("returns null if there is no volume", () => {
    const readings = read(barsAround(zigzag, { ...around, volume: zigzag.map(() => 0) }));
    for (const { value, reason } of Object.values(readings)) {
      expect(value).toBeNull();
      expect(reason).toMatch(/volume/i);
    }
  });

  it("returns 0 for a flat price, and null for the up/down balance and range-based drivers", () => {
    const { v_obv, v_cmf, v_mfi, v_updn, v_thrust } = read(barsAround(new Array(60).fill(0.7)));
    expect([v_obv, v_mfi, v_thrust].map((d) => d!.value)).toEqual([0, 0, 0]);
    expect(v_updn).toMatchObject({ value: null, reason: "No volume on rising or falling bars" });
    expect(v_cmf).toMatchObject({ value: null, reason: "No bar of the window has a range" });
  });

  it("balances up volume against down volume: (25 x 300 - 25 x 100) / 10000, clipped", () => {
    const volume = (up: number) => zigzag.map((_, i) => (i % 2 === 1 ? up : 100));
    expect(read(barsAround(zigzag, { ...around, volume: volume(300) })).v_updn!.value).toBe(1);
    // 25 x 150 against 25 x 100: 2 x 1250 / 6250
    expect(read(barsAround(zigzag, { ...around, volume: volume(150) })).v_updn!.value).toBe(0.4);
  });

  it("signs a burst of volume by the direction of its bar", () => {
    // Usual volume 100; the last, rising bar trades 200: mean of 50 is 102, log2(200/102) for one bar of five.
    const volume = zigzag.map((_, i) => (i === 59 ? 200 : 100));
    expect(read(barsAround(zigzag, { ...around, volume })).v_thrust!.value).toBeCloseTo(
      Math.log2(200 / 102) / 5,
      12,
    );
  });

  it("has no thrust if an average volume is missing", () => {
    const volume = zigzag.map((_, i) => (i > 57 ? 100 : 0));
    expect(read(barsAround(zigzag, { ...around, volume })).v_thrust).toMatchObject({
      value: null,
      reason: "No average volume over 50 bars",
    });
  });

  it("reads closes at the high as maximum money flow", () => {
    expect(read(barsAround(zigzag, { high: zigzag, low: zigzag.map((c) => c - 1) })).v_cmf!.value).toBe(1);
  });
});
