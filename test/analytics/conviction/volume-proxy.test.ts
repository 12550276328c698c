import { describe, expect, it } from "vitest";
import { volumeProxy } from "../../../src/analytics/conviction/score.ts";
import { driverValues } from "../../support/driver-values.ts";

describe("volumeProxy", () => {
  it("means OBV, CMF, up/down volume and off-exchange share onto 0-100, and calls it a proxy", () => {
    // in order OBV, CMF, MFI, up/down, thrust: MFI and thrust do not count
    const readings = driverValues({ volume: [1, 0.5, -1, 0.3, -1], dark_pool: [-0.2, -1] });
    expect(volumeProxy(readings)).toEqual({
      score: 50 + (50 * (1 + 0.5 + 0.3 - 0.2)) / 4,
      conviction: "INSUFFICIENT",
      source: "volume_proxy",
      tests: 0,
    });
  });

  it("means those present", () => {
    expect(volumeProxy(driverValues({ volume: [-0.5] })).score).toBe(25);
  });

  it("is null without any of them, not 50", () => {
    expect(volumeProxy(driverValues({ trend: [1, 1, 1, 1] })).score).toBeNull();
  });
});
