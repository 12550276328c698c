import { describe, expect, it } from "vitest";
import { getCalendar } from "../../tools/get-calendar.ts";
import { getShortInterest } from "../../tools/get-short-interest.ts";
import { dividendsOf } from "../replay/events.ts";
import { call, liveStage, requestCounts } from "../support/live.ts";

// half an hour after the close
const suite = liveStage("2026-01-15T21:30:00Z");
const { open } = suite;
const apple = () => suite.stage.world.instrument("AAPL")!;

describe("data without a key", { timeout: 60_000 }, () => {
  it("has short interest from FINRA, as published by an earlier day too, in one call", async () => {
    const installation = await open({});
    const { reports, percent_basis, provenance } = await call(installation, getShortInterest, {
      symbol: "AAPL",
    });
    const truth = suite.stage.world.shortInterest(apple()).toReversed();
    expect(reports.map(({ shares_short }) => shares_short)).toEqual(
      truth.slice(0, 6).map(({ shares }) => shares),
    );
    expect(reports[0]).toMatchObject({ settled: "2025-12-31", published: "2026-01-12" });
    expect(provenance).toMatchObject({ provider: "finra", stale: false });
    expect(percent_basis).toContain("SEC_CONTACT");
    const before = requestCounts(suite.stage.replay).finra!;
    const earlier = await call(installation, getShortInterest, { symbol: "AAPL", as_of: "2026-01-10" });
    expect(earlier.reports[0]).toMatchObject({ settled: "2025-12-15" });
    expect(requestCounts(suite.stage.replay).finra!).toBe(before);
  });

  it("has dividends of a stock, a month of IPOs and today's halts, each in one call", async () => {
    const installation = await open({});
    const dividends = await call(installation, getCalendar, {
      type: "dividends",
      symbols: ["AAPL"],
      from: "2025-11-01",
      to: "2026-01-31",
    });
    const due = dividendsOf(apple(), suite.stage.world).filter(({ date }) => date >= "2025-11-01");
    expect(dividends.events.map(({ date }) => date)).toEqual(
      due.map(({ date }) => date).filter((date) => date <= "2026-01-31"),
    );
    expect(dividends).toMatchObject({ dataSource: "nasdaq", total: dividends.events.length });
    const ipos = await call(installation, getCalendar, { type: "ipos", to: "2026-01-31" });
    expect(ipos.events).toMatchObject([{ date: "2026-01-18", symbol: "ZZUP" }]);
    const halts = await call(installation, getCalendar, { type: "halts" });
    expect(halts).toMatchObject({
      from: "2026-01-15",
      to: "2026-01-15",
      dataSource: "nasdaqtrader",
      total: 2,
    });
    expect(halts.events.map(({ at, until }) => [at, until])).toEqual([
      ["2026-01-15T14:47:00.000Z", "2026-01-15T14:52:00.000Z"],
      ["2026-01-15T15:10:00.000Z", null],
    ]);
    const splits = await call(installation, getCalendar, { type: "splits", to: "2026-01-16" });
    expect(splits.events.map(({ date, amount }) => [date, amount])).toEqual([
      ["2026-01-15", 0.1],
      ["2026-01-16", 0.1],
    ]);
  });

  it("is off by one setting, which the answer names", async () => {
    const installation = await open({ PROVIDERS_OFF: "finra,nasdaq,nasdaqtrader" });
    expect(await call(installation, getShortInterest, { symbol: "AAPL" })).toMatchObject({
      coverage: { status: "not_connected", reason: expect.stringContaining("PROVIDERS_OFF") },
      reports: [],
    });
    for (const type of ["dividends", "splits", "ipos", "halts"] as const)
      expect(await call(installation, getCalendar, { type })).toMatchObject({
        events: [],
        total: null,
        notes: [expect.stringContaining("PROVIDERS_OFF")],
      });
  });
});
