import type { EarningsReport, ScheduledReport } from "../../../domain/earnings/earnings.ts";
import type { Earnings, ScheduleAnswer, ScheduleRequest } from "../../../domain/earnings/earnings-port.ts";
import type { ReportDay } from "../../../domain/earnings/provider.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { ProviderAnswer } from "../../../domain/providers/provider.ts";
import { ToolError } from "../../../kernel/errors.ts";
import { tradingDay } from "../../../market/calendar/holidays.ts";
import type { Resource } from "../../../market/failover/resource.ts";

const DAY = 86_400_000;
/** Maximum number of trading days per request: providers return one day per call. */
const MAX_DAYS = 12;

export interface ScheduleProviders {
  readonly reports: Earnings["reports"];
  /** Names of providers that have only filings and no future reports. */
  readonly regulators: readonly string[];
  readonly days: Resource<ReportDay, { readonly reports: readonly ScheduledReport[] }>;
  /** true: a provider of the reports of complete days is connected. */
  readonly connected: boolean;
  readonly isCached: (answer: ProviderAnswer<object>) => boolean;
}

/**
 * Reads reports between two dates: per requested company or, without companies, day by day. Lists failures in
 * `coverage`; rejects if all requests fail.
 */
export function readSchedule(
  question: ScheduleRequest,
  sources: ScheduleProviders,
  signal: AbortSignal | undefined,
): Promise<ScheduleAnswer> {
  return question.instruments === null
    ? scheduleOfDays(question, sources, signal)
    : scheduleOfCompanies(question.instruments, question, sources, signal);
}

async function scheduleOfCompanies(
  instruments: readonly Instrument[],
  { from, to }: ScheduleRequest,
  { reports, regulators }: ScheduleProviders,
  signal: AbortSignal | undefined,
): Promise<ScheduleAnswer> {
  const answers = await Promise.all(
    instruments.map((instrument) => orOutage(reports(instrument, { signal }))),
  );
  const received = answers.flatMap((answer) => (answer instanceof ToolError ? [] : [answer]));
  const failed = answers.find((answer) => answer instanceof ToolError);
  if (failed !== undefined && received.length === 0) throw failed;
  const lacking = received.filter(({ source }) => source === null || regulators.includes(source));
  const found = answers.flatMap((answer, i): readonly ScheduledReport[] => {
    if (answer instanceof ToolError) return [];
    const { symbol } = instruments[i]!;
    const past = answer.reports.flatMap((report) => toScheduledReports(report, symbol));
    return answer.next === null ? past : [...past, { ...answer.next, symbol }];
  });
  const oldest = received.flatMap(({ fetchedAt }) => fetchedAt ?? []).sort()[0] ?? null;
  return {
    reports: found.filter(({ date }) => date >= from && date <= to).sort(byDate),
    isComplete: failed === undefined && lacking.length === 0,
    source: [...new Set(received.flatMap(({ source }) => source ?? []))].join(", ") || null,
    fetchedAt: oldest,
    asOf: oldest,
    stale: received.some(({ stale }) => stale),
    cached: oldest !== null && received.every(({ source, cached }) => source === null || cached),
    coverage: [
      ...answers.flatMap((answer) => (answer instanceof ToolError ? [answer.message] : [])),
      ...new Set(lacking.flatMap(({ coverage }) => coverage)),
    ],
  };
}

/** Converts a past report to a calendar entry; empty if its date is unknown. */
function toScheduledReports(
  { period, reportDate: date, eps, revenue }: EarningsReport,
  symbol: string,
): readonly ScheduledReport[] {
  if (date === null) return [];
  return [
    {
      symbol,
      name: null,
      date,
      hour: "unknown",
      confirmed: true,
      period,
      eps_estimate: eps.estimate?.value ?? null,
      eps_actual: eps.actual?.value ?? null,
      revenue_estimate: revenue.estimate?.value ?? null,
      revenue_actual: revenue.actual?.value ?? null,
    },
  ];
}

async function scheduleOfDays(
  { from, to }: ScheduleRequest,
  { days, connected, isCached }: ScheduleProviders,
  signal: AbortSignal | undefined,
): Promise<ScheduleAnswer> {
  const dates = tradingDates(from, to);
  const requestedDates = dates.slice(0, MAX_DAYS);
  const answers: (ProviderAnswer<{ readonly reports: readonly ScheduledReport[] }> | null | ToolError)[] = [];
  // sequentially, to spare the providers a burst of calls
  for (const date of requestedDates) answers.push(await orOutage(days({ date }, { signal })));
  const received = answers.flatMap((answer) =>
    answer === null || answer instanceof ToolError ? [] : [answer],
  );
  const failed = answers.find((answer) => answer instanceof ToolError);
  if (failed !== undefined && received.length === 0) throw failed;
  const [first] = received.map(({ fetchedAt }) => fetchedAt).sort((a, b) => a - b);
  const oldest = first === undefined ? null : new Date(first).toISOString();
  const cachedFlags = received.map((one) => isCached(one));
  return {
    reports: received.flatMap(({ answer }) => [...answer.reports]).sort(byDate),
    isComplete: received.length === dates.length,
    source: [...new Set(received.map(({ source }) => source))].join(", ") || null,
    fetchedAt: oldest,
    asOf: oldest,
    stale: received.some(({ stale }) => stale),
    cached: cachedFlags.length > 0 && cachedFlags.every((one) => one),
    coverage: [
      ...(connected
        ? []
        : ["Every provider of an earnings calendar is switched off: pass symbols to read their dates"]),
      ...answers.flatMap((answer, i) =>
        answer instanceof ToolError ? [`${requestedDates[i]}: ${answer.message}`] : [],
      ),
      ...(dates.length > requestedDates.length
        ? [
            `Providers cover one day per call: days from ${dates[MAX_DAYS]} on were not requested; request them separately`,
          ]
        : []),
    ],
  };
}

/** Awaits an answer; returns the error instead if all providers are unavailable. Rejects with other errors. */
export async function orOutage<T>(pending: Promise<T>): Promise<T | ToolError> {
  try {
    return await pending;
  } catch (cause) {
    if (cause instanceof ToolError && cause.code === "UPSTREAM_UNAVAILABLE") return cause;
    throw cause;
  }
}

function tradingDates(from: string, to: string): readonly string[] {
  const dates: string[] = [];
  for (let day = Date.parse(from); day <= Date.parse(to); day += DAY)
    if (tradingDay(day) !== "closed") dates.push(new Date(day).toISOString().slice(0, 10));
  return dates;
}

const byDate = (a: ScheduledReport, b: ScheduledReport): number =>
  a.date + a.symbol < b.date + b.symbol ? -1 : a.date + a.symbol > b.date + b.symbol ? 1 : 0;
