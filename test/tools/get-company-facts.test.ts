import { describe, expect, it } from "vitest";
import { noCompany } from "../../src/app/providers/not-connected.ts";
import type { FiledFact } from "../../src/domain/company/facts.ts";
import type { Company } from "../../src/domain/ports.ts";
import { getCompanyFacts } from "../../tools/get-company-facts.ts";
import { filedFact, QUARTERS } from "../support/company.ts";
import { NOW } from "../support/context.ts";
import { simulatedMarket, smallMarket } from "../support/market.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const profile = {
  name: "Apple Inc.",
  cik: "0000320193",
  industry: "Electronic Computers",
  exchanges: ["Nasdaq"],
  state: "CA",
  fiscal_year_end: "09-27",
};
const filed = ["2024-05-01", "2024-08-01", "2024-11-01", "2025-02-01", "2025-05-01"] as const;
const facts: readonly FiledFact[] = QUARTERS.flatMap(([start, end], i) => {
  const filing = { start, end, filed: filed[i]!, accession: `0000000001-25-00000${i}` };
  return [
    filedFact("revenue", 100 + 10 * i, filing),
    filedFact("net_income", 20, filing),
    filedFact("shares_diluted", 10, filing),
    filedFact("assets", 1000, { ...filing, start: null }),
  ];
});
const companyOf = (own: readonly FiledFact[], stale = false): Company => ({
  ...noCompany,
  facts: async () => ({
    record: { profile, facts: own },
    source: "sec",
    fetchedAt: NOW.toISOString(),
    stale,
    tried: [],
  }),
});
const ports = { ...smallMarket().ports, company: companyOf(facts) };
const call = callerOf(getCompanyFacts, ports);
const ratio = (answer: Awaited<ReturnType<typeof call>>, name: string) =>
  answer.ratios.find((one) => one.name === name);

describe("get_company_facts", () => {
  it("returns the profile, and the newest quarter with tag and filing of each figure", async () => {
    const answer = await call({ symbol: "AAPL", limit: 1 });
    expect(answer).toMatchObject({
      symbol: "AAPL",
      coverage: { status: "covered", reason: null },
      profile,
      as_of: NOW.toISOString(),
      period: "quarterly",
      filings: [{ accession: "0000000001-25-000004", form: "10-Q", filed: "2025-05-01" }],
      ratios_of: "2025-03-31",
      provenance: { provider: "sec", fetched_at: NOW.toISOString(), stale: false },
    });
    expect(answer.statements).toHaveLength(1);
    const [quarter] = answer.statements;
    expect(quarter).toMatchObject({ start: "2025-01-01", end: "2025-03-31" });
    expect(quarter!.income[0]).toEqual({
      line: "revenue",
      value: 140,
      tag: "Tag of revenue",
      accession: "0000000001-25-000004",
      derived: false,
    });
    expect(quarter!.balance_sheet.map(({ line }) => line)).toEqual(["assets"]);
    expect(quarter!.cash_flow).toEqual([]);
    expect(quarter!.missing).toHaveLength(19);
    expect(quarter!.missing).toContain("equity");
  });

  it("computes ratios with the last close, names its time, and gives a reason for each missing one", async () => {
    const answer = await call({ symbol: "AAPL" });
    expect(answer.price).toEqual({
      close: 137.375,
      closed_at: "2026-01-14T21:00:00.000Z",
      source: "fixture",
    });
    // 137.375 x 10 over 4 x 20
    expect(ratio(answer, "price_to_earnings")).toEqual({
      name: "price_to_earnings",
      value: 17.1719,
      definition: "close x shares_diluted / ttm net_income; null for a loss",
      reason: null,
    });
    expect(ratio(answer, "revenue_growth")!.value).toBe(40);
    expect(ratio(answer, "price_to_book")).toMatchObject({
      value: null,
      reason: "equity of the newest quarter is not known",
    });
    expect(answer.notes).toEqual([
      "After a stock split, ratios with a price are wrong until the next filing has the new share count",
    ]);
  });

  it("uses only what had been filed by as_of, and no price that later splits changed", async () => {
    const market = { ...ports.market, mode: "live" } as const;
    const request = { symbol: "AAPL", limit: 1, as_of: "2025-04-30" };
    const answer = await call(request, { market });
    expect(answer.as_of).toBe("2025-05-01T00:00:00.000Z");
    expect(answer.statements.map(({ end }) => end)).toEqual(["2024-12-31"]);
    expect(answer).toMatchObject({ price: null, price_reason: expect.stringContaining("later splits") });
    expect(ratio(answer, "price_to_earnings")!.reason).toBe(answer.price_reason);
    expect(ratio(answer, "net_margin")!.value).toBe(17.3913);
    const none = await call({ symbol: "AAPL", as_of: "2024-01-01" });
    expect(none).toMatchObject({
      statements: [],
      notes: ["The company had filed no such period by 2024-01-01"],
    });
    await expect(call({ symbol: "AAPL", as_of: "2027-01-01" })).rejects.toMatchObject(invalidField("/as_of"));
  });

  it("returns annual statements, with ratios of the newest quarter", async () => {
    const year = { start: "2024-01-01", end: "2024-12-31", form: "10-K" };
    const company = companyOf([...facts, filedFact("revenue", 460, year)]);
    const answer = await call({ symbol: "AAPL", period: "annual" }, { company });
    expect(answer.statements).toMatchObject(
      [{ ...year, form: undefined, income: [{ value: 460 }] }].map(({ form: _, ...one }) => one),
    );
    expect(answer.ratios_of).toBe("2025-03-31");
  });

  it("notes old filings and a company without figures in US GAAP", async () => {
    const old = await call({ symbol: "AAPL" }, { company: companyOf(facts, true) });
    expect(old.notes[0]).toBe("No provider responds; these are the last known filings");
    const foreign = await call({ symbol: "AAPL" }, { company: companyOf([]) });
    expect(foreign.notes[0]).toBe(
      "The company has filed no figures in US GAAP, as many foreign companies do",
    );
  });

  it("gives the reason without a provider and for funds, and rejects if the provider fails", async () => {
    const without = { profile: null, statements: [], ratios: [], price: null, provenance: null };
    expect(await call({ symbol: "AAPL" }, { company: noCompany })).toMatchObject({
      ...without,
      coverage: { status: "not_connected", reason: expect.stringContaining("SEC_CONTACT") },
    });
    expect(await call({ symbol: "SPY" })).toMatchObject({
      ...without,
      coverage: { status: "not_covered", reason: "Only US companies file statements, not funds and coins" },
    });
    const failing: Company = { ...noCompany, facts: async () => Promise.reject(new Error("down")) };
    await expect(call({ symbol: "AAPL" }, { company: failing })).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it("takes about 1,500 tokens with detail concise in the simulated market", async () => {
    const answer = await call(
      { symbol: "AAPL", detail: "concise" },
      simulatedMarket("2026-01-15T15:00:00.000Z"),
    );
    expect(answer.statements[0]!.missing).toEqual([]);
    expect(answer.ratios.filter(({ value }) => value === null)).toEqual([]);
    // about four characters per token
    expect(JSON.stringify(answer).length).toBeLessThan(6_500);
  });
});

toolContract(getCompanyFacts, { ports });
