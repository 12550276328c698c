import { describe, expect, it } from "vitest";
import { coerceText, coerceValue } from "../../src/lib/coerce.ts";

const read = (property: object, text: string): unknown =>
  coerceText({ properties: { it: property } }, { it: text }).it;
const list = (type: string) => ({ type: "array", items: { type } });

describe("text for a field", () => {
  it.each([
    [{ type: "string" }, "42", "42"],
    [{ type: "string" }, '{"a":1}', '{"a":1}'],
    [{ type: "integer" }, "-42", -42],
    [{ type: "number" }, "1e3", "1e3"],
    [{ type: "integer" }, "0x10", "0x10"],
    [{ type: "boolean" }, "true", true],
    [{ type: "boolean" }, "false", false],
    [list("string"), "AAPL, MSFT", ["AAPL", "MSFT"]],
    [list("number"), "1,2.5", [1, 2.5]],
    [list("object"), '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
    [list("string"), '["a,b"]', ["a,b"]],
    [{ type: "object" }, '{"a":{"b":[1]}}', { a: { b: [1] } }],
    [{ type: "string", enum: ["LONG", "WAIT"] }, "long", "long"],
    [{ type: "string", enum: ["A+", "A"] }, "a ", "A+"],
    [{ type: "string", enum: ["A+", "A"] }, "a", "a"],
    [{ type: "string", enum: ["A"] }, "A ", "A "],
    [{ type: "string", enum: ["1d", "4h"] }, "2d", "2d"],
    [{ type: "string", enum: ["a", "A"] }, "A", "A"],
  ])("of %j reads %s", (property, text, value) => {
    expect(read(property, text)).toEqual(value);
  });

  it.each([
    [{ type: "integer" }, ""],
    [{ type: "integer" }, " "],
    [{ type: "number" }, "Infinity"],
    [{ type: "number" }, "1,5"],
    [{ type: "boolean" }, "yes"],
    [{ type: "object" }, "{a:1}"],
    [{ type: "object" }, "null"],
    [{ type: "object" }, "[1]"],
    [{ type: "object" }, "1"],
  ])("of %j leaves '%s' for the schema to refuse", (property, text) => {
    expect(read(property, text)).toBe(text);
  });

  it("stays one list item if it is not valid JSON", () => {
    expect(read(list("string"), "[a")).toEqual(["[a"]);
  });

  it("stays unchanged for a field that is not in the schema", () => {
    expect(coerceText({}, { other: "1" })).toEqual({ other: "1" });
  });
});

describe("a JSON value for a field", () => {
  const nested = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

  it.each([
    [{ type: "integer" }, "5", 5],
    [{ type: "number" }, " 2.5 ", 2.5],
    [{ type: "boolean" }, "True", true],
    [{ type: "string" }, 5, "5"],
    [list("string"), "AAPL,NVDA", ["AAPL", "NVDA"]],
    [list("string"), "AAPL", ["AAPL"]],
    [list("integer"), 5, [5]],
    [list("integer"), ["5", 6], [5, 6]],
    [nested, '{"n":"1"}', { n: 1 }],
    [{ type: "object", properties: { n: { type: "integer" } } }, { n: null, other: 1 }, { other: 1 }],
    [nested, { n: null }, {}],
    [{ type: "object", properties: { all: list("string") } }, { all: undefined, other: 1 }, { other: 1 }],
    [{ type: "object", properties: { inner: nested } }, { inner: { n: "7" } }, { inner: { n: 7 } }],
  ])("of %j reads %j", (property, value, read) => {
    expect(coerceValue(property, value)).toEqual(read);
  });

  it.each([
    [{ type: "integer" }, "five"],
    [{ type: "integer" }, true],
    [{ type: "boolean" }, 1],
    [{ type: "string" }, true],
    [{ type: "string" }, Number.NaN],
    [nested, [1]],
    [{ type: "string" }, null],
    [undefined, "5"],
  ])("of %j leaves %j for the schema to refuse", (property, value) => {
    expect(coerceValue(property, value)).toEqual(value);
  });
});
