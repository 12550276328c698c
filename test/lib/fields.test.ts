import { describe, expect, it } from "vitest";
import { isFields } from "../../src/lib/fields.ts";

describe("the fields of a value", () => {
  it.each([{}, { symbol: "AAPL" }])("are those of the object %j", (value) => {
    expect(isFields(value)).toBe(true);
  });

  it.each([null, undefined, [], ["AAPL"], "AAPL", 1])("do not exist for %j", (value) => {
    expect(isFields(value)).toBe(false);
  });
});
