import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AsOf, listOf, momentOf, SymbolText } from "../../src/domain/answers.ts";

const takes = (text: string) => AsOf.safeParse(text).success;

describe("a past time parameter", () => {
  it.each([
    ["2024-02-29", "2024-03-01T00:00:00.000Z"],
    ["2024-06-28T20:00Z", "2024-06-28T20:00:00.000Z"],
    ["2024-06-28T20:00:05Z", "2024-06-28T20:00:05.000Z"],
    ["2024-06-28T20:00:05.5Z", "2024-06-28T20:00:05.500Z"],
    ["2024-06-28T20:00:00", "2024-06-28T20:00:00.000Z"],
    ["2024-06-28 20:00", "2024-06-28T20:00:00.000Z"],
    ["2024-06-28T16:00:00-04:00", "2024-06-28T20:00:00.000Z"],
    ["2024-01-01T00:30:00+01:00", "2023-12-31T23:30:00.000Z"],
  ])("%s is %s", (text, moment) => {
    expect(takes(text)).toBe(true);
    expect(new Date(momentOf(AsOf.parse(text))).toISOString()).toBe(moment);
  });

  it.each([
    "2023-02-29",
    "2024-02-30T00:00:00Z",
    "2024-04-31",
    "2024-00-10",
    "2024-13-01",
    "2024-06-28T24:30Z",
    "2024-06-28T20:60Z",
    "2024-6-28",
    "20240628",
    "1719604800",
    "now",
    "",
    "Tuesday March 7 2025",
  ])("%o is none", (text) => {
    expect(takes(text)).toBe(false);
  });

  it("accepts any ISO time and parses to that time", () => {
    const day = fc.date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        expect(takes(date.toISOString())).toBe(true);
        expect(momentOf(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});

describe("symbol input", () => {
  it("is trimmed, and 1 to 40 characters long", () => {
    expect(SymbolText.parse("  brk.b ")).toBe("brk.b");
    expect(SymbolText.safeParse("   ").success).toBe(false);
    expect(SymbolText.safeParse("A".repeat(40)).success).toBe(true);
    expect(SymbolText.safeParse("A".repeat(41)).success).toBe(false);
  });
});

describe("a list of values", () => {
  const description = { description: "Tier", form: "HOT or WATCH" };
  const Tiers = listOf(z.enum(["HOT", "WATCH"]), description).optional();

  it.each<[z.input<typeof Tiers>, z.output<typeof Tiers>]>([
    ["HOT", ["HOT"]],
    [["HOT"], ["HOT"]],
    [
      ["HOT", "WATCH"],
      ["HOT", "WATCH"],
    ],
    [[], []],
    [undefined, undefined],
  ])("reads %o as %o", (given, values) => {
    expect(Tiers.parse(given)).toEqual(values);
  });

  it.each(["COLD", ["HOT", "COLD"], null, "HOT,WATCH", Array(51).fill("HOT")])("refuses %o", (given) => {
    expect(Tiers.safeParse(given).success).toBe(false);
  });

  it("says that it is one value or a list", () => {
    expect(z.toJSONSchema(z.object({ tier: Tiers }), { io: "input" }).properties).toEqual({
      tier: {
        type: "array",
        maxItems: 50,
        items: { type: "string", enum: ["HOT", "WATCH"] },
        description: "Tier; one value or a list",
        textForm: "HOT or WATCH",
      },
    });
  });
});
