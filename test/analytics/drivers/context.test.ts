import { describe, expect, it } from "vitest";
import { driverContext } from "../../../src/analytics/drivers/context.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const ranging = (share: number, count = 40) =>
  barsAround(new Array(count).fill(100), {
    high: new Array(count).fill(100 + 50 * share),
    low: new Array(count).fill(100 - 50 * share),
  });

describe("driverContext", () => {
  it.each([
    { share: 0.02, v: 1 },
    { share: 0.05, v: 2.5 },
    { share: 0.2, v: 4 },
    { share: 0.001, v: 0.5 },
    { share: 0, v: 0.5 },
  ])("scales a usual range of $share of the price to $v", ({ share, v }) => {
    expect(driverContext(ranging(share), "equity").v).toBeCloseTo(v, 12);
  });

  it("takes the median over a year: 365 bars for 24-hour markets, 252 otherwise", () => {
    // 200 quiet bars after 200 wide ones: the median of 252 is quiet, of 365 wide.
    const wide = [...new Array(200).fill(4), ...new Array(200).fill(1)];
    const bars = barsAround(new Array(400).fill(100), {
      high: wide.map((w) => 100 + w),
      low: wide.map((w) => 100 - w),
    });
    expect(driverContext(bars, "equity").v).toBeLessThan(1.05);
    expect(driverContext(bars, "crypto").v).toBeGreaterThan(1.1);
  });

  it("has no range or scale below 15 bars, and throws for no bars", () => {
    expect(driverContext(ranging(0.02, 14), "equity")).toMatchObject({ a: Number.NaN, v: Number.NaN });
    expect(driverContext(ranging(0.02, 15), "equity").a).toBeCloseTo(2, 12);
    expect(() => driverContext(ranging(0.02, 0), "equity")).toThrow(RangeError);
  });
});
