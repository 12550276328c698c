import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nasdaqEarnings, nasdaqReportDays } from "../../../src/providers/nasdaq/earnings.ts";
import { fixed } from "../../support/fixed-world.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, respondWith, signal } from "../requests.ts";

const STATUS = { rCode: 200, bCodeMessage: null, developerMessage: null };
/** A fetch with one response to every request. */
const responding = (body: unknown) => respondWith({ "": body }).fetch;

describeWithData("Nasdaq's calendar as recorded", ["fixtures", "nasdaq"], (folder) => {
  const body = readFileSync(join(folder, "calendar_earnings_2024-07-03.json"), "utf8");
  const date = "2024-07-03";

  it("returns the reports of a day, with estimates and time of day", async () => {
    const { fetch, requests, headers } = respondWith({ "": body });
    const { reports } = await nasdaqReportDays({ fetch }).call({ date }, { signal });
    expect(requests).toEqual(["https://api.nasdaq.com/api/calendar/earnings?date=2024-07-03"]);
    expect(headers[0]!.get("origin")).toBe("https://www.nasdaq.com");
    expect(headers[0]!.get("referer")).toBe("https://www.nasdaq.com/");
    const rows = (JSON.parse(body) as { data: { rows: readonly unknown[] } }).data.rows;
    expect(reports).toHaveLength(rows.length);
    expect(reports[0]).toEqual({
      symbol: "STZ",
      name: "Constellation Brands Inc",
      date,
      hour: "before_open",
      confirmed: true,
      period: "Q2 2024",
      eps_estimate: 3.46,
      eps_actual: null,
      revenue_estimate: null,
      revenue_actual: null,
    });
    // no estimate and no time; a loss in parentheses
    expect(reports[1]).toMatchObject({
      symbol: "HCM",
      hour: "unknown",
      confirmed: false,
      eps_estimate: null,
    });
    expect(reports[2]).toMatchObject({ symbol: "SPWR", eps_estimate: -0.29, period: "Q1 2024" });
  });

  it("is malformed for another day", async () => {
    const days = nasdaqReportDays({ fetch: responding(body) });
    expect(await kindOf(days.call({ date: "2024-07-05" }, { signal }))).toBe("malformed");
  });
});

describe("Nasdaq's earnings", () => {
  const AAPL = fixed("AAPL");
  const row = { fiscalQtrEnd: "Sep 2025", dateReported: "10/30/2025", eps: 1.85, consensusForecast: "1.77" };
  const request = (data: object, symbol = AAPL) =>
    nasdaqEarnings({ fetch: responding({ data, status: STATUS }) }).call(symbol, { signal });

  it("are malformed for another symbol, wherever the table names it", async () => {
    const table = { rows: [row] };
    expect(await kindOf(request({ symbol: "aapl", earningsSurpriseTable: table }))).toBe("answered");
    expect(await kindOf(request({ earningsSurpriseTable: { ...table, symbol: "AAPL" } }))).toBe("answered");
    expect(await kindOf(request({ symbol: "MSFT", earningsSurpriseTable: table }))).toBe("malformed");
    expect(await kindOf(request({ earningsSurpriseTable: { ...table, symbol: "MSFT" } }))).toBe("malformed");
  });
});

describe("Nasdaq's calendar", () => {
  const day = (rows: readonly object[] | null) =>
    nasdaqReportDays({
      fetch: responding({ data: { asOf: "Thu, Jan 30, 2025", rows }, status: STATUS }),
    }).call({ date: "2025-01-30" }, { signal });
  const row = { symbol: "AAPL", name: "Apple Inc.", time: "time-after-hours", epsForecast: "$2.35" };

  it("returns the figures of a past day, and sanitized names", async () => {
    expect(
      (await day([{ ...row, eps: "$2.40", name: "\u001b[31mApple\u202e\n  Inc." }])).reports,
    ).toMatchObject([{ name: "Apple Inc.", hour: "after_close", eps_estimate: 2.35, eps_actual: 2.4 }]);
    expect((await day([{ ...row, name: "x".repeat(500) }])).reports[0]!.name).toHaveLength(80);
  });

  it("is empty on a day without reports", async () => {
    expect((await day([])).reports).toEqual([]);
    expect((await day(null)).reports).toEqual([]);
  });

  it.each(["lots", "$", "1.2.3", "$1e5"])("does not read %s as an amount", async (epsForecast) => {
    expect(await kindOf(day([{ ...row, epsForecast }]))).toBe("malformed");
  });

  it.each([
    ["N/A", null],
    ["", null],
    ["--", null],
    [null, null],
    ["($0.29)", -0.29],
    ["-$0.29", -0.29],
    ["$1,234.50", 1234.5],
    [2.4, 2.4],
  ])("reads %j as %j", async (epsForecast, read) => {
    expect((await day([{ ...row, epsForecast }])).reports[0]!.eps_estimate).toBe(read);
  });
});

describe("Nasdaq's table of earnings surprises", () => {
  const result = (data: unknown, status: object = STATUS) =>
    nasdaqEarnings({ fetch: responding({ data, status }) }).call(fixed("AAPL"), { signal });
  const rows = [
    { fiscalQtrEnd: "Sep 2024", dateReported: "10/31/2024", eps: 0.97, consensusForecast: "0.94" },
    { fiscalQtrEnd: "Dec 2024", dateReported: "1/30/2025", eps: 2.4, consensusForecast: "2.35" },
  ];

  it("contains four quarters of EPS against the consensus, newest first, with their dates", async () => {
    const { reports, next } = await result({ earningsSurpriseTable: { rows } });
    const figure = (value: number) => ({ value, basis: "adjusted", by: "nasdaq" });
    expect(next).toBeNull();
    expect(reports).toMatchObject([
      {
        period: "Q4 2024",
        periodEnd: "2024-12-31",
        reportDate: "2025-01-30",
        reportedAt: null,
        eps: { actual: figure(2.4), estimate: figure(2.35) },
        revenue: { actual: null, estimate: null },
      },
      { period: "Q3 2024", reportDate: "2024-10-31" },
    ]);
  });

  it("omits rows without a quarter or EPS, and has null for a missing consensus", async () => {
    const incomplete = [
      { ...rows[1]!, consensusForecast: "N/A", dateReported: "13/45/2025" },
      { ...rows[0]!, fiscalQtrEnd: "Smarch 2024" },
      { ...rows[0]!, eps: "N/A" },
    ];
    const { reports } = await result({ earningsSurpriseTable: { rows: incomplete } });
    expect(reports).toMatchObject([{ period: "Q4 2024", reportDate: null, eps: { estimate: null } }]);
  });

  it("is unknown without rows, and down on a temporary failure", async () => {
    expect(await kindOf(result({ earningsSurpriseTable: { rows: [] } }))).toBe("unknown_symbol");
    expect(await kindOf(result({ earningsSurpriseTable: null }))).toBe("unknown_symbol");
    expect(await kindOf(result(null, { rCode: 400, bCodeMessage: [{ code: 1001 }] }))).toBe("unknown_symbol");
    expect(await kindOf(result(null))).toBe("down");
  });
});
