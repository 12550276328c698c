import { describe, expect, it } from "vitest";
import { tradingDay } from "../../../src/market/calendar/holidays.ts";
import { between, correlation, DAY, listed, marketAt, STOCKS } from "./fixture.ts";

const NOW = Date.UTC(2026, 0, 1);
const AAPL = listed("AAPL");
const market = marketAt(NOW);

describe("sample earnings", () => {
  it("report AAPL against estimates of EPS and revenue, each quarter once, newest first", async () => {
    const { reports, next, source, coverage } = await market.earnings.reports(AAPL);
    expect([source, coverage, reports.length]).toEqual(["sample", [], 9]);
    const periods = reports.map(({ period }) => period).slice(0, 5);
    expect(periods).toEqual(["Q3 2025", "Q2 2025", "Q1 2025", "Q4 2024", "Q3 2024"]);
    expect(next).toMatchObject({ symbol: "AAPL", period: "Q4 2025", eps_actual: null, revenue_actual: null });
    for (const { eps, revenue, guidance } of reports)
      for (const { actual, estimate } of [eps, revenue, guidance]) {
        expect(actual!.value).toBeGreaterThan(0);
        expect(estimate!.value).toBeGreaterThan(0);
        expect([actual!.basis, actual!.by]).toEqual([estimate!.basis, estimate!.by]);
      }
  });

  it("fall on trading days, 20 to 50 days after the quarter", async () => {
    for (const stock of STOCKS)
      for (const { periodEnd, reportDate, reportedAt } of (await market.earnings.reports(stock)).reports) {
        const lag = (Date.parse(reportDate!) - Date.parse(periodEnd!)) / DAY;
        expect(lag).toBeGreaterThanOrEqual(19);
        expect(lag).toBeLessThanOrEqual(50);
        expect([tradingDay(Date.parse(reportDate!)), reportedAt]).toEqual(["full", Date.parse(reportDate!)]);
      }
  });

  it("are consistent: segments sum to revenue, and prior figures are those of the previous year", async () => {
    for (const stock of STOCKS.slice(0, 12)) {
      const { reports } = await market.earnings.reports(stock);
      for (const [i, { revenue, segments, kpis }] of reports.entries()) {
        const sum = segments.reduce((total, { current }) => total + current, 0);
        expect(sum).toBe(revenue.actual!.value);
        const [yearBefore] = reports.slice(i + 4);
        if (yearBefore === undefined) continue;
        expect([...kpis, ...segments].map(({ prior }) => prior)).toEqual(
          [...yearBefore.kpis, ...yearBefore.segments].map(({ current }) => current),
        );
      }
    }
  });

  it("contain no figures before their release, only its date", async () => {
    const { period, eps, ...report } = (await market.earnings.reports(AAPL)).reports[0]!;
    const reportedAt = report.reportedAt!;
    const before = await market.earnings.reports(AAPL, { asOf: reportedAt - 1 });
    expect(before.reports[0]!.period).not.toBe(period);
    expect(before.next).toMatchObject({
      period,
      date: new Date(reportedAt).toISOString().slice(0, 10),
      eps_estimate: eps.estimate!.value,
      eps_actual: null,
      revenue_actual: null,
      confirmed: true,
    });
    const early = await market.earnings.reports(AAPL, { asOf: reportedAt - 40 * DAY });
    expect(early.next).toMatchObject({ period, confirmed: false });
    const at = await market.earnings.reports(AAPL, { asOf: reportedAt });
    expect(at.reports[0]).toMatchObject({ period, eps });
  });

  it("correlate with the opening gap of their day as strongly as planned", async () => {
    const pairs: [number, number][] = [];
    for (const stock of STOCKS)
      for (let at = NOW; at > NOW - 6 * 365 * DAY; at -= 800 * DAY)
        for (const { eps, reportedAt } of (await market.earnings.reports(stock, { asOf: at })).reports) {
          const request = { timeframe: "1d", limit: 2, asOf: reportedAt! + DAY } as const;
          const { bars } = await market.bars.history(stock, request);
          const gap = bars.open[1]! / bars.close[0]! - 1;
          pairs.push([eps.actual!.value / eps.estimate!.value - 1, gap]);
        }
    expect(pairs.length).toBeGreaterThan(800);
    between(correlation(pairs), 0.6, 0.8);
  });

  it("beat, meet and miss their estimates", async () => {
    const surprises: number[] = [];
    for (const stock of STOCKS)
      for (const { eps } of (await market.earnings.reports(stock)).reports)
        surprises.push(100 * (eps.actual!.value / eps.estimate!.value - 1));
    const share = (of: (percent: number) => boolean) => surprises.filter(of).length / surprises.length;
    expect(share((percent) => percent >= 2)).toBeGreaterThan(0.4);
    expect(share((percent) => percent <= -2)).toBeGreaterThan(0.15);
    expect(share((percent) => Math.abs(percent) >= 10)).toBeGreaterThan(0.03);
  });

  it("are listed between two dates, past ones with figures and future ones without", async () => {
    const window = { instruments: null, from: "2025-11-01", to: "2026-01-31" };
    const { reports } = await market.earnings.schedule(window);
    expect(reports.map(({ date }) => date)).toEqual(reports.map(({ date }) => date).sort());
    expect(reports.every(({ date }) => date >= "2025-11-01" && date <= "2026-01-31")).toBe(true);
    for (const { date, eps_actual, eps_estimate } of reports) {
      expect(eps_estimate).not.toBeNull();
      expect(eps_actual !== null).toBe(Date.parse(date) <= NOW);
    }
    expect(reports.some(({ eps_actual }) => eps_actual === null)).toBe(true);
    const own = await market.earnings.schedule({ instruments: [AAPL], from: "2025-01-01", to: "2025-12-31" });
    expect(new Set(own.reports.map(({ symbol }) => symbol))).toEqual(new Set(["AAPL"]));
    expect(own.reports.map(({ period }) => period)).toEqual(["Q4 2024", "Q1 2025", "Q2 2025", "Q3 2025"]);
  });

  it("are empty for funds and coins, with the reason", async () => {
    for (const symbol of ["SPY", "BTC-USD"]) {
      const { reports, next, coverage } = await market.earnings.reports(listed(symbol));
      const reason = `The sample market has no company called ${symbol}`;
      expect([reports, next, coverage]).toEqual([[], null, [reason]]);
    }
  });
});
