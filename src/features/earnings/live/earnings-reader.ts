import type { EstimateRepository } from "../../../domain/earnings/estimate-repository-port.ts";
import type { EarningsProvider, ProviderEarnings } from "../../../domain/earnings/provider.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { CallOptions, Clock, Log } from "../../../domain/ports.ts";
import type { ProviderAnswer } from "../../../domain/providers/provider.ts";
import { newYorkDate } from "../../../lib/newyork.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { resourceOf } from "../../../market/failover/resource.ts";

const MINUTE = 60_000;
/** Cache time, ms: short enough to show a release within an hour. */
const FRESH_MS = 30 * MINUTE;
const STALE_MS = 7 * 86_400_000;
/** Delay before the next provider is tried, ms: the first provider needs three calls but returns the most detail. */
const HEDGE_MS = 1_500;

interface Options {
  readonly providers: readonly Guarded<EarningsProvider>[];
  readonly estimates: EstimateRepository;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Creates a reader of a company's earnings, which also stores each new estimate. The reader returns null if no provider
 * covers the company.
 */
export function createEarningsReader({ providers, estimates, clock, log, settings }: Options) {
  const now = () => clock.now().getTime();
  const vendor = resourceOf<Instrument, ProviderEarnings>({
    about: ({ symbol }) => `earnings of ${symbol}`,
    providers,
    clock,
    keyOf: ({ symbol }) => symbol,
    settings,
    best: isDetailed,
    hedgeMs: HEDGE_MS,
    freshMs: FRESH_MS,
    staleMs: STALE_MS,
    uncoveredMs: FRESH_MS,
  });
  const handed = new WeakSet<object>();
  /** Returns true if the same answer was returned before. */
  const isCached = ({ answer }: ProviderAnswer<object>): boolean => {
    const before = handed.has(answer);
    handed.add(answer);
    return before;
  };

  async function remember({ symbol }: Instrument, provided: ProviderAnswer<ProviderEarnings>): Promise<void> {
    const { answer, source, fetchedAt: at } = provided;
    const next = upcomingOrNull(answer.next, now());
    if (next === null) return;
    const { period, date, hour, confirmed, eps_estimate: eps, revenue_estimate: revenue } = next;
    await estimates.saveDate({ symbol, source, notedAt: at, date, hour, confirmed });
    if (period === null || (eps === null && revenue === null)) return;
    await estimates.save({ symbol, source, period, takenAt: at, eps, revenue });
  }

  async function read(instrument: Instrument, options: CallOptions) {
    const provided = await vendor(instrument, options);
    if (provided === null) return null;
    const cached = isCached(provided);
    if (!cached && !provided.stale)
      await remember(instrument, provided).catch((cause: unknown) =>
        log.warn("estimate_not_stored", { cause }),
      );
    return {
      answer: provided,
      /** true: the same answer was returned before. */
      cached,
    };
  }

  return { read, isCached };
}

/** Returns true if the answer contains revenue or the next report, not only EPS. */
const isDetailed = ({ reports, next }: ProviderEarnings): boolean =>
  next !== null || reports.some(({ revenue }) => revenue.actual !== null);

/** Returns a report date if it has not passed at `at` (epoch ms); else null. */
export const upcomingOrNull = <D extends { readonly date: string }>(next: D | null, at: number): D | null =>
  next === null || next.date < newYorkDate(at) ? null : next;
