import { describe, expect, it } from "vitest";
import { hasMoreValues } from "../../src/lib/json-size.ts";

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
