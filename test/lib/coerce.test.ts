import { describe, expect, it } from "vitest";
import { coerceText } from "../../src/lib/coerce.ts";

const schema = {
  properties: {
    count: { type: "integer" },
    ratio: { type: "number" },
    deep: { type: "boolean" },
    name: { type: "string" },
    names: { type: "array", items: { type: "string" } },
    counts: { type: "array", items: { type: "integer" } },
  },
};
const read = (key: string, text: string) => coerceText(schema, { [key]: text })[key];

describe("text read by a schema", () => {
  it.each([
    ["count", "12", 12],
    ["count", "-3", -3],
    ["count", "1.5", 1.5],
    ["ratio", "0.25", 0.25],
    ["ratio", "0", 0],
    ["deep", "true", true],
    ["deep", "false", false],
    ["name", "12", "12"],
    ["name", "true", "true"],
    ["names", "AAPL, MSFT,SPY", ["AAPL", "MSFT", "SPY"]],
    ["names", "AAPL", ["AAPL"]],
    ["counts", "1,2,x", [1, 2, "x"]],
  ])("%s of %o is %o", (key, text, value) => {
    expect(read(key, text)).toEqual(value);
  });

  it.each([
    ["count", ""],
    ["count", "  "],
    ["count", "ten"],
    ["ratio", "Infinity"],
    ["ratio", "NaN"],
    ["ratio", "1,000"],
    ["deep", "1"],
    ["deep", "TRUE"],
    ["unheard", "7"],
  ])("leaves %s of %o as it was written, for the schema to refuse", (key, text) => {
    expect(read(key, text)).toBe(text);
  });

  it("invents no field and needs no schema", () => {
    expect(coerceText(schema, {})).toEqual({});
    expect(coerceText({}, { a: "1" })).toEqual({ a: "1" });
  });
});
