import { describe, expect, it } from "vitest";
import { exceededLimit, hasMoreValues, JsonLimitError, parseWithin } from "../../src/lib/json-size.ts";

/** Returns the smallest limit, at least 1, that a text does not exceed. */
function valuesIn(text: string): number {
  const bytes = Buffer.from(text);
  let limit = 1;
  while (hasMoreValues(bytes, limit)) limit++;
  return limit;
}

describe("hasMoreValues", () => {
  it.each([
    ["1", 1],
    ["[1,2,3]", 4],
    ['{"a":1,"b":[2]}', 4],
    ["[]", 2],
    ["[[[", 4],
    ['"[,{,[,"', 1],
    [String.raw`["a\",[",1]`, 3],
    [String.raw`["a\\",[1]]`, 4],
    ['"never ends,,,', 1],
    ["", 1],
  ])("counts the values of %s", (text, count) => {
    expect(valuesIn(text)).toBe(count);
  });

  it("stops at the limit", () => {
    expect(hasMoreValues(Buffer.from("[".repeat(1_000_000)), 1_000)).toBe(true);
  });
});

describe("parseWithin", () => {
  it.each([
    ["[1,2]", { values: 3 }, [1, 2]],
    ['{"a":[[1]]}', { values: 10, depth: 3 }, { a: [[1]] }],
  ])("parses %s", (text, limits, value) => {
    expect(parseWithin(text, limits)).toEqual(value);
  });

  it.each([
    ["[1,2]", { values: 2 }, "more than 2 values"],
    ['{"a":[[1]]}', { values: 10, depth: 2 }, "nested deeper than 2"],
    ["[".repeat(101), { values: 1_000 }, "nested deeper than 100"],
  ])("refuses %s beyond its limits before it is parsed", (text, limits, message) => {
    expect(() => parseWithin(text, limits)).toThrow(new JsonLimitError(message));
  });

  it("does not count lists next to each other as depth", () => {
    expect(exceededLimit(Buffer.from(`[${"[],".repeat(500)}1]`), { values: 2_000, depth: 2 })).toBe(null);
  });
});
