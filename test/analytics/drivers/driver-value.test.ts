import { describe, expect, it } from "vitest";
import { absent, clip, insufficientBars, present } from "../../../src/analytics/drivers/driver-value.ts";

describe("readings", () => {
  it("carry a value and what it was made of, or none and why", () => {
    expect(present("m_rsi", 0.5, { rsi14: 65 })).toEqual({
      id: "m_rsi",
      group: "momentum",
      value: 0.5,
      reason: null,
      inputs: { rsi14: 65 },
    });
    expect(absent("r_rank", "alone")).toMatchObject({
      group: "relative_strength",
      value: null,
      reason: "alone",
      inputs: {},
    });
    expect(insufficientBars("t_ma200", 200, 199).reason).toBe("Needs 200 bars, has 199");
  });

  it("never hold NaN, infinity or a negative zero", () => {
    expect(present("m_rsi", Number.NaN, {})).toMatchObject({
      value: null,
      reason: "Not defined on this data",
    });
    expect(present("m_rsi", Number.POSITIVE_INFINITY, {}).value).toBeNull();
    expect(present("m_rsi", -0, {}).value).toBe(0);
  });
});

describe("clip", () => {
  it("limits to [-1, 1]", () => {
    expect([-7, -1, -0.5, 0, 0.5, 1, 7].map(clip)).toEqual([-1, -1, -0.5, 0, 0.5, 1, 1]);
    expect(clip(Number.NaN)).toBeNaN();
  });
});
