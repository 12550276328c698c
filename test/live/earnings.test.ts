import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getCalendar } from "../../tools/get-calendar.ts";
import { getEarnings } from "../../tools/get-earnings.ts";
import { reportsOf } from "../replay/reports.ts";
import { heard, KEYS, type LiveStage, stageAt, told } from "../support/live.ts";
import { tempDir } from "../support/temp-dir.ts";

const HOUR = 3_600_000;
const SEC = { SEC_CONTACT: KEYS.SEC_CONTACT! };
let stage: LiveStage;
beforeAll(async () => {
  stage = await stageAt("2026-01-15T15:00:00.000Z");
});
afterAll(() => stage.close());
const reports = () => reportsOf(stage.world.instrument("AAPL"), stage.world);

describe("earnings of live vendors", () => {
  it("are judged without a key: EPS against the vendor's own estimate, revenue without one, filings beside", async () => {
    const house = await stage.open(tempDir(), SEC);
    const answer = await told(house, getEarnings, { symbol: "AAPL" });
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
      minutesSinceReport: Math.floor((stage.world.now() - newest!.at) / 60_000),
      next: { date: next!.date, eps_estimate: next!.epsEstimate, confirmed: true, hour: "after_close" },
      provenance: { stale: false, coverage: [] },
    });
    expect(answer.kpiDeltas.map(({ name }) => name)).toContain("Revenue");
    expect(answer.missing.map(({ field }) => field)).toEqual(
      expect.arrayContaining(["revenue.surprisePct", "adjustedEBITDA", "adjustedFCF", "segmentDeltas"]),
    );
    expect(await told(house, getEarnings, { symbol: "AAPL" })).toMatchObject({ cached: true });
    await house.stop();
  });

  it("compare revenue after the report with what had been expected before it, and are new within the hour", async () => {
    const dir = tempDir();
    const before = await stage.open(dir, SEC);
    const [ahead] = reports();
    await told(before, getEarnings, { symbol: "AAPL" });
    await before.stop();
    stage.to(new Date(ahead!.at + HOUR / 2).toISOString());
    const after = await stage.open(dir, SEC);
    const answer = await told(after, getEarnings, { symbol: "AAPL" });
    expect(answer).toMatchObject({
      period: `Q${ahead!.quarter} ${ahead!.year}`,
      minutesSinceReport: 30,
      revenue: { actual: ahead!.revenue, estimate: ahead!.revenueEstimate, basis: "reported" },
    });
    expect(answer.revenue.surprisePct).toBeCloseTo(100 * (ahead!.revenue / ahead!.revenueEstimate - 1), 3);
    expect(answer.score_parts.map(({ part }) => part)).toEqual(["eps", "revenue"]);
    await after.stop();
  });

  it("come of one call with a key, and of Yahoo where the key's vendor is off", async () => {
    const calls = () => heard(stage.replay);
    const keyed = await stage.open(tempDir(), { FINNHUB_TOKEN: KEYS.FINNHUB_TOKEN! });
    const { finnhub, yahoo } = calls();
    const answer = await told(keyed, getEarnings, { symbol: "AAPL" });
    expect(answer.dataSource).toBe("finnhub");
    expect(answer.revenue.result).not.toBeNull();
    expect([calls().finnhub! - finnhub!, calls().yahoo! - yahoo!]).toEqual([1, 0]);
    await keyed.stop();
    const off = await stage.open(tempDir(), {
      FINNHUB_TOKEN: KEYS.FINNHUB_TOKEN!,
      PROVIDERS_OFF: "finnhub,yahoo",
    });
    expect((await told(off, getEarnings, { symbol: "AAPL" })).dataSource).toBe("nasdaq");
    await off.stop();
  });

  it("are nothing, with the reason, of a company that reports nowhere", async () => {
    const house = await stage.open(tempDir());
    const symbol = stage.world
      .instruments()
      .find((one) => one.asset_class === "equity" && reportsOf(one, stage.world).length === 0)!.symbol;
    const answer = await told(house, getEarnings, { symbol });
    expect(answer).toMatchObject({
      symbol,
      signal: null,
      dataSource: null,
      missing: [{ field: "report", reason: `No source covers ${symbol}: yahoo, nasdaq` }],
      provenance: {
        coverage: [
          `No source covers ${symbol}: yahoo, nasdaq`,
          "SEC_CONTACT connects what companies file with the SEC",
        ],
      },
    });
    await house.stop();
  });
});

describe("the calendar of live vendors", () => {
  it("lists whom the symbols name, and everybody of a few days", async () => {
    const house = await stage.open(tempDir());
    const [next] = reports();
    const window = { from: next!.date, to: next!.date };
    const own = await told(house, getCalendar, { symbols: ["AAPL"], ...window });
    expect(own).toMatchObject({ dataSource: "yahoo", earnings: [{ symbol: "AAPL", date: next!.date }] });
    const all = await told(house, getCalendar, window);
    expect(all.dataSource).toBe("nasdaq");
    expect(all.earnings.find(({ symbol }) => symbol === "AAPL")).toMatchObject({
      name: "AAPL Inc.",
      hour: "after_close",
      eps_actual: null,
      eps_estimate: next!.epsEstimate,
    });
    await house.stop();
  });
});
