import { z } from "zod";
import {
  blankReport,
  type EarningsReport,
  type ReportHour,
  type ScheduledReport,
} from "../../domain/earnings/earnings.ts";
import type { EarningsProvider, ReportDayProvider } from "../../domain/earnings/provider.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient } from "../shared/http-client.ts";
import { usTicker } from "../shared/us-ticker.ts";
import type { FinnhubSetup } from "./client.ts";

const BASE_URL = "https://finnhub.io";
const NAME = "finnhub";
const DAY = 86_400_000;
const [BACK, AHEAD] = [400 * DAY, 120 * DAY];

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
const Answer = z.object({ earningsCalendar: z.array(Release) });
const HOURS: Readonly<Record<string, ReportHour>> = {
  bmo: "before_open",
  amc: "after_close",
  dmh: "during_session",
};

export interface FinnhubEarningsSetup extends FinnhubSetup {
  /** Epoch ms. */
  readonly now: () => number;
}

/**
 * Finnhub's calendar: EPS and revenue, expected and come, of one company in one call; both sides adjusted. A free key
 * sees a month back and what is ahead. Quarters are the company's own. Of 60 calls a minute it publishes for all, 20 are used here.
 * @see https://finnhub.io/docs/api/earnings-calendar
 */
export function finnhubEarnings(setup: FinnhubEarningsSetup): EarningsProvider {
  const ask = createCalendarClient(setup);
  return {
    name: NAME,
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call(instrument: Instrument, { signal }) {
      if (instrument.asset_class !== "equity")
        throw new ProviderFailure("unsupported", "companies alone report");
      const symbol = usTicker(instrument);
      const now = setup.now();
      const rows = await ask({ symbol, from: dateOf(now - BACK), to: dateOf(now + AHEAD) }, signal);
      if (rows.length === 0) throw new ProviderFailure("unknown_symbol", "it lists no report of it");
      if (rows.some((row) => row.symbol !== symbol))
        throw new ProviderFailure("malformed", "an answer about another symbol");
      const out = rows.filter(({ epsActual, revenueActual }) => epsActual !== null || revenueActual !== null);
      const ahead = rows.filter((row) => !out.includes(row) && row.date >= dateOf(now));
      const [next] = ahead.sort((a, b) => (a.date < b.date ? -1 : 1));
      return {
        reports: out.sort((a, b) => (a.date < b.date ? 1 : -1)).map(reportOf),
        next: next === undefined ? null : scheduledOf(next, instrument.symbol),
      };
    },
  };
}

/** All reports of a day, US companies alone. */
export function finnhubReportDays(setup: FinnhubEarningsSetup): ReportDayProvider {
  const ask = createCalendarClient(setup);
  return {
    name: NAME,
    budget: { calls: 10, perMs: 60_000, atOnce: 2 },
    async call({ date }, { signal }) {
      const rows = await ask({ from: date, to: date }, signal);
      if (rows.some((row) => row.date !== date))
        throw new ProviderFailure("malformed", "reports of another day");
      return { reports: rows.map((row) => scheduledOf(row, row.symbol)) };
    },
  };
}

function createCalendarClient({ key, ...setup }: FinnhubEarningsSetup) {
  const headers = { accept: "application/json", "X-Finnhub-Token": key };
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, headers });
  return async (query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Release[]> => {
    const { body } = await wire.json("/api/v1/calendar/earnings", { query, signal });
    const read = Answer.safeParse(body);
    if (!read.success)
      throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
    return read.data.earningsCalendar;
  };
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const periodOf = ({ quarter, year }: Release): string | null =>
  typeof quarter === "number" && typeof year === "number" ? `Q${quarter} ${year}` : null;

function reportOf(row: Release): EarningsReport {
  const figure = (value: number | null, basis: "adjusted" | "reported") =>
    value === null ? null : { value, basis, by: NAME };
  return {
    ...blankReport(periodOf(row) ?? `reported ${row.date}`),
    reportDate: row.date,
    eps: { actual: figure(row.epsActual, "adjusted"), estimate: figure(row.epsEstimate, "adjusted") },
    revenue: {
      actual: figure(row.revenueActual, "reported"),
      estimate: figure(row.revenueEstimate, "reported"),
    },
  };
}

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
