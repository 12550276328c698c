import { describe, expect, it } from "vitest";
import { finnhubEarnings, finnhubReportDays } from "../../../src/providers/finnhub/earnings.ts";
import { fixed } from "../../support/fixed-world.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, readJson, respondWith, signal } from "../requests.ts";

const NOW = Date.UTC(2025, 1, 24);
function respond(rows: unknown) {
  const { fetch, requests } = respondWith({ "": { earningsCalendar: rows } });
  const setup = { fetch, key: "secret-token", now: () => NOW };
  return { requests, company: finnhubEarnings(setup), days: finnhubReportDays(setup) };
}
const ROW = {
  symbol: "AAPL",
  date: "2025-01-30",
  hour: "amc",
  year: 2025,
  quarter: 1,
  epsEstimate: 2.3469,
  epsActual: 2.4,
  revenueEstimate: 124_122_000_000,
  revenueActual: 124_300_000_000,
};
const AHEAD = { ...ROW, date: "2025-05-01", quarter: 2, epsActual: null, revenueActual: null };

describeWithData("Finnhub's calendar as documented", ["fixtures", "finnhub"], (folder) => {
  it("contains the fields that are read, adjusted on both sides", () => {
    const { definitions, paths } = readJson<any>(folder, "swagger_subset.json");
    expect(Object.keys(definitions.EarningRelease.properties)).toEqual(
      expect.arrayContaining(Object.keys(ROW)),
    );
    expect(paths["/calendar/earnings"].get.description).toContain(
      "EPS and Revenue in this endpoint are non-GAAP",
    );
    expect(Object.keys(definitions.EarningsCalendar.properties)).toEqual(["earningsCalendar"]);
  });
});

describe("Finnhub's calendar", () => {
  it("returns EPS and revenue, actual and estimated, and the next report in one call", async () => {
    const { company, requests } = respond([
      AHEAD,
      ROW,
      { ...ROW, date: "2024-10-31", quarter: 4, year: 2024 },
    ]);
    const { reports, next } = await company.call(fixed("AAPL"), { signal });
    expect(requests).toEqual([
      "https://finnhub.io/api/v1/calendar/earnings?symbol=AAPL&from=2024-01-21&to=2025-06-24",
    ]);
    const figure = (value: number, basis: string) => ({ value, basis, by: "finnhub" });
    expect(reports.map(({ period, reportDate }) => [period, reportDate])).toEqual([
      ["Q1 2025", "2025-01-30"],
      ["Q4 2024", "2024-10-31"],
    ]);
    expect(reports[0]).toMatchObject({
      eps: { actual: figure(2.4, "adjusted"), estimate: figure(2.3469, "adjusted") },
      revenue: { actual: figure(124.3e9, "reported"), estimate: figure(124.122e9, "reported") },
    });
    expect(next).toMatchObject({
      symbol: "AAPL",
      date: "2025-05-01",
      hour: "after_close",
      confirmed: true,
      period: "Q2 2025",
      eps_estimate: 2.3469,
      eps_actual: null,
    });
  });

  it("does not return an overdue report as the next one, and marks a date without an hour as an estimate", async () => {
    const overdue = { ...AHEAD, date: "2025-02-20" };
    const { next, reports } = await respond([overdue, { ...AHEAD, hour: "" }]).company.call(fixed("AAPL"), {
      signal,
    });
    expect([reports, next?.date, next?.hour, next?.confirmed]).toEqual([[], "2025-05-01", "unknown", false]);
  });

  it("is malformed for another symbol or day, and unknown without rows", async () => {
    expect(await kindOf(respond([{ ...ROW, symbol: "MSFT" }]).company.call(fixed("AAPL"), { signal }))).toBe(
      "malformed",
    );
    expect(await kindOf(respond([]).company.call(fixed("AAPL"), { signal }))).toBe("unknown_symbol");
    expect(await kindOf(respond([ROW]).days.call({ date: "2025-01-31" }, { signal }))).toBe("malformed");
    expect(await respond([]).days.call({ date: "2025-01-31" }, { signal })).toEqual({ reports: [] });
  });

  it("returns the reports of a day with their figures", async () => {
    expect((await respond([ROW]).days.call({ date: "2025-01-30" }, { signal })).reports).toMatchObject([
      { symbol: "AAPL", eps_actual: 2.4, revenue_estimate: 124.122e9 },
    ]);
  });
});
