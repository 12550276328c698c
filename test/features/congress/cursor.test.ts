import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_CURSOR_LENGTH } from "../../../src/domain/congress/congress.ts";
import { decodeCursor, encodeCursor } from "../../../src/features/congress/cursor.ts";
import { selectDisclosures } from "../../../src/features/congress/selection.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { disclosure, fixedCongress } from "../../support/congress.ts";
import { smallMarket } from "../../support/market.ts";

const held = Array.from({ length: 6 }, (_, i) =>
  disclosure({ id: `row|${i}`, filing_date: `2026-01-0${1 + (i >> 1)}` }),
);
const { symbols, clock } = smallMarket().ports;
const lent = { ...fixedCongress(held), symbols, clock, signal: new AbortController().signal };
const page = (cursor: string) => selectDisclosures({ limit: 2, cursor }, lent);
const forged = (...parts: readonly string[]) => Buffer.from(parts.join("|")).toString("base64url");
const refused = { code: "INVALID_INPUT", hint: expect.stringContaining("omit") };

describe("a cursor", () => {
  it("decodes to the encoded position, for any row id", () => {
    const anyId = fc
      .string({ minLength: 1, maxLength: 60, unit: "binary" })
      .filter((id) => id.isWellFormed());
    fc.assert(
      fc.property(anyId, (id) => {
        const place = { to: "2026-01-15", filing_date: "2026-01-10", id };
        expect(
          decodeCursor(encodeCursor({ chamber: "house" }, "AAPL", place), { chamber: "house" }, "AAPL"),
        ).toEqual(place);
      }),
    );
  });

  it("with the longest name and filters stays below the maximum length", () => {
    const wanted = {
      chamber: "senate",
      party: "D",
      type: "sell",
      from: "2025-01-01",
      to: "2026-01-01",
    } as const;
    const place = { to: "2026-01-01", filing_date: "2025-12-01", id: `kadoa:${"x".repeat(200)}` };
    expect(encodeCursor(wanted, "X".repeat(40), place).length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
  });

  it.each([
    ["a last day of no calendar", forged(",,,,,", "2026-02-31", "2026-01-01", "row")],
    ["a month of no calendar", forged(",,,,,", "2026-13-45", "2026-01-01", "row")],
    ["a last day to come", forged(",,,,,", "2026-01-16", "2026-01-01", "row")],
    ["a filing of no calendar", forged(",,,,,", "2026-01-15", "9999-99-99", "row")],
    ["a filing after the last day", forged(",,,,,", "2026-01-15", "2026-01-16", "row")],
    ["a filing before the first day", forged(",,,,,", "2026-01-15", "2025-01-15", "row")],
    ["no row", forged(",,,,,", "2026-01-15", "2026-01-01", "")],
    ["other filters", forged(",house,,,,", "2026-01-15", "2026-01-01", "row")],
  ])("with %s is rejected with a hint", async (_, cursor) => {
    await expect(page(cursor)).rejects.toMatchObject({
      ...refused,
      data: { errors: [{ pointer: "/cursor" }] },
    });
  });

  it("with random text returns rows of the list or is rejected", async () => {
    const part = fc.oneof(
      fc.constantFrom(",,,,,", "", "2026-01-15", "2026-01-01", "2026-02-30", "9999-12-31", "row|3"),
      fc.string({ maxLength: 12 }),
    );
    const anyCursor = fc.oneof(
      fc.string({ maxLength: 80, unit: "binary" }),
      fc.array(part, { maxLength: 6 }).map((parts) => forged(...parts)),
      fc.tuple(part, part, part).map((parts) => forged(",,,,,", ...parts)),
    );
    const seen = { pages: 0, refusals: 0 };
    await fc.assert(
      fc.asyncProperty(anyCursor, async (cursor) => {
        try {
          const rows = (await page(cursor)).page;
          seen.pages++;
          for (const row of rows) expect(held).toContain(row);
        } catch (cause) {
          if (!(cause instanceof ToolError)) throw cause;
          seen.refusals++;
          expect(cause).toMatchObject(refused);
        }
      }),
      { numRuns: 500, seed: 11 },
    );
    expect(Math.min(seen.pages, seen.refusals)).toBeGreaterThan(0);
  });
});
