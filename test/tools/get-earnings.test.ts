import { describe, expect, it } from "vitest";
import { noEarnings } from "../../src/app/providers/not-connected.ts";
import type { EarningsReport } from "../../src/domain/earnings/earnings.ts";
import type { Ports } from "../../src/domain/ports.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { getEarnings } from "../../tools/get-earnings.ts";
import { NOW, stoppedClock, unavailable } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const clock = stoppedClock();
const { members, earnings, bars } = sampleMarket({ clock });
const ports = {
  ...smallMarket().ports,
  symbols: createDirectory({ members }),
  bars,
  earnings,
};
const ask = callerOf(getEarnings, ports);

/** Earnings with one report: the newest of the sample with these fields replaced. */
const telling = (report: Partial<EarningsReport>): Partial<Ports> => ({
  earnings: {
    ...earnings,
    reports: async (instrument, options) => {
      const answer = await earnings.reports(instrument, options);
      return { ...answer, reports: [{ ...answer.reports[0]!, ...report }] };
    },
  },
});
const adjusted = (value: number) => ({ value, basis: "adjusted", by: "one" }) as const;

describe("get_earnings", () => {
  it("returns every documented field of Apple's newest quarter", async () => {
    const answer = await ask({ symbol: "aapl" });
    expect(answer).toMatchObject({
      ok: true,
      symbol: "AAPL",
      companyName: "Apple",
      period: "Q3 2025",
      dataSource: "sample",
      cached: false,
      fetchedAt: NOW.toISOString(),
      asset_class: "equity",
      market: "sample",
    });
    const { eps, revenue, signal, signalScore, adjustedEBITDA, adjustedFCF } = answer;
    expect(signal).toBe(eps.result);
    expect(revenue.estimate).toBeGreaterThan(1e9);
    expect(Math.min(signalScore!, adjustedEBITDA!, adjustedFCF!)).toBeGreaterThanOrEqual(0);
    expect(answer.kpiDeltas.length + answer.segmentDeltas.length).toBe(4);
    expect(answer.bullishPoints.length + answer.bearishPoints.length).toBeGreaterThan(0);
    expect(answer.minutesSinceReport).toBe((NOW.getTime() - Date.parse(answer.reportDate!)) / 60_000);
    expect(answer.missing.map(({ field }) => field)).toEqual(["audited"]);
    expect(answer.history).toHaveLength(8);
    expect(answer.next).toMatchObject({ symbol: "AAPL", period: "Q4 2025" });
  });

  it("divides the surprise by the price before the report when the estimate is small", async () => {
    const small = { eps: { actual: adjusted(0.12), estimate: adjusted(0.05) } };
    const { eps, reportDate } = await ask({ symbol: "AAPL" }, telling(small));
    const { bars: before } = await bars.history(ports.symbols.resolve("AAPL").instrument, {
      timeframe: "1d",
      limit: 1,
      asOf: Date.parse(reportDate!),
    });
    expect(eps.surprise_of).toBe("price");
    expect(eps.surprisePct).toBe(Number((7 / before.close[0]!).toFixed(2)));
  });

  it("does not compare an audited figure with an analyst's estimate, with the reason", async () => {
    const gaap = { ...adjusted(2), basis: "gaap" } as const;
    const answer = await ask(
      { symbol: "AAPL" },
      telling({ eps: { actual: gaap, estimate: adjusted(1) }, revenue: { actual: null, estimate: null } }),
    );
    expect(answer).toMatchObject({
      signal: null,
      signalScore: null,
      eps: { actual: 2, estimate: 1, surprisePct: null },
    });
    expect(answer.missing.find(({ field }) => field === "eps.surprisePct")!.reason).toBe(
      "Different accounting bases: actual gaap, estimate adjusted",
    );
  });

  it("uses revenue for the signal when EPS has no estimate, and notes it", async () => {
    const { signal, revenue, notes } = await ask(
      { symbol: "AAPL" },
      telling({ eps: { actual: adjusted(1), estimate: null } }),
    );
    expect(signal).toBe(revenue.result);
    expect(notes).toEqual(["The signal is based on revenue: EPS cannot be compared"]);
  });

  it("has no minutesSinceReport when only the date is known, and prints what is missing", async () => {
    const answer = await ask(
      { symbol: "AAPL" },
      telling({ reportedAt: null, adjustedFCF: null, segments: [] }),
    );
    expect(answer.minutesSinceReport).toBeNull();
    expect(answer.missing.map(({ field }) => field)).toEqual([
      "adjustedFCF",
      "segmentDeltas",
      "audited",
      "minutesSinceReport",
    ]);
    expect(getEarnings.terminal!(answer, (_, text) => text)).toContain(
      "minutesSinceReport: The time of the release is unknown",
    );
  });

  it("names the settings that connect missing fields", async () => {
    const unfiled = { revenue: { actual: adjusted(1), estimate: null }, kpis: [], reportedAt: null };
    const { missing } = await ask(
      { symbol: "AAPL" },
      {
        earnings: {
          ...earnings,
          reports: async (instrument, options) => ({
            ...(await telling(unfiled).earnings!.reports(instrument, options)),
            connects: { filings: "SO files", estimates: "SO tells" },
          }),
        },
      },
    );
    expect(missing).toEqual([
      { field: "revenue.surprisePct", reason: "No estimate from before the report is known; SO tells" },
      { field: "kpiDeltas", reason: "No connected provider supplies them; SO files" },
      { field: "audited", reason: "No filing of this quarter is known; SO files" },
      { field: "minutesSinceReport", reason: "The time of the release is unknown; SO files" },
    ]);
  });

  it("has no report of funds and tokens, or from CSV files, with the reason", async () => {
    for (const [symbol, reason] of [
      ["SPY", "SPY is a fund: only companies report earnings"],
      ["BTC-USD", "BTC-USD is a token: only companies report earnings"],
    ]) {
      const answer = await ask({ symbol });
      expect(answer).toMatchObject({ signal: null, dataSource: null, eps: { actual: null }, kpiDeltas: [] });
      expect(answer.missing).toEqual([{ field: "report", reason }]);
      expect([answer.eps.reason, answer.revenue.reason, answer.guidance.reason]).toEqual([
        reason,
        reason,
        reason,
      ]);
      expect([answer.fetchedAt, answer.provenance.as_of]).toEqual([null, null]);
      expect(getEarnings.terminal!(answer, (_, text) => text)).toMatch(/source {4}none$/);
    }
    expect(await ask({ symbol: "AAPL" }, { earnings: noEarnings })).toMatchObject({
      period: null,
      signalScore: null,
      fetchedAt: null,
      provenance: { as_of: null },
      eps: { reason: expect.stringContaining("MARKET_DATA=live") },
      missing: [
        {
          field: "report",
          reason:
            "CSV files hold no earnings: MARKET_DATA=live connects providers, MARKET_DATA=sample simulates them",
        },
      ],
    });
  });

  it("fails in an outage instead of returning an empty answer", async () => {
    const silent = unavailable("No source answers");
    const asked = ask({ symbol: "AAPL" }, { earnings: { ...earnings, reports: silent } });
    await expect(asked).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("rejects an unknown or missing symbol", async () => {
    await expect(ask({ symbol: "ZZZZQ" })).rejects.toMatchObject({ code: "UNKNOWN_SYMBOL" });
    await expect(ask({})).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

toolContract(getEarnings, { ports });
