import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTradeColumns } from "../../../src/providers/files/option-tape-columns.ts";
import type { TapeRow } from "../../../src/providers/files/option-tape-rows.ts";

const contract = (strike: number) => ({
  contract: `AAPL260220C00${strike}000`,
  root: "AAPL",
  expiry: "2026-02-20",
  type: "call" as const,
  strike,
});
const [LOW, HIGH] = [contract(100), contract(200)];
const rowAt = (executedAt: number, over: Partial<TapeRow> = {}): TapeRow => ({
  contract: LOW,
  id: null,
  row: 1,
  price: 2,
  size: 3,
  trades: 1,
  executedAt,
  paid: null,
  sweep: null,
  floor: null,
  multileg: null,
  ...over,
});

describe("trades in columns", () => {
  it("are returned unchanged, from a given time on", () => {
    const flag = fc.constantFrom(null, false, true);
    const any = fc.record({
      contract: fc.constantFrom(LOW, HIGH),
      price: fc.double({ min: 0.01, max: 100_000, noNaN: true }),
      size: fc.integer({ min: 1, max: 10_000_000 }),
      trades: fc.integer({ min: 1, max: 1_000 }),
      executedAt: fc.integer({ min: 0, max: 9e12 }),
      paid: fc.constantFrom(null, "ask" as const, "bid" as const, "between" as const),
      sweep: flag,
      floor: flag,
      multileg: flag,
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 50 }), fc.integer({ min: 0, max: 9e12 }), (given, from) => {
        const columns = createTradeColumns();
        for (const [i, one] of given.entries()) columns.add({ ...one, id: null, row: i + 1 });
        const wanted = given.flatMap(({ paid, contract: { root: _, ...named }, ...one }, i) => {
          const premium = one.price * one.size * 100;
          const sides = {
            askPremium: paid === "ask" ? premium : 0,
            bidPremium: paid === "bid" ? premium : 0,
          };
          const unknown = { askPremium: null, bidPremium: null };
          const trade = {
            ...one,
            ...named,
            id: `row-${i + 1}`,
            premium,
            ...(paid === null ? unknown : sides),
          };
          return one.executedAt >= from ? [trade] : [];
        });
        expect(columns.since(from)).toEqual(wanted);
      }),
    );
  });

  it("accept a trade of one id and contract only once, for any number of trades", () => {
    const columns = createTradeColumns();
    const all = Array.from({ length: 5_000 }, (_, i) => rowAt(i, { id: `t${i}` }));
    expect(all.every((row) => columns.add(row))).toBe(true);
    expect(all.some((row) => columns.add(row))).toBe(false);
    expect(columns.add(rowAt(0, { id: "t0", contract: HIGH }))).toBe(true);
    expect(columns.add(rowAt(0)) && columns.add(rowAt(0))).toBe(true); // without a name each is its own
    expect(columns.since(0)).toHaveLength(5_003);
  });
});
