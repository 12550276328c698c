import { z } from "zod";
import {
  blankReport,
  type EarningsReport,
  type ReportHour,
  type ScheduledReport,
} from "../../domain/earnings/earnings.ts";
import {
  calendarQuarter,
  type EarningsProvider,
  type ReportDayProvider,
} from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { plainText } from "../../lib/plain-text.ts";
import { displayText } from "../shared/display-text.ts";
import { companyTicker, figureBy } from "../shared/earnings.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { rowsOf } from "../shared/rows.ts";
import { parseUsDate } from "../shared/timestamps.ts";
import { Money, parseMonthEnd, parseNamedDate, reportsApi } from "./api.ts";

const NAME = "nasdaq";

const Row = z.object({
  fiscalQtrEnd: z.string().max(20),
  dateReported: z.string().max(20),
  eps: Money,
  consensusForecast: Money,
});
/** The symbol of the table, which not every response repeats. */
const TableSymbol = z.string().nullish();
const Surprises = z.object({
  symbol: TableSymbol,
  earningsSurpriseTable: z.object({ symbol: TableSymbol, rows: rowsOf(Row).nullable() }).nullable(),
});

/**
 * Creates the provider of Nasdaq.com's table of adjusted EPS against the consensus: four quarters, one call per symbol,
 * no revenue. A table of another symbol is rejected; without a symbol it cannot be detected. The call budget is part of
 * the budget for Nasdaq.com.
 */
export function nasdaqEarnings(setup: ProviderSetup): EarningsProvider {
  const get = reportsApi(setup);
  return {
    name: NAME,
    budget: { calls: 8, perMs: 60_000, atOnce: 1 },
    async call(instrument, { signal }) {
      const ticker = companyTicker(instrument);
      const path = `/api/company/${ticker}/earnings-surprise`;
      const { symbol, earningsSurpriseTable: table } = await get(path, Surprises, { signal });
      if ([symbol, table?.symbol].some((name) => name != null && name.toUpperCase() !== ticker))
        throw new ProviderFailure("malformed", "response about another symbol");
      const rows = table?.rows ?? [];
      if (rows.length === 0) throw new ProviderFailure("unknown_symbol", "no reports for this symbol");
      const reports = rows.flatMap(reportOf).sort((a, b) => (a.periodEnd! < b.periodEnd! ? 1 : -1));
      return { reports, next: null };
    },
  };
}

function reportOf(row: z.infer<typeof Row>): readonly EarningsReport[] {
  const periodEnd = parseMonthEnd(row.fiscalQtrEnd);
  if (periodEnd === null || row.eps === null) return [];
  const eps = {
    actual: figureBy(NAME, "adjusted", row.eps),
    estimate: figureBy(NAME, "adjusted", row.consensusForecast),
  };
  const reportDate = parseUsDate(row.dateReported);
  return [{ ...blankReport(calendarQuarter(periodEnd)), periodEnd, reportDate, eps }];
}

const MAX_NAME_LENGTH = 80;
const HOURS: Readonly<Record<string, ReportHour>> = {
  "time-pre-market": "before_open",
  "time-after-hours": "after_close",
};

const CalendarRow = z.object({
  symbol: z.string().min(1).max(20),
  name: z.string().nullish(),
  time: z.string().nullish(),
  fiscalQuarterEnding: z.string().nullish(),
  epsForecast: Money,
  eps: Money,
});
/** `asOf` is `Wed, Jul 3, 2024`. */
const Calendar = z.object({ asOf: z.string().max(40), rows: rowsOf(CalendarRow).nullable() });

/** Creates the provider of Nasdaq.com's earnings calendar: one day per call, with company names. */
export function nasdaqReportDays(setup: ProviderSetup): ReportDayProvider {
  const get = reportsApi(setup);
  return {
    name: "nasdaq",
    budget: { calls: 15, perMs: 60_000, atOnce: 2 },
    async call({ date }, { signal }) {
      const { asOf, rows } = await get("/api/calendar/earnings", Calendar, { query: { date }, signal });
      if (parseNamedDate(asOf.replace(/^[A-Z][a-z]{2}, /, "")) !== date)
        throw new ProviderFailure("malformed", "reports of another day");
      return { reports: (rows ?? []).map((row) => scheduledOf(row, date)) };
    },
  };
}

function scheduledOf({ name, ...row }: z.infer<typeof CalendarRow>, date: string): ScheduledReport {
  const hour = HOURS[row.time ?? ""] ?? "unknown";
  const end = parseMonthEnd((row.fiscalQuarterEnding ?? "").replace("/", " "));
  return {
    symbol: plainText(row.symbol, 20),
    name: typeof name === "string" ? plainName(name) : null,
    date,
    hour,
    confirmed: hour !== "unknown",
    period: end === null ? null : calendarQuarter(end),
    eps_estimate: row.epsForecast,
    eps_actual: row.eps,
    revenue_estimate: null,
    revenue_actual: null,
  };
}

const plainName = (name: string): string => displayText(name, 4 * MAX_NAME_LENGTH).slice(0, MAX_NAME_LENGTH);
