import type { EarningsReport, ScheduledReport } from "../../domain/earnings.ts";
import type { Instrument } from "../../domain/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import type { EarningsAnswer, Told as Saying, ScheduleQuestion } from "../../ports/earnings.ts";
import type { EstimateBook } from "../../ports/estimate-book.ts";
import type { Clock, Earnings, Log } from "../../ports/index.ts";
import { filedAlone, withRest } from "./earnings-merge.ts";
import { scheduleOver } from "./earnings-schedule.ts";
import type {
  EarningsProvider,
  FilingsProvider,
  ReportDay,
  ReportDayProvider,
  VendorEarnings,
  VendorFilings,
} from "./earnings-told.ts";
import type { Guarded } from "./guard.ts";
import { resourceOf, type Told } from "./resource.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Told again within an hour of a release, whoever asks. */
const FRESH = { vendor: 30 * MINUTE, filings: 30 * MINUTE, days: 60 * MINUTE } as const;
const STALE_MS = 7 * DAY;

/** One source takes three calls for its first answer and tells more than those after it. */
const HEDGE_MS = 1_500;
/** Whether revenue or what is ahead is told, and not EPS alone. */
const tellsMore = ({ reports, next }: VendorEarnings): boolean =>
  next !== null || reports.some(({ revenue }) => revenue.actual !== null);

export interface EarningsSources {
  readonly earnings: readonly Guarded<EarningsProvider>[];
  readonly filings: readonly Guarded<FilingsProvider>[];
  readonly days: readonly Guarded<ReportDayProvider>[];
}

export interface LiveEarningsOptions {
  readonly sources: EarningsSources;
  readonly book: EstimateBook;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reports over vendors in order, with what was filed and what had been expected beside them. */
export function liveEarnings({ sources, book, clock, log }: LiveEarningsOptions): Earnings {
  const now = () => clock.now().getTime();
  const about = ({ symbol }: Instrument) => `earnings of ${symbol}`;
  const vendor = resourceOf<Instrument, VendorEarnings>({
    ...{ about, providers: sources.earnings, clock, keyOf: ({ symbol }) => symbol },
    ...{ best: tellsMore, hedgeMs: HEDGE_MS },
    ...{ freshMs: FRESH.vendor, staleMs: STALE_MS },
  });
  const filings = resourceOf<Instrument, VendorFilings>({
    about: ({ symbol }) => `filings of ${symbol}`,
    ...{ providers: sources.filings, clock, keyOf: ({ symbol }) => symbol },
    ...{ freshMs: FRESH.filings, staleMs: STALE_MS },
  });
  const days = resourceOf<ReportDay, { readonly reports: readonly ScheduledReport[] }>({
    about: ({ date }) => `the earnings calendar of ${date}`,
    ...{ providers: sources.days, clock, keyOf: ({ date }) => date },
    ...{ freshMs: FRESH.days, staleMs: STALE_MS },
  });
  const handed = new WeakSet<object>();
  /** Whether an answer was handed out before. */
  const isKept = ({ answer }: Told<object>): boolean => {
    const before = handed.has(answer);
    handed.add(answer);
    return before;
  };

  /** What was filed, or why that is not known: it is never what an answer hangs on while a vendor answers. */
  async function filed(instrument: Instrument, signal: AbortSignal | undefined) {
    try {
      return { told: await filings(instrument, signal && { signal }), failure: null };
    } catch (failure) {
      if (signal?.aborted || !(failure instanceof ToolError)) throw failure;
      return { told: null, failure };
    }
  }

  async function remember({ answer: { next }, source, fetchedAt }: Told<VendorEarnings>): Promise<void> {
    if (next === null || next.period === null || next.date < newYorkDate(now())) return;
    const { symbol, period, eps_estimate: eps, revenue_estimate: revenue } = next;
    if (eps === null && revenue === null) return;
    await book.keep({ symbol, source, period, takenAt: fetchedAt, eps, revenue });
  }

  async function reports(
    instrument: Instrument,
    { signal, asOf = now() }: { readonly signal?: AbortSignal; readonly asOf?: number } = {},
  ): Promise<EarningsAnswer> {
    const [told, { told: official, failure }] = await Promise.all([
      settled(vendor(instrument, signal && { signal })),
      filed(instrument, signal),
    ]);
    if (told instanceof Error && official === null) throw told;
    const known = told instanceof Error ? null : told;
    const kept = known !== null && isKept(known);
    if (known !== null && !kept && !known.stale)
      await remember(known).catch((cause: unknown) => log.warn("estimate_not_kept", { cause }));
    const beside = {
      source: known?.source ?? "sec",
      filings: official?.answer ?? null,
      snapshots: await book.of(instrument.symbol),
    };
    const all =
      known !== null && known.answer.reports.length > 0
        ? withRest(known.answer.reports, beside)
        : filedAlone(official?.answer ?? { releases: [], quarters: [] });
    const first = known ?? official;
    return {
      reports: all.filter((report) => isOut(report, asOf, now())),
      next: nextOf(known?.answer.next ?? null, asOf),
      ...sayingOf(first, { kept: known === null ? official !== null && isKept(official) : kept, now: now() }),
      coverage: coverageOf(instrument, { sources, told, failure, official }),
    };
  }

  return {
    reports,
    schedule: (question: ScheduleQuestion, { signal } = {}) =>
      scheduleOver(
        question,
        {
          reports,
          days,
          clock,
          isKept,
          connected: sources.days.length > 0,
        },
        signal,
      ),
  };
}

/** An answer, or the failure of ours that stands in its place. */
async function settled<T>(asked: Promise<T>): Promise<T | ToolError> {
  try {
    return await asked;
  } catch (cause) {
    if (cause instanceof ToolError && cause.code === "UPSTREAM_UNAVAILABLE") return cause;
    throw cause;
  }
}

/** Looking back, a report of which only the date is known was out from the next day on. */
function isOut({ reportedAt, reportDate }: EarningsReport, asOf: number, now: number): boolean {
  if (asOf >= now) return true;
  if (reportedAt !== null) return reportedAt <= asOf;
  return reportDate !== null && reportDate < newYorkDate(asOf);
}

const nextOf = (next: ScheduledReport | null, asOf: number): ScheduledReport | null =>
  next === null || next.date < newYorkDate(asOf) ? null : next;

function sayingOf(
  first: Told<object> | null,
  { kept, now }: { readonly kept: boolean; readonly now: number },
): Omit<Saying, "coverage"> {
  const at = new Date(first?.fetchedAt ?? now).toISOString();
  return {
    source: first?.source ?? null,
    fetchedAt: at,
    asOf: at,
    stale: first?.stale ?? false,
    cached: kept,
  };
}

interface Asked {
  readonly sources: EarningsSources;
  readonly told: Told<VendorEarnings> | null | Error;
  readonly official: Told<VendorFilings> | null;
  readonly failure: ToolError | null;
}

function coverageOf({ symbol }: Instrument, { sources, told, official, failure }: Asked): readonly string[] {
  const names = sources.earnings.map(({ source }) => source.name).join(", ");
  return [
    ...(sources.earnings.length === 0 ? ["Every source of earnings is switched off"] : []),
    ...(sources.earnings.length > 0 && told === null ? [`No source covers ${symbol}: ${names}`] : []),
    ...(told instanceof Error ? [told.message] : []),
    ...(sources.filings.length === 0 ? ["SEC_CONTACT connects what companies file with the SEC"] : []),
    ...(sources.filings.length > 0 && official === null && failure === null
      ? [`The SEC has no filings of ${symbol}`]
      : []),
    ...(failure === null ? [] : [failure.message]),
  ];
}
