import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { congressSummary } from "../../../src/analytics/congress/window.ts";
import { dayAfter } from "../../../src/lib/day-after.ts";
import { disclosure } from "../../support/congress.ts";

const window = { until: "2026-01-15", days: 45, minMembers: 1 };

describe("filings within a window", () => {
  it("selects by filing date, first and last day included", () => {
    const trades = ["2025-12-01", "2025-12-02", "2026-01-15", "2026-01-16"].map((filing_date, i) =>
      disclosure({ id: `${i}`, filing_date, transaction_date: "2025-06-01" }),
    );
    const { from, lean } = congressSummary(trades, window);
    expect(from).toBe("2025-12-02");
    expect(lean.trades.buys).toBe(2);
  });

  it("does not change with later filings", () => {
    const anyTrade = fc.record({
      day: fc.integer({ min: -60, max: 60 }),
      member: fc.integer({ min: 1, max: 6 }),
      type: fc.constantFrom("buy" as const, "sell" as const),
      ticker: fc.constantFrom("AAPL", "MSFT", null),
      amended: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyTrade, { maxLength: 40 }), (drawn) => {
        const trades = drawn.map(({ day, member, ...fields }, i) =>
          disclosure({
            ...fields,
            id: `${i}`,
            member_id: `M${member}`,
            filing_date: dayAfter(window.until, day),
          }),
        );
        const known = trades.filter(({ filing_date }) => filing_date <= window.until);
        expect(congressSummary(trades, window)).toEqual(congressSummary(known, window));
      }),
    );
  });

  it("sorts tickers by the net number of members who bought or sold", () => {
    const of = (member: number, ticker: string, type: "buy" | "sell") =>
      disclosure({ id: `${member}${ticker}`, member_id: `M${member}`, ticker, type });
    const { bought, sold } = congressSummary(
      [
        of(1, "AAPL", "buy"),
        of(1, "MSFT", "sell"),
        of(2, "MSFT", "sell"),
        of(3, "MSFT", "buy"),
        of(2, "NVDA", "sell"),
        of(3, "NVDA", "sell"),
      ],
      window,
    );
    expect(bought).toEqual([{ ticker: "AAPL", buying: 1, selling: 0, lean: 1, net_usd: 8_001 }]);
    expect(sold).toEqual([
      { ticker: "NVDA", buying: 0, selling: 2, lean: -1, net_usd: -16_001 },
      { ticker: "MSFT", buying: 1, selling: 2, lean: -0.3333, net_usd: -8_000 },
    ]);
  });

  it("lists a ticker on a side only if members, score and dollars agree", () => {
    const band = fc.constantFrom(
      { low: 1_001, high: 15_000, label: "" },
      { low: 250_001, high: 500_000, label: "" },
      { low: 1_000_001, high: 5_000_000, label: "" },
    );
    const anyTrade = fc.record({
      member: fc.integer({ min: 1, max: 6 }),
      type: fc.constantFrom("buy" as const, "sell" as const),
      ticker: fc.constantFrom("AAPL", "MSFT"),
      amount: band,
    });
    let neither = 0;
    fc.assert(
      fc.property(fc.array(anyTrade, { minLength: 1, maxLength: 12 }), (drawn) => {
        const trades = drawn.map(({ member, ...fields }, i) =>
          disclosure({ ...fields, id: `${i}`, member_id: `M${member}` }),
        );
        const { bought, sold } = congressSummary(trades, window);
        for (const one of bought)
          expect([one.buying > one.selling, one.lean > 0, one.net_usd > 0]).toEqual([true, true, true]);
        for (const one of sold)
          expect([one.buying < one.selling, one.lean < 0, one.net_usd < 0]).toEqual([true, true, true]);
        if (bought.length + sold.length < new Set(trades.map(({ ticker }) => ticker)).size) neither++;
      }),
      { seed: 7 },
    );
    expect(neither).toBeGreaterThan(0);
  });

  it("returns the median delay of counted filings", () => {
    const late = [3, 40, 21, null].map((days_to_file, i) => disclosure({ id: `${i}`, days_to_file }));
    expect(congressSummary(late, window).median_days_to_file).toBe(21);
    expect(congressSummary(late.slice(0, 2), window).median_days_to_file).toBe(21.5);
    expect(congressSummary([], window).median_days_to_file).toBeNull();
  });
});
