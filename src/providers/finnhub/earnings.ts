import { z } from "zod";
import {
  blankReport,
  type EarningsReport,
  type ReportHour,
  type ScheduledReport,
} from "../../domain/earnings/earnings.ts";
import type { EarningsProvider, ReportDayProvider } from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { companyTicker, figureBy } from "../shared/earnings.ts";
import { rowsOf } from "../shared/rows.ts";
import { isoDay } from "../shared/timestamps.ts";
import { type FinnhubSetup, finnhubApi } from "./api.ts";

const NAME = "finnhub";
const DAY = 86_400_000;
const DAYS_BACK = 400;
const DAYS_AHEAD = 120;
const HOURS: Readonly<Record<string, ReportHour>> = {
  bmo: "before_open",
  amc: "after_close",
  dmh: "during_session",
};

const Figure = z
  .number()
  .nullish()
  .transform((value) => value ?? null);
const Release = z.object({
  symbol: z.string().max(20),
  date: z.iso.date(),
  hour: z.string().nullish(),
  year: z.int().nullish(),
  quarter: z.int().min(1).max(4).nullish(),
  epsEstimate: Figure,
  epsActual: Figure,
  revenueEstimate: Figure,
  revenueActual: Figure,
});
type Release = z.infer<typeof Release>;
const Calendar = z.object({ earningsCalendar: rowsOf(Release) });

export interface FinnhubEarningsSetup extends FinnhubSetup {
  /** Returns the current time, epoch ms. */
  readonly now: () => number;
}

/**
 * Creates the provider of Finnhub's earnings calendar, one call per company: adjusted EPS and revenue, actual and
 * estimated, by the company's fiscal quarters. A free key covers the last month and all scheduled reports. Of the
 * published 60 calls a minute, this provider uses 20.
 * @see https://finnhub.io/docs/api/earnings-calendar
 */
export function finnhubEarnings(setup: FinnhubEarningsSetup): EarningsProvider {
  const readCalendar = createCalendar(setup);
  return {
    name: NAME,
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call(instrument, { signal }) {
      const symbol = companyTicker(instrument);
      const now = setup.now();
      const range = { from: isoDay(now - DAYS_BACK * DAY), to: isoDay(now + DAYS_AHEAD * DAY) };
      const rows = (await readCalendar({ symbol, ...range }, signal)).toSorted((a, b) =>
        a.date < b.date ? -1 : 1,
      );
      if (rows.length === 0) throw new ProviderFailure("unknown_symbol", "no reports for this symbol");
      if (rows.some((row) => row.symbol !== symbol))
        throw new ProviderFailure("malformed", "response about another symbol");
      const isReported = ({ epsActual, revenueActual }: Release) =>
        epsActual !== null || revenueActual !== null;
      const next = rows.find((row) => !isReported(row) && row.date >= isoDay(now));
      return {
        reports: rows.filter(isReported).reverse().map(reportOf),
        next: next === undefined ? null : scheduledOf(next, instrument.symbol),
      };
    },
  };
}

/** Creates the provider of all reports of US companies on a day. */
export function finnhubReportDays(setup: FinnhubEarningsSetup): ReportDayProvider {
  const readCalendar = createCalendar(setup);
  return {
    name: NAME,
    budget: { calls: 10, perMs: 60_000, atOnce: 2 },
    async call({ date }, { signal }) {
      const rows = await readCalendar({ from: date, to: date }, signal);
      if (rows.some((row) => row.date !== date))
        throw new ProviderFailure("malformed", "reports of another day");
      return { reports: rows.map((row) => scheduledOf(row, row.symbol)) };
    },
  };
}

function createCalendar(setup: FinnhubEarningsSetup) {
  const get = finnhubApi(setup);
  return async (query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly Release[]> =>
    (await get("/api/v1/calendar/earnings", Calendar, { query, signal })).earningsCalendar;
}

const periodOf = ({ quarter, year }: Release): string | null =>
  typeof quarter === "number" && typeof year === "number" ? `Q${quarter} ${year}` : null;

const reportOf = (row: Release): EarningsReport => ({
  ...blankReport(periodOf(row) ?? `reported ${row.date}`),
  reportDate: row.date,
  eps: {
    actual: figureBy(NAME, "adjusted", row.epsActual),
    estimate: figureBy(NAME, "adjusted", row.epsEstimate),
  },
  revenue: {
    actual: figureBy(NAME, "reported", row.revenueActual),
    estimate: figureBy(NAME, "reported", row.revenueEstimate),
  },
});

const scheduledOf = (row: Release, symbol: string): ScheduledReport => ({
  symbol,
  name: null,
  date: row.date,
  hour: HOURS[row.hour ?? ""] ?? "unknown",
  confirmed: HOURS[row.hour ?? ""] !== undefined,
  period: periodOf(row),
  eps_estimate: row.epsEstimate,
  eps_actual: row.epsActual,
  revenue_estimate: row.revenueEstimate,
  revenue_actual: row.revenueActual,
});
