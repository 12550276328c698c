import { describe, expect, it } from "vitest";
import {
  blankReport,
  type EarningsFigure,
  type EarningsReport,
  type ScheduledReport,
} from "../../../../src/domain/earnings/earnings.ts";
import type {
  EstimateRepository,
  EstimateSnapshot,
  ReportDateRecord,
} from "../../../../src/domain/earnings/estimate-repository-port.ts";
import type {
  EarningsProvider,
  FiledQuarter,
  FilingsProvider,
  ProviderEarnings,
  ProviderFilings,
  ReportDayProvider,
} from "../../../../src/domain/earnings/provider.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import type { Provider } from "../../../../src/domain/providers/provider.ts";
import { liveEarnings } from "../../../../src/features/earnings/live/earnings.ts";
import { guard } from "../../../../src/market/failover/guard.ts";
import { collectingLog } from "../../../support/context.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { movingClock } from "../../../support/store.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = new Date("2025-05-02T15:00:00.000Z");
const RELEASED = Date.parse("2025-05-01T20:30:00.000Z");
const AAPL = fixed("AAPL");
const figure = (value: number, basis: EarningsFigure["basis"] = "adjusted", by = "one") => ({
  value,
  basis,
  by,
});
const report = (over: Partial<EarningsReport> = {}): EarningsReport => ({
  ...blankReport("Q1 2025"),
  periodEnd: "2025-03-31",
  eps: { actual: figure(1.65), estimate: figure(1.62) },
  revenue: { actual: figure(95e9, "reported"), estimate: null },
  ...over,
});
const ahead = (over: Partial<ScheduledReport> = {}): ScheduledReport => ({
  symbol: "AAPL",
  name: null,
  date: "2025-07-31",
  hour: "unknown",
  confirmed: false,
  period: "Q2 2025",
  eps_estimate: 1.42,
  eps_actual: null,
  revenue_estimate: 89e9,
  revenue_actual: null,
  ...over,
});
const quarter = (end: string, over: Partial<FiledQuarter> = {}): FiledQuarter => ({
  start: "",
  end,
  derived: false,
  form: "10-Q",
  filed: "2025-05-02",
  epsDiluted: 1.65,
  revenue: 95_359_000_000,
  netIncome: 24_780_000_000,
  ...over,
});

const OUTAGE = { code: "UPSTREAM_UNAVAILABLE" };
const NO_FILINGS = () => ({ releases: [], quarters: [] });

type Way<A> = () => A | ProviderFailure["kind"];
function liveWith({
  earnings = [],
  filings,
  days,
  stored = [],
  settings = {},
}: {
  readonly earnings?: readonly Way<ProviderEarnings>[];
  readonly filings?: Way<ProviderFilings>;
  readonly days?: (date: string) => readonly ScheduledReport[] | ProviderFailure["kind"];
  readonly stored?: readonly EstimateSnapshot[];
  readonly settings?: Readonly<Record<string, string>>;
}) {
  const clock = movingClock(NOW);
  const requests: string[] = [];
  const snapshots = [...stored];
  const noted: ReportDateRecord[] = [];
  const guarded = <Q, A>(name: string, answer: (question: Q) => A | ProviderFailure["kind"]) =>
    guard<Provider<Q, A>>(
      () => ({
        name,
        budget: { calls: 1000, perMs: MINUTE, atOnce: 4 },
        call: async (question) => {
          requests.push(name);
          const response = answer(question);
          if (typeof response === "string")
            throw new ProviderFailure(response as ProviderFailure["kind"], "so");
          return response;
        },
      }),
      { fetch, clock },
    );
  const estimates: EstimateRepository = {
    save: async (snapshot) => void snapshots.unshift(snapshot),
    list: async (symbol) => snapshots.filter((one) => one.symbol === symbol),
    saveDate: async (date) => void noted.unshift(date),
    dateKnownAt: async (symbol, moment) =>
      noted.find((one) => one.symbol === symbol && one.notedAt <= moment) ?? null,
  };
  const names = ["one", "two"];
  const live = liveEarnings({
    providers: {
      earnings: earnings.map(
        (way, i) => guarded(names[i]!, way) as ReturnType<typeof guard<EarningsProvider>>,
      ),
      filings:
        filings === undefined ? [] : [guarded("sec", filings) as ReturnType<typeof guard<FilingsProvider>>],
      days:
        days === undefined
          ? []
          : [
              guarded("days", ({ date }: { readonly date: string }) => {
                const reports = days(date);
                return typeof reports === "string" ? reports : { reports };
              }) as ReturnType<typeof guard<ReportDayProvider>>,
            ],
    },
    estimates,
    clock,
    log: collectingLog().log,
    settings,
    connects: {
      ...(filings === undefined && { filings: "SEC_CONTACT connects the companies' filings with the SEC" }),
      estimates: "FINNHUB_TOKEN connects what was expected of revenue",
    },
  });
  return { live, clock, requests, snapshots, noted };
}
const answers =
  (reports: readonly EarningsReport[], next: ScheduledReport | null = null): Way<ProviderEarnings> =>
  () => ({ reports, next });

