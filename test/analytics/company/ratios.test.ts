import { describe, expect, it } from "vitest";
import { ratiosOf } from "../../../src/analytics/company/ratios.ts";
import { periodsOf } from "../../../src/analytics/company/statements.ts";
import { type FiledFact, RATIO_NAMES } from "../../../src/domain/company/facts.ts";
import { filedFact, QUARTERS } from "../../support/company.ts";

/** Five quarters with a revenue of 100, 110, 120, 130 and 140, and a fifth of it as net income. */
const facts: readonly FiledFact[] = QUARTERS.flatMap(([start, end], i) => {
  const revenue = 100 + 10 * i;
  const of = { start, end };
  return [
    filedFact("revenue", revenue, of),
    filedFact("gross_profit", revenue / 2, of),
    filedFact("operating_income", revenue / 4, of),
    filedFact("net_income", revenue / 5, of),
    filedFact("shares_diluted", 50, of),
    filedFact("operating_cash_flow", 40, of),
    filedFact("capital_expenditure", 10, of),
    filedFact("assets", 1000, { start: null, end }),
    filedFact("liabilities", 600, { start: null, end }),
    filedFact("equity", 400, { start: null, end }),
    filedFact("current_assets", 300, { start: null, end }),
    filedFact("current_liabilities", 200, { start: null, end }),
  ];
});
const quarters = periodsOf(facts, "quarterly");
const price = { close: 40, noPrice: "no price" };

describe("ratios", () => {
  it("follow their definitions", () => {
    // four quarters: revenue 500, net income 100, free cash flow 120; market value 40 x 50 = 2000
    const ratios = ratiosOf(quarters, price);
    const values = RATIO_NAMES.map((name) => [name, Number(ratios[name].value?.toFixed(6))]);
    expect(Object.fromEntries(values)).toEqual({
      price_to_earnings: 20,
      price_to_sales: 4,
      price_to_book: 5,
      free_cash_flow_yield: 6,
      gross_margin: 50,
      operating_margin: 25,
      net_margin: 20,
      return_on_equity: 25,
      return_on_assets: 10,
      current_ratio: 1.5,
      liabilities_to_equity: 1.5,
      revenue_growth: 40,
    });
  });

  it("give the reason of a missing value", () => {
    const reasons = (of: typeof quarters, at = price) =>
      Object.fromEntries(RATIO_NAMES.map((name) => [name, ratiosOf(of, at)[name].reason]));
    expect(reasons(quarters, { close: null as never, noPrice: "no price" })).toMatchObject({
      price_to_earnings: "no price",
      price_to_book: "no price",
      free_cash_flow_yield: "no price",
      net_margin: null,
    });
    expect(reasons(quarters.slice(0, 3))).toMatchObject({
      price_to_earnings: "net_income of four quarters in a row is not known",
      net_margin: "net_income or revenue of four quarters in a row is not known",
      price_to_book: null,
      revenue_growth: "revenue of the newest quarter or of the same quarter a year before is not known",
    });
    // the second newest quarter is not known
    expect(reasons(quarters.filter((_, i) => i !== 1)).net_margin).toContain("in a row is not known");
    expect(reasons([]).price_to_sales).toBe("shares_diluted of the newest quarter is not known");
  });

  it("are null for a loss or without equity", () => {
    const loss = facts.map((one) =>
      one.line === "net_income" || one.line === "equity" ? { ...one, value: -one.value } : one,
    );
    const ratios = ratiosOf(periodsOf(loss, "quarterly"), price);
    for (const name of ["price_to_earnings", "price_to_book", "return_on_equity"] as const)
      expect(ratios[name]).toEqual({ value: null, reason: "The divisor is not positive" });
    expect(ratios.net_margin.value).toBe(-20);
  });
});
