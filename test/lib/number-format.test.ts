import { expect, it } from "vitest";
import { detectNumberFormat, parseNumber } from "../../src/lib/number-format.ts";

const read = (cell: string, marks: Parameters<typeof parseNumber>[1] = "us") =>
  parseNumber(cell, marks)?.toFixed() ?? null;

it.each([
  ["1234.5", "1234.5"],
  ["1,234.5", "1234.5"],
  ["$1,234,567.89", "1234567.89"],
  ["US$ 12", "12"],
  ["12.5 USD", "12.5"],
  ["(100)", "-100"],
  ["($1,234.50)", "-1234.5"],
  ["-5", "-5"],
  ["-$5", "-5"],
  ["$-5", "-5"],
  ["\u22125", "-5"],
  ["+7", "7"],
  [".5", "0.5"],
  ["10.", "10"],
  ["1.5E-05", "0.000015"],
  ["0.123456789012345678", "0.123456789012345678"],
])("reads %s as %s", (cell, value) => {
  expect(read(cell)).toBe(value);
});

it.each([
  "",
  "-",
  "--",
  "n/a",
  "1,23",
  "1,2345",
  "12,34.5",
  "1.2.3",
  "5 shares",
  "€5",
  "--5",
  "(-5)",
  "(5",
  "0x10",
  "1e400",
  "Infinity",
  "=1+1",
  "1".repeat(41),
])("rejects %s", (cell) => {
  expect(read(cell)).toBeNull();
});

it("detects decimal commas", () => {
  expect(detectNumberFormat(["10", "1.234,56"], ";")).toBe("continental");
  expect(detectNumberFormat(["10", "0,5"], ";")).toBe("continental");
  expect(["1.234,56", "1.234", "0,5", "12", "-3,25"].map((cell) => read(cell, "continental"))).toEqual([
    "1234.56",
    "1234",
    "0.5",
    "12",
    "-3.25",
  ]);
  expect(read("1.5", "continental")).toBeNull();
});

it.each([
  ["5-", "-5"],
  ["1 000", "1000"],
  ["$1'234'567.5", "1234567.5"],
  ["1\u202f000", "1000"],
])("reads %s as accountants write it", (cell, value) => {
  expect(read(cell)).toBe(value);
});

it.each(["-5-", "(5-)", "1 00", "1 0000", "12 34", "1000 000"])("rejects %s", (cell) => {
  expect(read(cell)).toBeNull();
});

it("reads a power of ten in every format", () => {
  for (const format of ["us", "continental", "unsure"] as const) expect(read("5E-1", format)).toBe("0.5");
});

it("rejects ambiguous separators", () => {
  expect(detectNumberFormat(["1,234", "10"], ";")).toBe("unsure");
  expect(["1,234", "1.234", "12"].map((cell) => read(cell, "unsure"))).toEqual([null, null, "12"]);
  expect(detectNumberFormat(["1,234", "10"], ",")).toBe("us");
  expect(detectNumberFormat(["1,234", "10.5"], ";")).toBe("us");
});
