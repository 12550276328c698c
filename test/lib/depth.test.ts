import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nestedWithin } from "../../src/lib/depth.ts";

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? { a: value } : [value];
  return value;
};

describe("nestedWithin", () => {
  it("counts nested objects and lists", () => {
    expect(nestedWithin(1, 0)).toBe(true);
    expect(nestedWithin({}, 0)).toBe(false);
    expect(nestedWithin({ a: 1, b: [] }, 1)).toBe(false);
    expect(nestedWithin({ a: 1, b: [] }, 2)).toBe(true);
  });

  it("returns true if and only if the depth is within the limit", () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), (depth, limit) => {
        expect(nestedWithin(nested(depth), limit)).toBe(depth <= limit);
      }),
    );
  });

  it("does not overflow the stack", () => {
    expect(nestedWithin(nested(200_000), 64)).toBe(false);
  });
});
