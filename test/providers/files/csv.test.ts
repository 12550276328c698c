import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digitsBetween, parseNumber, splitLine } from "../../../src/providers/files/csv.ts";

describe("splitLine", () => {
  it("splits at the separator and trims cells", () => {
    expect(splitLine("a, b ,,c", ",")).toEqual(["a", "b", "", "c"]);
    expect(splitLine("a;b,c", ";")).toEqual(["a", "b,c"]);
  });

  it("preserves separators inside quotes, and reads a doubled quote as one", () => {
    expect(splitLine('"30,002,510","say ""so""",x', ",")).toEqual(["30,002,510", 'say "so"', "x"]);
  });
});

describe("parseNumber", () => {
  it.each([
    ["184.35", 184.35],
    ["-1", -1],
    [".5", 0.5],
    ["1e3", 1000],
    ["$341.07", 341.07],
    ["30,002,510", 30_002_510],
    ["$1,341.07", 1341.07],
    ["12.3M", 12_300_000],
    ["45K", 45_000],
  ])("reads %s", (cell, value) => {
    expect(parseNumber(cell, "us")).toBe(value);
  });

  it.each(["", "--", "N/A", "null", "NaN", "Infinity", "0x10", "1 000", "3,5", "1,23,456", "$", "M", "1-2"])(
    "returns NaN for %j",
    (cell) => {
      expect(parseNumber(cell, "us")).toBeNaN();
    },
  );

  it("does not read a decimal comma as a thousands separator", () => {
    expect(parseNumber("184,352", "unsure")).toBeNaN();
  });

  it("returns NaN for a missing cell", () => {
    expect(parseNumber(undefined, "us")).toBeNaN();
  });
});

describe("digitsBetween", () => {
  it("agrees with Number to the last bit", () => {
    const written = fc.tuple(fc.nat(99_999_999), fc.stringMatching(/^\d{0,7}$/)).map(([a, b]) => `${a}.${b}`);
    fc.assert(
      fc.property(written, (text) => {
        expect(digitsBetween(`x${text},`, 1, 1 + text.length)).toBe(Number(text));
      }),
    );
  });

  it.each(["", ".", "1.2.3", "-1", "1e5", " 1", "1234567890.123456"])(
    "returns NaN for %j, which the slow path parses",
    (text) => {
      expect(digitsBetween(text, 0, text.length)).toBeNaN();
    },
  );
});
