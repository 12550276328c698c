import { z } from "zod";
import type { ReportHour, ScheduledReport } from "../../domain/earnings/earnings.ts";
import { calendarQuarter, type ReportDayProvider } from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { plainText } from "../../lib/plain-text.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { createReportsClient, Money, parseMonthEnd, parseNamedDate } from "./reports-wire.ts";

const NAME = "nasdaq";
const MAX_NAME_LENGTH = 80;

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

/** Nasdaq.com's earnings calendar of one day, names of companies among it. One call a day. */
export function nasdaqReportDays(setup: ProviderSetup): ReportDayProvider {
  const ask = createReportsClient(setup);
  return {
    name: NAME,
    budget: { calls: 15, perMs: 60_000, atOnce: 2 },
    async call({ date }, { signal }) {
      const { asOf, rows } = await ask("/api/calendar/earnings", { date }, Calendar, signal);
      if (parseNamedDate(asOf) !== date) throw new ProviderFailure("malformed", "reports of another day");
      return { reports: (rows ?? []).map((row) => scheduledOf(row, date)) };
    },
  };
}

function scheduledOf(
  row: NonNullable<z.infer<typeof Calendar>["rows"]>[number],
  date: string,
): ScheduledReport {
  const hour = HOURS[row.time ?? ""] ?? "unknown";
  const end = parseMonthEnd((row.fiscalQuarterEnding ?? "").replace("/", " "));
  return {
    symbol: plainText(row.symbol, 20),
    name:
      typeof row.name === "string"
        ? plainText(row.name, 4 * MAX_NAME_LENGTH)
            .replace(/\s+/g, " ")
            .slice(0, MAX_NAME_LENGTH)
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
