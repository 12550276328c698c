import type { EarningsReport, ScheduledReport } from "../../../domain/earnings/earnings.ts";
import type { EstimateRepository } from "../../../domain/earnings/estimate-repository-port.ts";
import type {
  EarningsProvider,
  FilingsProvider,
  ProviderFilings,
  ReportDay,
  ReportDayProvider,
} from "../../../domain/earnings/provider.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { Clock, Earnings, Log } from "../../../domain/ports.ts";
import { newYorkDate } from "../../../lib/newyork.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { problemsOf } from "../../../market/failover/problems.ts";
import { resourceOf } from "../../../market/failover/resource.ts";
import { type ConnectHints, coverageOf, originOf, uncoveredBy } from "./earnings-coverage.ts";
import { mergeReports, reportsFromFilings } from "./earnings-merge.ts";
import { createEarningsReader, upcomingOrNull } from "./earnings-reader.ts";
import { orOutage, readSchedule } from "./earnings-schedule.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Cache times, ms: short enough to show a release within an hour. */
const FRESH = { filings: 30 * MINUTE, days: 60 * MINUTE } as const;
const STALE_MS = 7 * DAY;

export interface EarningsProviders {
  readonly earnings: readonly Guarded<EarningsProvider>[];
  readonly filings: readonly Guarded<FilingsProvider>[];
  readonly days: readonly Guarded<ReportDayProvider>[];
}

export interface LiveEarningsOptions {
  readonly providers: EarningsProviders;
  readonly estimates: EstimateRepository;
  readonly clock: Clock;
  readonly log: Log;
  /** Name of the setting that holds each provider's key, by provider name. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly connects?: ConnectHints;
}

/** Creates the earnings port: reports of the first available provider, merged with filings and stored estimates. */
export function liveEarnings({
  providers: sources,
  estimates,
  clock,
  log,
  settings = {},
  connects = {},
}: LiveEarningsOptions): Earnings {
  const now = () => clock.now().getTime();
  const filings = resourceOf<Instrument, ProviderFilings>({
    about: ({ symbol }) => `filings of ${symbol}`,
    providers: sources.filings,
    clock,
    keyOf: ({ symbol }) => symbol,
    freshMs: FRESH.filings,
    staleMs: STALE_MS,
  });
  const days = resourceOf<ReportDay, { readonly reports: readonly ScheduledReport[] }>({
    about: ({ date }) => `the earnings calendar of ${date}`,
    providers: sources.days,
    clock,
    keyOf: ({ date }) => date,
    freshMs: FRESH.days,
    staleMs: STALE_MS,
  });
  const names = sources.earnings.map(({ provider: source }) => source.name);
  const regulators = sources.filings.map(({ provider: source }) => source.name);
  const { read, isCached } = createEarningsReader({
    providers: sources.earnings,
    estimates,
    clock,
    log,
    settings,
  });

  const reports: Earnings["reports"] = async (instrument, { signal, asOf } = {}) => {
    const [first, official] = await Promise.all([
      orOutage(read(instrument, { signal })),
      orOutage(filings(instrument, { signal })),
    ]);
    if (first instanceof Error && (official === null || official instanceof Error)) throw first;
    const known = first === null || first instanceof Error ? null : first;
    const filed = official instanceof Error ? null : official;
    const additions = {
      source: known?.answer.source ?? filed?.source ?? "",
      filings: filed?.answer ?? null,
      snapshots: await estimates.list(instrument.symbol),
    };
    const provided = known?.answer.answer ?? { reports: [], next: null };
    const all =
      provided.reports.length > 0
        ? mergeReports(provided.reports, additions)
        : reportsFromFilings(filed?.answer ?? { releases: [], quarters: [] });
    const past = asOf !== undefined && asOf < now();
    const cached = known?.cached ?? (filed !== null && isCached(filed));
    return {
      reports: past ? all.filter((report) => isReleased(report, asOf)) : all,
      next: past ? await notedNext(instrument, asOf) : upcomingOrNull(provided.next, now()),
      ...originOf(known?.answer ?? filed, cached),
      connects,
      coverage: coverageOf(instrument, {
        providers: names,
        filings: official,
        troubles: problemsOf(sources.earnings, settings),
        connects,
        earnings: first === null || first instanceof Error ? first : first.answer,
      }),
    };
  };

  /** Returns the next report date as it was stored at a past time: providers would include what became known later. */
  async function notedNext({ symbol }: Instrument, asOf: number): Promise<ScheduledReport | null> {
    const noted = upcomingOrNull(await estimates.dateKnownAt(symbol, asOf), asOf);
    if (noted === null) return null;
    const { date, hour, confirmed } = noted;
    const figures = { eps_estimate: null, eps_actual: null, revenue_estimate: null, revenue_actual: null };
    return { symbol, name: null, date, hour, confirmed, period: null, ...figures };
  }

  const next: Earnings["next"] = async (instrument, { signal, asOf } = {}) => {
    const { symbol } = instrument;
    if (asOf !== undefined && asOf < now()) {
      const noted = await notedNext(instrument, asOf);
      return noted === null
        ? { next: null, reason: noStoredDateReason(symbol) }
        : { next: noted, reason: null };
    }
    const provided = (await read(instrument, { signal }))?.answer;
    if (provided === undefined) return { next: null, reason: uncoveredBy(names, symbol) };
    const found = upcomingOrNull(provided.answer.next, now());
    return found === null
      ? { next: null, reason: `${provided.source} has no date for the next report of ${symbol}` }
      : { next: found, reason: null };
  };

  const schedules = { reports, regulators, days, isCached, connected: sources.days.length > 0 };
  return {
    reports,
    next,
    schedule: (question, { signal } = {}) => readSchedule(question, schedules, signal),
  };
}

/** Returns true if a report was published by `asOf`. A report with only a date counts from the next day. */
function isReleased({ reportedAt, reportDate }: EarningsReport, asOf: number): boolean {
  if (reportedAt !== null) return reportedAt <= asOf;
  return reportDate !== null && reportDate < newYorkDate(asOf);
}

const noStoredDateReason = (symbol: string): string =>
  `Providers supply only the current next date, and none was stored for ${symbol} by that time`;
