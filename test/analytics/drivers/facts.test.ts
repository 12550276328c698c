import { describe, expect, it } from "vitest";
import { factDrivers } from "../../../src/analytics/drivers/facts.ts";
import { DRIVERS } from "../../../src/analytics/drivers/table.ts";

describe("factDrivers", () => {
  it("leaves all six unknown, each with a reason, until their facts are given", () => {
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

  it("never passes NaN on", () => {
    const [first] = factDrivers({ d_offex: { value: Number.NaN, time: 1, inputs: {} } });
    expect(first).toMatchObject({ value: null, reason: "Not defined on this data" });
  });
});
