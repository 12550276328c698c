import type { EstimateRepository } from "../../../domain/earnings/estimate-repository-port.ts";
import type { EarningsProvider, ProviderEarnings } from "../../../domain/earnings/provider.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { CallOptions, Clock, Log } from "../../../domain/ports.ts";
import type { ProviderAnswer } from "../../../domain/providers/provider.ts";
import { newYorkDate } from "../../../lib/newyork.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { withNegativeCache } from "../../../market/failover/negative-cache.ts";
import { resourceOf } from "../../../market/failover/resource.ts";

const MINUTE = 60_000;
/** Told again within an hour of a release, whoever asks. */
const FRESH_MS = 30 * MINUTE;
const STALE_MS = 7 * 86_400_000;
/** One source takes three calls for its first answer and tells more than those after it. */
const HEDGE_MS = 1_500;

interface Options {
  readonly providers: readonly Guarded<EarningsProvider>[];
  readonly book: EstimateRepository;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Readonly<Record<string, string>>;
}

interface EarningsProviderAnswer {
  readonly answer: ProviderAnswer<ProviderEarnings>;
  /** Whether it was handed out before. */
  readonly cached: boolean;
}

/** What vendors tell of a company, null where none covers it; what is expected is written down when it is heard for the first time. */
export function createEarningsReader({ providers, book, clock, log, settings }: Options) {
  const now = () => clock.now().getTime();
  const keyOf = ({ symbol }: Instrument) => symbol;
  const vendor = withNegativeCache(
    resourceOf<Instrument, ProviderEarnings>({
      about: ({ symbol }) => `earnings of ${symbol}`,
      providers,
      clock,
      keyOf,
      settings,
      best: isDetailed,
      hedgeMs: HEDGE_MS,
      freshMs: FRESH_MS,
      staleMs: STALE_MS,
    }),
    { keyOf, clock, forMs: FRESH_MS },
  );
  const handed = new WeakSet<object>();
  /** Whether an answer was handed out before. */
  const isKept = ({ answer }: ProviderAnswer<object>): boolean => {
    const before = handed.has(answer);
    handed.add(answer);
    return before;
  };

  async function remember({ symbol }: Instrument, told: ProviderAnswer<ProviderEarnings>): Promise<void> {
    const { answer, source, fetchedAt: at } = told;
    const next = upcomingOrNull(answer.next, now());
    if (next === null) return;
    const { period, date, hour, confirmed, eps_estimate: eps, revenue_estimate: revenue } = next;
    await book.saveDate({ symbol, source, notedAt: at, date, hour, confirmed });
    if (period === null || (eps === null && revenue === null)) return;
    await book.save({ symbol, source, period, takenAt: at, eps, revenue });
  }

  async function heard(instrument: Instrument, options: CallOptions): Promise<EarningsProviderAnswer | null> {
    const told = await vendor(instrument, options);
    if (told === null) return null;
    const kept = isKept(told);
    if (!kept && !told.stale)
      await remember(instrument, told).catch((cause: unknown) => log.warn("estimate_not_kept", { cause }));
    return { answer: told, cached: kept };
  }

  return { heard, isKept };
}

/** Whether revenue or what is ahead is told, and not EPS alone. */
const isDetailed = ({ reports, next }: ProviderEarnings): boolean =>
  next !== null || reports.some(({ revenue }) => revenue.actual !== null);

/** A date that has not passed at a moment, epoch ms; null for another. */
export const upcomingOrNull = <D extends { readonly date: string }>(next: D | null, at: number): D | null =>
  next === null || next.date < newYorkDate(at) ? null : next;
