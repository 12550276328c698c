import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ToolError } from "../../src/kernel/errors.ts";
import { canonicalOf, createDirectory } from "../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../src/market/symbols/listings.ts";
import { draws } from "../support/draws.ts";

const listings = embeddedListings();
const directory = createDirectory({ members: [], listings });
const everything = [...listings.us.values(), ...listings.tokens.values()];

/** Every accepted form of an instrument's symbol. */
function forms(symbol: string): readonly string[] {
  const base = symbol.replace(/-USD$/, "");
  if (base === symbol)
    return /\.[A-Z]$/.test(symbol) ? ["-", "/", "_"].map((mark) => symbol.replace(".", mark)) : [symbol];
  const quotes = ["USD", "USDT", "USDC"];
  const joined = quotes.filter((quote) => quote !== "USD" || base.length > 1).map((quote) => base + quote);
  return [...joined, ...["-", "/", "_"].flatMap((mark) => quotes.map((quote) => base + mark + quote))];
}

describe("symbol resolution", () => {
  test("resolves every canonical symbol of the table", () => {
    const wrong = everything.filter(
      ({ instrument }) => directory.resolve(instrument.symbol).instrument !== instrument,
    );
    expect(wrong).toEqual([]);
  });

  test("resolves every form of every symbol", () => {
    const wrong = everything.flatMap(({ instrument }) =>
      forms(instrument.symbol).filter((form) => directory.resolve(form).instrument !== instrument),
    );
    expect(wrong).toEqual([]);
    expect(everything.flatMap(({ instrument }) => forms(instrument.symbol)).length).toBeGreaterThan(2000);
  });

  test("ignores case and spaces, and resolves its own result to itself", () => {
    const space = fc.constantFrom("", " ", "\t", "\n ", "\u00a0");
    const draw = fc.record({
      entry: fc.constantFrom(...everything),
      form: fc.nat(),
      upper: fc.infiniteStream(fc.boolean()),
      before: space,
      after: space,
      cashtag: fc.constantFrom("", "$"),
    });
    fc.assert(
      fc.property(draw, ({ entry: { instrument }, form, upper, before, after, cashtag }) => {
        const ways = forms(instrument.symbol);
        const way = ways[form % ways.length]!;
        const cased = [...way].map((c) => (upper.next().value ? c : c.toLowerCase())).join("");
        const text = before + (/^[A-Z]/.test(way) ? cashtag : "") + cased + after;
        const read = directory.resolve(text).instrument;
        expect(read).toBe(instrument);
        expect(directory.resolve(read.symbol).instrument).toBe(read);
        expect(canonicalOf(text, listings)).toBe(read);
      }),
      { numRuns: draws(6_000) },
    );
  });

  test("returns a known instrument or UNKNOWN_SYMBOL for any text", () => {
    const known = new Set(everything.map(({ instrument }) => instrument));
    const mark = fc.constantFrom(..."ABKRTCUSD.-/$é\u200b");
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc.string({ unit: mark }),
    );
    fc.assert(
      fc.property(text, (text) => {
        try {
          expect(known.has(directory.resolve(text).instrument)).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: "UNKNOWN_SYMBOL", data: { price: null } });
          expect(String((error as ToolError).data?.symbol).length).toBeLessThanOrEqual(40);
        }
        for (const { symbol } of directory.search(text, 5))
          expect(directory.resolve(symbol).instrument.symbol).toBe(symbol);
      }),
      { numRuns: draws(400) },
    );
  });
});
