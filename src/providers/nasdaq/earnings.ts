import { z } from "zod";
import type { EarningsReport, ReportHour, ScheduledReport } from "../../domain/earnings.ts";
import { plainText } from "../../lib/plain-text.ts";
import {
  blankReport,
  calendarQuarter,
  type EarningsProvider,
  type ReportDayProvider,
} from "../../market/live/earnings-told.ts";
import { SourceFailure } from "../../market/live/source.ts";
import { usTicker } from "../us-ticker.ts";
import { createWire, type SourceSetup } from "../wire.ts";
import { HEADERS } from "./client.ts";
import { Envelope } from "./wire.ts";

const BASE_URL = "https://api.nasdaq.com";
const NAME = "nasdaq";
/** Its calendar answers only to its own pages. */
const PAGE = { origin: "https://www.nasdaq.com", referer: "https://www.nasdaq.com/" };
const LONGEST_NAME = 80;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `$3.46`, `($0.29)`, `1,234.5`, a number; none where it writes `N/A` or nothing. */
const Money = z
  .union([z.number(), z.string().max(40)])
  .nullish()
  .transform((told, context): number | null => {
    if (typeof told === "number") return told;
    const text = (told ?? "").trim();
    if (text === "" || text === "N/A" || text === "--") return null;
    const [, less, digits] = /^(\(|-)?\$?(\d[\d,]*(?:\.\d+)?)\)?$/.exec(text) ?? [];
    if (digits !== undefined) return Number(digits.replaceAll(",", "")) * (less === undefined ? 1 : -1);
    context.addIssue({ code: "custom", message: "no amount" });
    return z.NEVER;
  });

const Surprises = z.object({
  earningsSurpriseTable: z
    .object({
      rows: z
        .array(
          z.object({
            fiscalQtrEnd: z.string().max(20),
            dateReported: z.string().max(20),
            eps: Money,
            consensusForecast: Money,
          }),
        )
        .nullable(),
    })
    .nullable(),
});
const Calendar = z.object({
  asOf: z.string().max(40),
  rows: z
    .array(
      z.object({
        symbol: z.string().min(1).max(20),
        name: z.string().nullish(),
        time: z.string().nullish(),
        fiscalQuarterEnding: z.string().nullish(),
        epsForecast: Money,
        eps: Money,
      }),
    )
    .nullable(),
});
const HOURS: Readonly<Record<string, ReportHour>> = {
  "time-pre-market": "before_open",
  "time-after-hours": "after_close",
};

/**
 * Nasdaq.com's table of EPS against the consensus, four quarters, as analysts count on both sides; no revenue. It names
 * no symbol, so an answer about another cannot be told. One call a question; the budget is a part of what is kept to there.
 */
export function nasdaqEarnings(setup: SourceSetup): EarningsProvider {
  const ask = asker(setup);
  return {
    name: NAME,
    budget: { calls: 8, perMs: 60_000, atOnce: 1 },
    async ask(instrument, { signal }) {
      if (instrument.asset_class !== "equity")
        throw new SourceFailure("unsupported", "companies alone report");
      const path = `/api/company/${usTicker(instrument)}/earnings-surprise`;
      const rows = (await ask(path, {}, Surprises, signal)).earningsSurpriseTable?.rows ?? [];
      if (rows.length === 0) throw new SourceFailure("unknown_symbol", "it has no reports of it");
      const reports = rows.flatMap((row): readonly EarningsReport[] => {
        const periodEnd = monthEnd(row.fiscalQtrEnd);
        if (periodEnd === null || row.eps === null) return [];
        const figure = (value: number | null) =>
          value === null ? null : { value, basis: "adjusted" as const, by: NAME };
        return [
          {
            ...blankReport(calendarQuarter(periodEnd)),
            periodEnd,
            reportDate: american(row.dateReported),
            eps: { actual: figure(row.eps), estimate: figure(row.consensusForecast) },
          },
        ];
      });
      return { reports: reports.sort((a, b) => (a.periodEnd! < b.periodEnd! ? 1 : -1)), next: null };
    },
  };
}

/** Its calendar of one day, names of companies among it. One call a day. */
export function nasdaqReportDays(setup: SourceSetup): ReportDayProvider {
  const ask = asker(setup);
  return {
    name: NAME,
    budget: { calls: 15, perMs: 60_000, atOnce: 2 },
    async ask({ date }, { signal }) {
      const { asOf, rows } = await ask("/api/calendar/earnings", { date }, Calendar, signal);
      if (dayNamed(asOf) !== date) throw new SourceFailure("malformed", "reports of another day");
      return { reports: (rows ?? []).map((row) => scheduledOf(row, date)) };
    },
  };
}

function scheduledOf(
  row: NonNullable<z.infer<typeof Calendar>["rows"]>[number],
  date: string,
): ScheduledReport {
  const hour = HOURS[row.time ?? ""] ?? "unknown";
  const end = monthEnd((row.fiscalQuarterEnding ?? "").replace("/", " "));
  return {
    symbol: plainText(row.symbol, 20),
    name:
      typeof row.name === "string"
        ? plainText(row.name, 4 * LONGEST_NAME)
            .replace(/\s+/g, " ")
            .slice(0, LONGEST_NAME)
        : null,
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

function asker(setup: SourceSetup) {
  const wire = createWire({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, headers: { ...HEADERS, ...PAGE } });
  return async <T>(
    path: string,
    query: Readonly<Record<string, string>>,
    shape: z.ZodType<T>,
    signal: AbortSignal,
  ) => {
    const { body } = await wire.json(path, { query, signal, accept: [400] });
    const envelope = Envelope.safeParse(body);
    if (!envelope.success)
      throw new SourceFailure("malformed", "another answer than is known", { cause: envelope.error });
    const { data, status } = envelope.data;
    if ((status.bCodeMessage ?? []).length > 0 && data === null)
      throw new SourceFailure("unknown_symbol", "it has no such name");
    // it says so with a status of 200, and answers when asked again
    if (data === null) throw new SourceFailure("down", "it says that something went wrong");
    const read = shape.safeParse(data);
    if (status.rCode !== 200 || !read.success)
      throw new SourceFailure("malformed", "another answer than is known", { cause: read.error });
    return read.data;
  };
}

/** The last day of `Dec 2024`; null for other text. */
function monthEnd(text: string): string | null {
  const [, name = "", year = ""] = /^([A-Z][a-z]{2}) ?(\d{4})$/.exec(text.trim()) ?? [];
  const month = MONTHS.indexOf(name);
  return month < 0 ? null : new Date(Date.UTC(Number(year), month + 1, 0)).toISOString().slice(0, 10);
}

/** The date of `1/30/2025`; null for other text. */
function american(text: string): string | null {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? [];
  return dated(Number(year), Number(month) - 1, Number(day));
}

/** The date of `Wed, Jul 3, 2024`; null for other text. */
function dayNamed(text: string): string | null {
  const [, month = "", day, year] = /^[A-Z][a-z]{2}, ([A-Z][a-z]{2}) (\d{1,2}), (\d{4})$/.exec(text) ?? [];
  return dated(Number(year), MONTHS.indexOf(month), Number(day));
}

function dated(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month, day));
  return at.getUTCMonth() === month && at.getUTCDate() === day ? at.toISOString().slice(0, 10) : null;
}