describe("live earnings", () => {
  it("add announcement time and filed figures to a provider's figures, and never replace them", async () => {
    const { live } = liveWith({
      earnings: [answers([report()])],
      filings: () => ({
        releases: [RELEASED, Date.parse("2025-04-02T12:00:00Z")],
        quarters: [
          quarter("2025-03-29"),
          quarter("2024-03-30", { epsDiluted: 1.53, revenue: 90_753_000_000, netIncome: 23_636_000_000 }),
        ],
      }),
    });
    const { reports, source, coverage } = await live.reports(AAPL);
    expect([source, coverage]).toEqual(["one", []]);
    expect(reports[0]).toMatchObject({
      reportedAt: RELEASED,
      reportDate: "2025-05-01",
      eps: { actual: figure(1.65), estimate: figure(1.62) },
      filed: { epsDiluted: 1.65, revenue: 95_359_000_000, form: "10-Q", filed: "2025-05-02" },
    });
    expect(reports[0]!.kpis.map(({ name, current, prior }) => [name, current, prior])).toEqual([
      ["Revenue", 95_359_000_000, 90_753_000_000],
      ["Net income", 24_780_000_000, 23_636_000_000],
      ["Diluted EPS (GAAP)", 1.65, 1.53],
    ]);
  });

  it("use the announcement on the provider's date, and none of another day", async () => {
    const releases = [Date.parse("2025-05-06T12:00:00Z"), RELEASED];
    const reportOf = async (reportDate: string) => {
      const earnings = [answers([report({ reportDate })])];
      const { live } = liveWith({ earnings, filings: () => ({ releases, quarters: [] }) });
      return (await live.reports(AAPL)).reports[0]!;
    };
    expect((await reportOf("2025-05-01")).reportedAt).toBe(RELEASED);
    expect(await reportOf("2025-05-03")).toMatchObject({ reportedAt: null, reportDate: "2025-05-03" });
  });

  it("store the revenue estimate before the report, and compare it after", async () => {
    let reports: readonly EarningsReport[] = [];
    let next = ahead({ period: "Q1 2025", date: "2025-05-02", revenue_estimate: 94e9 });
    const { live, clock, snapshots } = liveWith({ earnings: [() => ({ reports, next })] });
    await live.reports(AAPL);
    const stored = { symbol: "AAPL", source: "one", period: "Q1 2025", takenAt: NOW.getTime() };
    expect(snapshots).toEqual([{ ...stored, eps: 1.42, revenue: 94e9 }]);
    clock.pass(6 * HOUR);
    const reportedAt = clock.now().getTime() - HOUR;
    reports = [report({ reportedAt })];
    next = ahead();
    const after = await live.reports(AAPL);
    expect(after.reports[0]!.revenue).toEqual({
      actual: figure(95e9, "reported"),
      estimate: figure(94e9, "reported"),
    });
    // the EPS estimate is that of the provider's report
    expect(after.reports[0]!.eps.estimate).toEqual(figure(1.62));
  });

  it("use no estimate from after the report, of another provider or of another quarter", async () => {
    const at = RELEASED;
    const snapshot = (over: object): EstimateSnapshot => ({
      symbol: "AAPL",
      source: "one",
      period: "Q1 2025",
      takenAt: at - 1,
      eps: 1,
      revenue: 94e9,
      ...over,
    });
    const estimate = async (over: object, dated: Partial<EarningsReport> = { reportedAt: at }) => {
      const { live } = liveWith({ earnings: [answers([report(dated)])], stored: [snapshot(over)] });
      return (await live.reports(AAPL)).reports[0]!.revenue.estimate?.value ?? null;
    };
    expect(await estimate({})).toBe(94e9);
    expect(await estimate({ takenAt: at })).toBeNull();
    expect(await estimate({ source: "two" })).toBeNull();
    expect(await estimate({ period: "Q2 2025" })).toBeNull();
    const dateAlone = { reportDate: "2025-05-01", reportedAt: null };
    expect(await estimate({ takenAt: Date.parse("2025-04-30T23:59:59Z") }, dateAlone)).toBe(94e9);
    expect(await estimate({ takenAt: Date.parse("2025-05-01T00:00:00Z") }, dateAlone)).toBeNull();
  });

  it("state if an answer was cached, and are requested again within the hour", async () => {
    const { live, clock, requests } = liveWith({ earnings: [answers([report()])] });
    expect((await live.reports(AAPL)).cached).toBe(false);
    expect((await live.reports(AAPL)).cached).toBe(true);
    clock.pass(30 * MINUTE);
    expect(await live.reports(AAPL)).toMatchObject({
      cached: false,
      fetchedAt: new Date(NOW.getTime() + 30 * MINUTE).toISOString(),
    });
    expect(requests).toEqual(["one", "one"]);
  });

  it("fall back in order, and return an older answer only as stale", async () => {
    let up = true;
    const { live, clock } = liveWith({
      earnings: [() => "down", () => (up ? { reports: [report()], next: null } : "down")],
    });
    expect(await live.reports(AAPL)).toMatchObject({ source: "two", stale: false });
    up = false;
    clock.pass(HOUR);
    expect(await live.reports(AAPL)).toMatchObject({ source: "two", stale: true, cached: true });
    clock.pass(8 * DAY);
    await expect(live.reports(AAPL)).rejects.toMatchObject(OUTAGE);
  });

  it("use only filings if no provider covers a company: audited figures without an estimate", async () => {
    const filings = () => ({ releases: [RELEASED], quarters: [quarter("2025-03-29")] });
    for (const way of ["unknown_symbol", "down"] as const) {
      const { live } = liveWith({ earnings: [() => way], filings });
      const { reports, source, coverage, next } = await live.reports(AAPL);
      expect([source, next]).toEqual(["sec", null]);
      expect(reports[0]).toMatchObject({
        period: "Q1 2025",
        reportedAt: RELEASED,
        eps: { actual: figure(1.65, "gaap", "sec"), estimate: null },
        revenue: { actual: figure(95_359_000_000, "reported", "sec"), estimate: null },
      });
      expect(coverage).toEqual([
        way === "down" ? "No provider answered for earnings of AAPL" : "No provider covers AAPL: one",
      ]);
    }
  });

  it("name a rejected key, even if another provider responds", async () => {
    const earnings = [() => "auth" as const, answers([report()])];
    const { live } = liveWith({ earnings, settings: { one: "ONE_TOKEN" } });
    const { source, coverage } = await live.reports(AAPL);
    expect(source).toBe("two");
    expect(coverage).toContain("one rejects the key in ONE_TOKEN");
  });

  it("are an empty list with the reason without coverage, and an outage if no provider responds", async () => {
    const none = await liveWith({ earnings: [() => "unknown_symbol"] }).live.reports(AAPL);
    expect(none).toMatchObject({
      reports: [],
      source: null,
      coverage: ["No provider covers AAPL: one", "SEC_CONTACT connects the companies' filings with the SEC"],
    });
    expect((await liveWith({}).live.reports(AAPL)).coverage[0]).toBe(
      "Every provider of earnings is switched off",
    );
    await expect(liveWith({ earnings: [() => "down"] }).live.reports(AAPL)).rejects.toMatchObject(OUTAGE);
  });

  it("name the settings that connect filings and estimates, until they do", async () => {
    const { connects } = await liveWith({ earnings: [answers([report()])] }).live.reports(AAPL);
    expect(connects).toEqual({
      filings: "SEC_CONTACT connects the companies' filings with the SEC",
      estimates: "FINNHUB_TOKEN connects what was expected of revenue",
    });
    const filed = liveWith({ earnings: [answers([report()])], filings: NO_FILINGS });
    expect(Object.keys((await filed.live.reports(AAPL)).connects!)).toEqual(["estimates"]);
  });

  it("omit filings in an outage of the regulator, with the reason", async () => {
    const { live } = liveWith({ earnings: [answers([report()])], filings: () => "blocked" });
    const { reports, coverage } = await live.reports(AAPL);
    expect([reports.length, coverage]).toEqual([1, ["No provider answered for filings of AAPL"]]);
  });

  it("contain for a past moment only what was released by then, and no past date as the next", async () => {
    const past = [
      report({ reportedAt: RELEASED }),
      report({ period: "Q4 2024", reportDate: "2025-01-30" }),
      report({ period: "?" }),
    ];
    const { live } = liveWith({ earnings: [answers(past, ahead({ date: "2025-05-01" }))] });
    const periods = async (asOf?: number) =>
      (await live.reports(AAPL, asOf === undefined ? {} : { asOf })).reports.map(({ period }) => period);
    expect(await periods()).toEqual(["Q1 2025", "Q4 2024", "?"]);
    expect(await periods(RELEASED)).toEqual(["Q1 2025", "Q4 2024"]);
    expect(await periods(RELEASED - 1)).toEqual(["Q4 2024"]);
    expect(await periods(Date.parse("2025-01-30T23:00:00Z"))).toEqual([]);
    expect((await live.reports(AAPL)).next).toBeNull();
  });
});

