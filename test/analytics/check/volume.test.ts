import { describe, expect, it } from "vitest";
import { meanVolume } from "../../../src/analytics/check/volume.ts";

const VOLUMES = Array.from({ length: 20 }, (_, i) => 100 * (i + 1));
const meanOf = (...volumes: readonly number[]) => meanVolume({ volume: Float64Array.from(volumes) });

describe("the mean volume", () => {
  it("is that of the last 20 bars", () => {
    expect(meanOf(...VOLUMES)).toBe(1_050);
    expect(meanOf(1e9, 0, Number.NaN, ...VOLUMES)).toBe(1_050);
  });

  it("is unknown with fewer bars", () => {
    expect(meanOf(...VOLUMES.slice(1))).toBeNull();
    expect(meanOf()).toBeNull();
  });

  it.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY])(
    "is unknown if the volume of a bar is %s",
    (wrong) => {
      expect(meanOf(...VOLUMES.with(7, wrong))).toBeNull();
      expect(meanOf(...VOLUMES.with(0, wrong), 500)).toBe(1_070);
    },
  );
});
