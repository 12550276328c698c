import { describe, expect, it } from "vitest";
import { rounded } from "../../src/lib/rounded.ts";
import { getCalendar } from "../../tools/get-calendar.ts";
import { getEarnings } from "../../tools/get-earnings.ts";
import { reportsOf } from "../replay/reports.ts";
import { call, KEYS, liveStage, requestCounts } from "../support/live.ts";

const HOUR = 3_600_000;
const SEC = { SEC_CONTACT: KEYS.SEC_CONTACT! };
const suite = liveStage("2026-01-15T15:00:00.000Z");
const { open } = suite;
const reports = () => reportsOf(suite.stage.world.instrument("AAPL"), suite.stage.world);

describe("earnings from live providers", () => {
  it("without a key compare EPS with the provider's estimate and add the filed figures", async () => {
    const installation = await open(SEC);
    const answer = await call(installation, getEarnings, { symbol: "AAPL" });
    const [next, newest] = reports();
    expect(answer).toMatchObject({
      symbol: "AAPL",
      dataSource: "yahoo",
      cached: false,
      market: "live",
      period: `Q${newest!.quarter} ${newest!.year}`,
      reportDate: newest!.date,
      eps: { actual: newest!.eps, estimate: newest!.epsEstimate, basis: "adjusted", reason: null },
      revenue: {
        actual: newest!.revenue,
        estimate: null,
        reason: "No estimate from before the report is known",
      },
      audited: { revenue: newest!.revenue, form: newest!.quarter === 4 ? "10-K" : "10-Q" },
      minutesSinceReport: Math.floor((suite.stage.world.now() - newest!.at) / 60_000),
      next: { date: next!.date, eps_estimate: next!.epsEstimate, confirmed: true, hour: "after_close" },
      provenance: { stale: false, coverage: [] },
    });
    expect(answer.kpiDeltas.map(({ name }) => name)).toContain("Revenue");
    expect(answer.missing.map(({ field }) => field)).toEqual(
      expect.arrayContaining(["revenue.surprisePct", "adjustedEBITDA", "adjustedFCF", "segmentDeltas"]),
    );
    expect(await call(installation, getEarnings, { symbol: "AAPL" })).toMatchObject({ cached: true });
  });

  it("compare revenue with the estimate stored before the report", async () => {
    const [ahead] = reports();
    await suite.withInstallation(
      SEC,
      (installation) => call(installation, getEarnings, { symbol: "AAPL" }),
      "estimates",
    );
    suite.stage.to(new Date(ahead!.at + HOUR / 2).toISOString());
    const after = await open(SEC, "estimates");
    const answer = await call(after, getEarnings, { symbol: "AAPL" });
    expect(answer).toMatchObject({
      period: `Q${ahead!.quarter} ${ahead!.year}`,
      minutesSinceReport: 30,
      revenue: { actual: ahead!.revenue, estimate: ahead!.revenueEstimate, basis: "reported" },
    });
    expect(answer.revenue.surprisePct).toBe(rounded(100 * (ahead!.revenue / ahead!.revenueEstimate - 1), 2));
    expect(answer.score_parts.map(({ part }) => part)).toEqual(["eps", "revenue"]);
  });

  it("take one request with a key, and come from Nasdaq if that provider and Yahoo are off", async () => {
    const calls = () => requestCounts(suite.stage.replay);
    const keyed = await open({ FINNHUB_TOKEN: KEYS.FINNHUB_TOKEN! });
    const { finnhub, yahoo } = calls();
    const answer = await call(keyed, getEarnings, { symbol: "AAPL" });
    expect(answer.dataSource).toBe("finnhub");
    expect(answer.revenue.result).not.toBeNull();
    expect([calls().finnhub! - finnhub!, calls().yahoo! - yahoo!]).toEqual([1, 0]);
    const off = await open({
      FINNHUB_TOKEN: KEYS.FINNHUB_TOKEN!,
      PROVIDERS_OFF: "finnhub,yahoo",
    });
    expect((await call(off, getEarnings, { symbol: "AAPL" })).dataSource).toBe("nasdaq");
  });

  it("are empty, with a reason, for a company that no provider covers", async () => {
    const installation = await open();
    const symbol = suite.stage.world
      .instruments()
      .find((one) => one.asset_class === "equity" && reportsOf(one, suite.stage.world).length === 0)!.symbol;
    const answer = await call(installation, getEarnings, { symbol });
    expect(answer).toMatchObject({
      symbol,
      signal: null,
      dataSource: null,
      missing: [{ field: "report", reason: `No provider covers ${symbol}: yahoo, nasdaq` }],
      provenance: {
        coverage: [
          `No provider covers ${symbol}: yahoo, nasdaq`,
          "SEC_CONTACT connects the companies' filings with the SEC",
        ],
      },
    });
  });
});

describe("the earnings calendar from live providers", () => {
  it("returns the given symbols, or all companies within a few days", async () => {
    const installation = await open();
    const [next] = reports();
    const window = { from: next!.date, to: next!.date };
    const own = await call(installation, getCalendar, { symbols: ["AAPL"], ...window });
    expect(own).toMatchObject({ dataSource: "yahoo", earnings: [{ symbol: "AAPL", date: next!.date }] });
    const all = await call(installation, getCalendar, window);
    expect(all.dataSource).toBe("nasdaq");
    expect(all.earnings.find(({ symbol }) => symbol === "AAPL")).toMatchObject({
      name: "AAPL Inc.",
      hour: "after_close",
      eps_actual: null,
      eps_estimate: next!.epsEstimate,
    });
  });
});
