import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ComputedPrice,
  DriverFigure,
  IndicatorFigure,
  Percent,
  Price,
  Ratio,
  Score,
  Units,
  Usd,
} from "../../src/domain/figures.ts";
import { jsonSchemaOf } from "../../src/kernel/publish.ts";

const THIRD = 1_000 / 3;

describe("a figure of an answer", () => {
  it.each([
    ["score", Score, 333.33],
    ["percent", Percent, 333.33],
    ["ratio", Ratio, 333.3333],
    ["amount in dollars", Usd, 333.33],
    ["quantity", Units, 333.33333333],
    ["driver figure", DriverFigure, 333.333333],
    ["indicator", IndicatorFigure, 333.333],
    ["price", Price, 333.3333333],
    ["computed price", ComputedPrice, 333.33],
  ] as const)("is rounded to its meaning: %s", (_, schema, rounded) => {
    expect(schema.parse(THIRD)).toBe(rounded);
    expect(schema.parse(-THIRD)).toBe(-rounded);
  });

  it("is never negative zero", () => {
    for (const schema of [Score, Ratio, Usd, DriverFigure]) expect(schema.parse(-1e-12)).toBe(0);
  });

  it.each([
    [285.2249999, 285.22],
    [0.523456, 0.52346],
    [0.0000123444, 0.000012344],
    [-4.72194, -4.7219],
    [0, 0],
  ])("is a computed price at the tick: %d is %d", (exact, rounded) => {
    expect(ComputedPrice.parse(exact)).toBe(rounded);
  });

  it("has no rounding noise as a price", () => {
    expect(Price.parse(285.1 - 285.48)).toBe(-0.38);
    expect(Price.parse(0.00001234)).toBe(0.00001234);
    expect(Price.parse(110_194.8625)).toBe(110_194.8625);
  });

  it("is published as a plain number", () => {
    expect(jsonSchemaOf(z.object({ score: Score.nullable(), price: Price }), "output").properties).toEqual({
      score: { type: ["number", "null"] },
      price: { type: "number" },
    });
  });
});
