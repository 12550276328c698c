import { describe, expect, it } from "vitest";
import { z } from "zod";
import { exceededSize } from "../../src/kernel/input-size.ts";

const usual = z.object({ symbols: z.array(z.string().max(40)).max(20), more: z.unknown().optional() });
const csv = z.object({ csv: z.string().max(200_000) });
const KB = 1024;

describe("the size of an input", () => {
  it.each<[string, z.ZodObject, unknown, number | null]>([
    ["a small input", usual, { symbols: ["AAPL"] }, null],
    ["no input", usual, undefined, null],
    ["a text below 64 KB", usual, { symbols: ["x".repeat(65_000)] }, null],
    ["a text above 64 KB", usual, { symbols: ["x".repeat(66_000)] }, 64 * KB],
    ["two thousand values", usual, { symbols: new Array(2_000).fill(1) }, null],
    ["many values", usual, { symbols: new Array(2_100).fill(1) }, 64 * KB],
    ["many fields", usual, Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [i, 1])), 64 * KB],
    ["deep lists", usual, { more: new Array(200).fill(new Array(20).fill([])) }, 64 * KB],
    ["a text that the schema allows", csv, { csv: "x".repeat(200_000) }, null],
    ["a text above what it allows", csv, { csv: "x".repeat(200_100) }, 200_000 + 3 + 2 * 32],
    [
      "an unlimited object up to 1 MB",
      z.object({ any: z.looseObject({}) }),
      { any: "x".repeat(500_000) },
      null,
    ],
    [
      "an unlimited object above 1 MB",
      z.object({ any: z.looseObject({}) }),
      { any: "x".repeat(1_100_000) },
      1024 * KB,
    ],
  ])("%s", (_, input, raw, expected) => {
    expect(exceededSize({ input }, raw)).toBe(expected);
  });
});