describe("the next report", () => {
  const released = () => [answers([report({ reportedAt: RELEASED, reportDate: "2025-05-01" })], ahead())];

  it("is the provider's date while it has not passed", async () => {
    const { live } = liveWith({ earnings: released() });
    expect(await live.next(AAPL)).toMatchObject({
      next: { date: "2025-07-31", confirmed: false },
      reason: null,
    });
    const passed = liveWith({ earnings: [answers([], ahead({ date: "2025-05-01" }))] });
    expect(await passed.live.next(AAPL)).toEqual({
      next: null,
      reason: "one has no date for the next report of AAPL",
    });
  });

  it("is none with the reason without coverage, and an outage if no provider responds", async () => {
    const uncovered = liveWith({ earnings: [() => "unknown_symbol"] });
    for (let time = 0; time < 3; time++)
      expect(await uncovered.live.next(AAPL)).toEqual({ next: null, reason: "No provider covers AAPL: one" });
    expect(uncovered.requests).toEqual(["one"]);
    expect((await liveWith({}).live.next(AAPL)).reason).toBe("Every provider of earnings is switched off");
    await expect(liveWith({ earnings: [() => "down"] }).live.next(AAPL)).rejects.toMatchObject(OUTAGE);
  });

  it("requests no filings", async () => {
    const { live, requests } = liveWith({ earnings: released(), filings: NO_FILINGS });
    await live.next(AAPL);
    expect(requests).toEqual(["one"]);
  });

  it("was unknown before it was stored: a present date is not used for the past", async () => {
    const { live, requests } = liveWith({ earnings: released() });
    await live.next(AAPL);
    for (const asOf of [RELEASED - 16 * DAY, NOW.getTime() - 1]) {
      expect(await live.next(AAPL, { asOf })).toEqual({
        next: null,
        reason: "Providers supply only the current next date, and none was stored for AAPL by that time",
      });
      expect((await live.reports(AAPL, { asOf })).next).toBeNull();
    }
    expect(requests).toEqual(["one"]);
  });

  it("is the last one stored by a moment, regardless of later ones", async () => {
    let next = ahead({ date: "2025-05-28" });
    let reports: readonly EarningsReport[] = [];
    const { live, clock, requests } = liveWith({ earnings: [() => ({ reports, next })] });
    const moments = Array.from({ length: 60 }, (_, day) => NOW.getTime() + day * DAY);
    const at = async (asOf: number) => (await live.next(AAPL, { asOf })).next?.date ?? null;
    const seen: (string | null)[] = [];
    for (const moment of moments) {
      const day = (moment - NOW.getTime()) / DAY;
      if (day === 10) next = ahead({ date: "2025-05-27", hour: "after_close", confirmed: true });
      if (day === 26) {
        next = ahead();
        reports = [report({ reportDate: "2025-05-27" })];
      }
      await live.next(AAPL);
      clock.pass(DAY);
      seen.push(await at(moment));
    }
    const before = requests.length;
    expect(await Promise.all(moments.map(at))).toEqual(seen);
    expect(requests).toHaveLength(before);
    expect([seen[0], seen[9], seen[10], seen[25], seen[26], seen[59]]).toEqual([
      ...["2025-05-28", "2025-05-28", "2025-05-27", "2025-05-27"],
      ...["2025-07-31", "2025-07-31"],
    ]);
    expect(await at(NOW.getTime() - 1)).toBeNull();
  });
});

