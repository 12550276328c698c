import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  cachesInUse,
  createBoundedCache,
  measuredBytes,
  setCacheBudget,
} from "../../src/lib/bounded-cache.ts";

const MB = 1024 * 1024;
// files of tests share a process, and so its caches
beforeEach(() => {
  for (const { cache } of cachesInUse()) cache.clear();
});
afterEach(() => setCacheBudget(48 * MB));
const total = () => cachesInUse().reduce((sum, { bytes }) => sum + bytes, 0);

describe("a cache", () => {
  it("evicts the least recently used entry beyond its maximum", () => {
    const cache = createBoundedCache<string, object>({ name: "test", max: 2 });
    const value = {};
    cache.set("a", value);
    cache.set("b", {});
    expect(cache.get("a")).toBe(value);
    cache.set("c", {});
    expect([...cache.keys()].sort()).toEqual(["a", "c"]);
    expect([cache.has("b"), cache.peek("b"), cache.size]).toEqual([false, undefined, 2]);
    cache.delete("a");
    expect(cache.size).toBe(1);
    cache.clear();
    expect(cache.size).toBe(0);
  });

  it("shares one budget with all others: the largest evicts", () => {
    const small = createBoundedCache<string, string>({ name: "small" });
    const large = createBoundedCache<string, string>({ name: "large" });
    small.set("kept", "x".repeat(1_000));
    setCacheBudget(total() + MB);
    for (let i = 0; i < 3_000; i++) large.set(`key ${i}`, "x".repeat(1_000));
    expect(small.get("kept")).toBe("x".repeat(1_000));
    expect(large.has("key 2999")).toBe(true);
    expect(large.size).toBeLessThan(1_100);
  });

  it("never exceeds the budget with the others, whatever is set", () => {
    const caches = ["a", "b", "c"].map((name) => createBoundedCache<string, string>({ name }));
    setCacheBudget(200_000);
    const entry = fc.tuple(fc.nat(2), fc.string(), fc.nat(100_000));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 50 }), (entries) => {
        for (const [cache, key, length] of entries) caches[cache]!.set(key, "x".repeat(length));
        expect(total()).toBeLessThanOrEqual(200_000);
      }),
    );
  });
});

describe("measuredBytes", () => {
  it.each([
    ["a text", "x".repeat(1_000), 1_024],
    ["numbers in columns", new Float64Array(1_000), 8_032],
    ["a list of texts", Array.from({ length: 1_000 }, () => "x".repeat(100)), 140_032],
    ["a number", 1, 8],
  ])("measures %s", (_, value, bytes) => {
    expect(measuredBytes(value)).toBe(bytes);
  });

  it("measures a value that contains itself", () => {
    const value: { self?: object } = {};
    value.self = value;
    expect(measuredBytes(value)).toBeGreaterThan(0);
  });
});
