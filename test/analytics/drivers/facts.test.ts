import { describe, expect, it } from "vitest";
import { absent, clip, insufficientBars, present } from "../../../src/analytics/drivers/driver-value.ts";
import { factDrivers } from "../../../src/analytics/drivers/facts.ts";
import { DRIVERS } from "../../../src/analytics/drivers/table.ts";

describe("driver values", () => {
  it("contain a value with its inputs, or null with a reason", () => {
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

  it("never contain NaN, infinity or negative zero", () => {
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

describe("factDrivers", () => {
  it("returns null with a reason for all six without their facts", () => {
    const readings = factDrivers({});
    expect(readings.map(({ id }) => id)).toEqual(DRIVERS.slice(23).map(({ id }) => id));
    for (const { value, reason } of readings) {
      expect(value).toBeNull();
      expect(reason).toMatch(/^No .* connected$/);
    }
  });

  it("returns a given value clipped to [-1, 1], with its inputs", () => {
    const readings = factDrivers({
      n_sent: { value: 0.25, time: 1, inputs: { articles: 3 } },
      o_pc: { value: -3, time: 1, inputs: {} },
    });
    expect(readings.find(({ id }) => id === "n_sent")).toMatchObject({
      value: 0.25,
      reason: null,
      inputs: { articles: 3 },
    });
    expect(readings.find(({ id }) => id === "o_pc")!.value).toBe(-1);
  });

  it("never returns NaN", () => {
    const [first] = factDrivers({ d_offex: { value: Number.NaN, time: 1, inputs: {} } });
    expect(first).toMatchObject({ value: null, reason: "Not defined on this data" });
  });
});
