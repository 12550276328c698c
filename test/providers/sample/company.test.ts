import { describe, expect, it } from "vitest";
import { filedBy, periodsOf } from "../../../src/analytics/company/statements.ts";
import { listed, marketAt, STOCKS } from "./fixture.ts";

const NOW = Date.UTC(2026, 0, 1);
const { company, earnings } = marketAt(NOW);
const factsOf = async (symbol: string, market = company) => {
  const answer = await market.facts(listed(symbol));
  return "unavailable" in answer ? [] : answer.record.facts;
};

describe("sample filings", () => {
  it("agree with the simulated earnings of every company", async () => {
    for (const stock of STOCKS) {
      const periods = periodsOf(await factsOf(stock.symbol), "quarterly");
      for (const report of (await earnings.reports(stock)).reports) {
        const { facts } = periods.find(({ end }) => end === report.periodEnd)!;
        const value = (line: Parameters<typeof facts.get>[0]) => facts.get(line)!.value;
        expect(value("revenue")).toBe(report.revenue.actual!.value);
        expect(value("eps_diluted")).toBe(report.eps.actual!.value);
        expect(value("operating_cash_flow") - value("capital_expenditure")).toBe(report.adjustedFCF);
        expect(facts.get("revenue")!.filed).toBe(report.reportDate);
      }
    }
  });

  it("balance, and add up over a year", async () => {
    for (const { symbol } of STOCKS.slice(0, 12)) {
      const facts = await factsOf(symbol);
      const quarters = periodsOf(facts, "quarterly");
      for (const { facts: own } of quarters) {
        const value = (line: Parameters<typeof own.get>[0]) => own.get(line)!.value;
        expect(value("liabilities") + value("equity")).toBe(value("assets"));
        expect(value("cost_of_revenue") + value("gross_profit")).toBe(value("revenue"));
        expect(value("net_income")).toBeCloseTo(value("eps_diluted") * value("shares_diluted"), -1);
      }
      const years = periodsOf(facts, "annual");
      expect(years.map(({ end }) => end).slice(0, 3)).toEqual(["2024-12-31", "2023-12-31", "2022-12-31"]);
      for (const year of years.slice(0, 3)) {
        const parts = quarters.filter(({ end }) => end.slice(0, 4) === year.end.slice(0, 4));
        const sum = parts.reduce((total, part) => total + part.facts.get("revenue")!.value, 0);
        expect(year.facts.get("revenue")!.value).toBe(sum);
      }
    }
  });

  it("are labelled as simulated and never later than the clock", async () => {
    const facts = await factsOf("AAPL");
    expect(
      facts.every(({ tag, accession }) => tag.startsWith("sample:") && accession.startsWith("sample-")),
    ).toBe(true);
    expect(filedBy(facts, NOW)).toEqual(facts);
    const earlier = await factsOf("AAPL", marketAt(Date.UTC(2025, 0, 1)).company);
    expect(
      earlier
        .map(({ end }) => end)
        .sort()
        .at(-1),
    ).toBe("2024-09-30");
    expect(await company.facts(listed("SPY"))).toMatchObject({ unavailable: "not_covered" });
  });
});
