import { describe, expect, it } from "vitest";
import { noCompany, noShortInterest } from "../../src/app/providers/not-connected.ts";
import type { FiledFact } from "../../src/domain/company/facts.ts";
import type { Company } from "../../src/domain/ports.ts";
import type { ShortInterestReport } from "../../src/domain/short-interest/short-interest.ts";
import type { ShortInterest } from "../../src/domain/short-interest/short-interest-port.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { getShortInterest } from "../../tools/get-short-interest.ts";
import { NOW } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const report = (date: string, over: Partial<ShortInterestReport> = {}): ShortInterestReport => ({
  settlement: Date.parse(date),
  shares: 1_100,
  previous: 1_000,
  averageVolume: 400,
  split: false,
  revised: false,
  knownAt: Date.parse(date) + 12 * 86_400_000,
  ...over,
});
const origin = { source: "finra", fetchedAt: NOW.toISOString(), stale: false, tried: [] };
const shortInterestOf = (reports: readonly ShortInterestReport[], over: object = {}): ShortInterest => ({
  reports: async () => ({ reports, ...origin, ...over }),
});
const fact: FiledFact = {
  line: "shares_diluted",
  start: "2025-07-01",
  end: "2025-09-30",
  value: 20_000,
  filed: "2025-10-30",
  form: "10-Q",
  accession: "0000000001-25-000001",
  tag: "WeightedAverageNumberOfDilutedSharesOutstanding",
  rank: 0,
};
const profile = { name: "A", cik: null, industry: null, exchanges: [], state: null, fiscal_year_end: null };
const company: Company = {
  ...noCompany,
  facts: async () => ({ record: { profile, facts: [fact] }, ...origin }),
};
const december = [report("2025-11-28", { shares: 1_000, previous: 800 }), report("2025-12-15")];
const ports = { ...smallMarket().ports, company, shortInterest: shortInterestOf(december) };
const call = callerOf(getShortInterest, ports);

describe("get_short_interest", () => {
  it("lists the reports with change, days to cover and the share of the company", async () => {
    expect(await call({ symbol: "AAPL" })).toMatchObject({
      ok: true,
      symbol: "AAPL",
      asset_class: "equity",
      coverage: { status: "covered", reason: null },
      as_of: NOW.toISOString(),
      reports: [
        {
          settled: "2025-12-15",
          published: "2025-12-26",
          shares_short: 1_100,
          change_percent: 10,
          average_volume: 400,
          days_to_cover: 2.75,
        },
        expect.objectContaining({ settled: "2025-11-28", change_percent: 25 }),
      ],
      percent_of_company: 5.5,
      percent_basis:
        "20,000 diluted shares of the quarter to 2025-09-30, those of insiders included; no provider has the float",
      provenance: { provider: "finra", fetched_at: NOW.toISOString(), stale: false },
      notes: ["Positions settled by 2025-12-15: later trades are not in them"],
      alternatives: [],
      market: "sample",
    });
  });

  it("uses nothing published or filed after as_of", async () => {
    expect(await call({ symbol: "AAPL", as_of: "2025-12-20" })).toMatchObject({
      reports: [{ settled: "2025-11-28" }],
      percent_of_company: 5,
    });
    expect(await call({ symbol: "AAPL", as_of: "2025-12-01" })).toMatchObject({
      reports: [],
      percent_of_company: null,
      notes: ["No report was published by then"],
    });
    const early = shortInterestOf([report("2025-09-15")]);
    expect(
      await callerOf(getShortInterest, { ...ports, shortInterest: early })({
        symbol: "AAPL",
        as_of: "2025-10-15",
      }),
    ).toMatchObject({
      percent_of_company: null,
      percent_basis: "No quarter filed by then has a number of shares",
    });
  });

  it("leaves out reports on positions of the future", async () => {
    const reports = [...december, report("2099-12-31", { shares: 9 }), report("9999-12-31")];
    const withFuture = callerOf(getShortInterest, { ...ports, shortInterest: shortInterestOf(reports) });
    expect(await withFuture({ symbol: "AAPL" })).toEqual(await call({ symbol: "AAPL" }));
  });

  it("has no change and no share after a split, and no days to cover without volume", async () => {
    const split = shortInterestOf([
      report("2025-12-15", { split: true, averageVolume: null, revised: true }),
    ]);
    const ask = callerOf(getShortInterest, { ...ports, shortInterest: split });
    expect(await ask({ symbol: "AAPL", as_of: "2025-12-31" })).toMatchObject({
      reports: [{ change_percent: null, average_volume: null, days_to_cover: null }],
      percent_of_company: null,
      percent_basis: "The shares were split after the newest quarter that was filed",
      notes: [
        "Positions settled by 2025-12-15: later trades are not in them",
        "Corrected after publication, at an unknown time: 2025-12-15",
      ],
    });
  });

  it("gives the reason without filings, for funds and tokens, without a provider, and says what is stale", async () => {
    const outage = new ToolError("UPSTREAM_UNAVAILABLE", "No provider answered for filings of AAPL");
    const failing: Company = { ...noCompany, facts: () => Promise.reject(outage) };
    const stale = shortInterestOf(december, { stale: true });
    expect(
      await callerOf(getShortInterest, { ...ports, company: failing, shortInterest: stale })({
        symbol: "AAPL",
      }),
    ).toMatchObject({
      percent_of_company: null,
      percent_basis: "No provider answered for filings of AAPL",
      notes: [expect.any(String), "No provider responds; these are the last known reports"],
    });
    expect(await call({ symbol: "SPY" })).toMatchObject({
      percent_of_company: null,
      percent_basis: "Funds file no number of shares",
    });
    expect(await call({ symbol: "BTC-USD" })).toMatchObject({
      coverage: {
        status: "not_covered",
        reason: "Short interest is reported only for US stocks and funds",
      },
      reports: [],
    });
    expect(
      await callerOf(getShortInterest, { ...ports, shortInterest: noShortInterest })({ symbol: "AAPL" }),
    ).toMatchObject({ coverage: { status: "not_connected" }, reports: [], provenance: null });
  });

  it("is printed with a row for each report", async () => {
    const plain = (_: string, text: string) => text;
    const answer = await call({ symbol: "AAPL", limit: 1 });
    expect(getShortInterest.terminal!(answer, plain).split("\n")).toEqual([
      "AAPL short interest; 5.5 % of 20,000 diluted shares of the quarter to 2025-09-30, those of insiders included; no provider has the float",
      "settled     published   shares short  change  days to cover",
      "2025-12-15  2025-12-26         1,100    +10%           2.75",
      `from finra, ${NOW.toISOString()}`,
      "Positions settled by 2025-12-15: later trades are not in them",
    ]);
  });
});

toolContract(getShortInterest, { ports });
