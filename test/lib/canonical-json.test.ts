import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/lib/canonical-json.ts";

describe("canonical JSON", () => {
  it("sorts the keys of every object and preserves list order", () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }, "x"], a: undefined, A: { "10": 1, "9": 2 } })).toBe(
      '{"A":{"9":2,"10":1},"b":[{"c":null,"d":1},"x"]}',
    );
  });

  it("is the same for equal values in any key order, and parses back to the value", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