describe("the live calendar", () => {
  it("lists companies by their own reports, past and to come, in order", async () => {
    const { live } = liveWith({
      earnings: [answers([report({ reportDate: "2025-05-01" }), report({ period: "Q4 2024" })], ahead())],
    });
    const question = { instruments: [AAPL], from: "2025-05-01", to: "2025-07-31" };
    const { reports, source, cached, isComplete } = await live.schedule(question);
    expect([source, cached, isComplete]).toEqual(["one", false, true]);
    expect(reports).toMatchObject([
      { date: "2025-05-01", period: "Q1 2025", eps_actual: 1.65, eps_estimate: 1.62, confirmed: true },
      { date: "2025-07-31", period: "Q2 2025", eps_actual: null, revenue_estimate: 89e9 },
    ]);
    expect((await live.schedule({ ...question, from: "2025-05-02" })).reports).toHaveLength(1);
  });

  it("is incomplete without a company's answer, or with filings only", async () => {
    const question = { instruments: [AAPL], from: "2025-05-01", to: "2025-07-31" };
    const filings: Way<ProviderFilings> = () => ({ releases: [], quarters: [quarter("2025-03-31")] });
    const filed = await liveWith({ earnings: [() => "down"], filings }).live.schedule(question);
    expect(filed).toMatchObject({ reports: [{ date: "2025-05-02" }], source: "sec", isComplete: false });
    expect(filed.coverage).toEqual(["No provider answered for earnings of AAPL"]);
    const uncovered = await liveWith({ earnings: [() => "unknown_symbol"] }).live.schedule(question);
    expect([uncovered.source, uncovered.isComplete]).toEqual([null, false]);
  });

  it("requests at most twelve trading days, and names the first day omitted", async () => {
    const dates: string[] = [];
    const { live } = liveWith({
      days: (date) => {
        dates.push(date);
        return [ahead({ date })];
      },
    });
    const window = { instruments: null, from: "2025-05-17", to: "2025-06-30" };
    const { reports, coverage, isComplete } = await live.schedule(window);
    // without Memorial Day and weekends
    expect(dates).toEqual([
      ...["2025-05-19", "2025-05-20", "2025-05-21", "2025-05-22", "2025-05-23", "2025-05-27"],
      ...["2025-05-28", "2025-05-29", "2025-05-30", "2025-06-02", "2025-06-03", "2025-06-04"],
    ]);
    expect(reports.map(({ date }) => date)).toEqual(dates);
    expect(isComplete).toBe(false);
    expect(coverage).toEqual([
      "Providers cover one day per call: days from 2025-06-05 on were not requested; request them separately",
    ]);
  });

  it("names the unavailable days, and is an outage if all are", async () => {
    const { live } = liveWith({ days: (date) => (date === "2025-05-20" ? "down" : []) });
    const window = { instruments: null, from: "2025-05-19", to: "2025-05-21" };
    expect(await live.schedule(window)).toMatchObject({
      reports: [],
      isComplete: false,
      source: "days",
      coverage: ["2025-05-20: No provider answered for the earnings calendar of 2025-05-20"],
    });
    await expect(liveWith({ days: () => "down" }).live.schedule(window)).rejects.toMatchObject(OUTAGE);
    expect((await liveWith({}).live.schedule(window)).coverage).toEqual([
      "Every provider of an earnings calendar is switched off: pass symbols to read their dates",
    ]);
  });

  it("caches a day for an hour", async () => {
    const { live, clock, requests } = liveWith({ days: () => [] });
    const day = { instruments: null, from: "2025-05-19", to: "2025-05-19" };
    expect((await live.schedule(day)).cached).toBe(false);
    expect((await live.schedule(day)).cached).toBe(true);
    clock.pass(HOUR);
    expect((await live.schedule(day)).cached).toBe(false);
    expect(requests).toHaveLength(2);
  });
});

describe("providers of different detail", () => {
  it("prefer a provider with EPS and revenue to one with only EPS", async () => {
    const bare = report({ revenue: { actual: null, estimate: null } });
    const both = liveWith({ earnings: [answers([bare]), answers([report()])] });
    expect((await both.live.reports(AAPL)).source).toBe("two");
    const alone = liveWith({ earnings: [answers([bare]), () => "down"] });
    expect((await alone.live.reports(AAPL)).source).toBe("one");
  });
});
