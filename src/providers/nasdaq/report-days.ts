import { z } from "zod";
import type { ReportHour, ScheduledReport } from "../../domain/earnings/earnings.ts";
import { calendarQuarter, type ReportDayProvider } from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { plainText } from "../../lib/plain-text.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { reportsApi } from "./api.ts";
import { Money, parseMonthEnd, parseNamedDate } from "./fields.ts";

const MAX_NAME_LENGTH = 80;
const HOURS: Readonly<Record<string, ReportHour>> = {
  "time-pre-market": "before_open",
  "time-after-hours": "after_close",
};

const Row = z.object({
  symbol: z.string().min(1).max(20),
  name: z.string().nullish(),
  time: z.string().nullish(),
  fiscalQuarterEnding: z.string().nullish(),
  epsForecast: Money,
  eps: Money,
});
/** `asOf` is `Wed, Jul 3, 2024`. */
const Calendar = z.object({ asOf: z.string().max(40), rows: z.array(Row).nullable() });

/** Nasdaq.com's earnings calendar of one day, with company names, in one call. */
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

function scheduledOf({ name, ...row }: z.infer<typeof Row>, date: string): ScheduledReport {
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

const plainName = (name: string): string =>
  plainText(name, 4 * MAX_NAME_LENGTH)
    .replace(/\s+/g, " ")
    .slice(0, MAX_NAME_LENGTH);
