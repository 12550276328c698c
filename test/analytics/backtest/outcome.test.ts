import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../src/analytics/backtest/outcome.ts";
import { ledgerOver } from "./tape.ts";

describe("an outcome", () => {
  it("is what a ledger came to, by hand", () => {
    // returns 10 %, -20 %, 25 %: the peak is 1100, the trough 880
    const outcome = outcomeOf(ledgerOver([1000, 1100, 880, 1100]), 1000, 252);
    expect(outcome.trade_count).toBe(0);
    expect(outcome.return_pct).toBeCloseTo(10, 12);
    expect(outcome.max_drawdown).toBeCloseTo(-20, 12);
  });

  it("has no Sharpe ratio where equity did not move", () => {
    expect(outcomeOf(ledgerOver([1000, 1000, 1000]), 1000, 252).sharpe_arithmetic).toBeNull();
  });

  it("counts ruin as a day on which all was lost", () => {
    const ruined = outcomeOf(ledgerOver([1000, 500, 0, 0, 0]), 1000, 252);
    expect(ruined).toMatchObject({ return_pct: -100, max_drawdown: -100 });
    // returns -.5, -1, 0, 0: mean -.375, squares .6875 over 3
    expect(ruined.sharpe_arithmetic).toBeCloseTo((-0.375 / Math.sqrt(0.6875 / 3)) * Math.sqrt(252), 10);
  });

  it("is zero for a run without a bar", () => {
    expect(outcomeOf(ledgerOver([]), 1000, 252)).toEqual({
      return_pct: 0,
      max_drawdown: 0,
      sharpe_arithmetic: null,
      trade_count: 0,
    });
  });
});
