import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  concentrationOf,
  openRiskOf,
  type ReviewedPosition,
  sharesOf,
} from "../../../src/analytics/positions/review.ts";

const position = (over: Partial<ReviewedPosition> = {}): ReviewedPosition => ({
  symbol: "AAPL",
  side: "LONG",
  quantity: "10",
  averagePrice: "100",
  marketValue: "1000",
  stop: 95,
  ...over,
});
const short = { side: "SHORT", quantity: "-10", marketValue: "-1000" } as const;

describe("position weights and risks", () => {
  it("count shorts by absolute value and omit positions without a price", () => {
    const rows = [position({ marketValue: "3000" }), position(short), position({ marketValue: null })];
    expect(sharesOf(rows).map(({ weight_pct }) => weight_pct)).toEqual([75, 25, null]);
    expect(sharesOf([position({ marketValue: null })])[0]!.weight_pct).toBeNull();
  });

  it("lose from the average price to the stop, and nothing if the stop is in profit", () => {
    const risks = [
      position(),
      position({ stop: 101 }),
      position({ ...short, stop: 104.5 }),
      position({ ...short, stop: 99 }),
      position({ stop: null }),
    ];
    expect(sharesOf(risks).map(({ open_risk }) => open_risk)).toEqual(["50", "0", "45", "0", null]);
  });

  it("add up to a hundred percent, however many there are", () => {
    const worth = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => (cents / 100).toFixed(2));
    fc.assert(
      fc.property(fc.array(worth, { minLength: 1, maxLength: 20 }), (values) => {
        const rows = values.map((marketValue) => position({ marketValue }));
        const sum = sharesOf(rows).reduce((all, { weight_pct }) => all + weight_pct!, 0);
        // Each is rounded to a hundredth.
        expect(Math.abs(sum - 100)).toBeLessThanOrEqual(0.005 * values.length + 1e-9);
      }),
    );
  });
});

describe("concentration", () => {
  it("combines a symbol across accounts; effective positions are one over the sum of squared weights", () => {
    const rows = [position(), position(), position({ symbol: "MSFT", marketValue: "-2000" })];
    expect(concentrationOf(rows)).toEqual({
      gross: "4000",
      net: "0",
      largest: { symbol: "AAPL", weight_pct: 50 },
      herfindahl: 0.5,
      effective_positions: 2,
    });
  });

  it("is one effective position for a single position, and null without a price", () => {
    expect(concentrationOf([position()])).toMatchObject({ herfindahl: 1, effective_positions: 1 });
    expect(concentrationOf([])).toEqual({
      gross: "0",
      net: "0",
      largest: null,
      herfindahl: null,
      effective_positions: null,
    });
  });

  it("equals the number of positions if all are equal", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), (count) => {
        const rows = Array.from({ length: count }, (_, i) => position({ symbol: `S${i}` }));
        expect(concentrationOf(rows).effective_positions).toBe(count);
      }),
    );
  });
});

describe("open risk", () => {
  it("sums the loss at all stops, lists positions without one, and returns the equity needed", () => {
    const rows = [position(), position({ symbol: "TSLA", stop: null }), position({ ...short, stop: 101 })];
    // 50 + 10 USD are 7% of 857.142..., rounded up.
    const unpriced = rows.map((row) => ({ ...row, marketValue: null }));
    expect(openRiskOf(unpriced, "7")).toEqual({
      amount: "60",
      amount_from_market: "60",
      unstopped: ["TSLA"],
      least_equity: "857.15",
    });
    expect(openRiskOf(rows, null).least_equity).toBeNull();
    expect(openRiskOf([], "7")).toEqual({
      amount: "0",
      amount_from_market: "0",
      unstopped: [],
      least_equity: "0",
    });
  });

  it("counts the fall of equity for stops above cost, and limits that", () => {
    // 10 bought at 100, now 150, stop at 120: nothing is lost of the cost, 300 USD of equity
    const winner = position({ quantity: "10", averagePrice: "100", marketValue: "1500", stop: 120 });
    expect(openRiskOf([winner], "6")).toMatchObject({
      amount: "0",
      amount_from_market: "300",
      least_equity: "5000",
    });
    expect(sharesOf([winner])).toMatchObject([{ open_risk: "0", open_risk_from_market: "300" }]);
    // 10 sold short at 100, now 60, stop at 80: 200 USD of equity
    const short10 = {
      side: "SHORT",
      quantity: "-10",
      averagePrice: "100",
      marketValue: "-600",
      stop: 80,
    } as const;
    expect(openRiskOf([position(short10)], null)).toMatchObject({ amount: "0", amount_from_market: "200" });
    // a price beyond the stop loses nothing more
    expect(openRiskOf([{ ...winner, marketValue: "1100" }], null).amount_from_market).toBe("0");
    expect(sharesOf([{ ...winner, marketValue: null }])[0]!.open_risk_from_market).toBeNull();
  });

  it("is unknown from the market for a stop beyond cost without a price, and then has no limit", () => {
    const winner = position({ marketValue: null, stop: 120 });
    const loser = position({ symbol: "MSFT", marketValue: null, stop: 95 });
    expect(openRiskOf([loser, winner], "6")).toEqual({
      amount: "50",
      amount_from_market: null,
      unstopped: [],
      least_equity: null,
    });
    const shortWinner = position({ ...short, marketValue: null, stop: 80 });
    expect(openRiskOf([shortWinner], "6")).toMatchObject({ amount: "0", amount_from_market: null });
    expect(openRiskOf([loser], "6")).toMatchObject({ amount_from_market: "50" });
  });
});
