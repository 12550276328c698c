import type { EstimateRepository } from "../../../domain/earnings/estimate-repository-port.ts";
import type { EarningsProvider, ProviderEarnings } from "../../../domain/earnings/provider.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { CallOptions, Clock, Log } from "../../../domain/ports.ts";
import type { ProviderAnswer } from "../../../domain/providers/provider.ts";
import { newYorkDate } from "../../../lib/newyork.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { resourceOf } from "../../../market/failover/resource.ts";

const MINUTE = 60_000;
/** Cache time that shows a release within an hour. */
const FRESH_MS = 30 * MINUTE;
const STALE_MS = 7 * 86_400_000;
/** Delay before the next provider is tried, ms: the first needs three calls but returns more detail than the later ones. */
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
  /** True if the same answer was returned before. */
  readonly cached: boolean;
}

/** Reads a company's earnings from the providers, null if none covers it, and stores each new estimate. */
export function createEarningsReader({ providers, book, clock, log, settings }: Options) {
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
    await book.saveDate({ symbol, source, notedAt: at, date, hour, confirmed });
    if (period === null || (eps === null && revenue === null)) return;
    await book.save({ symbol, source, period, takenAt: at, eps, revenue });
  }

  async function read(instrument: Instrument, options: CallOptions): Promise<EarningsProviderAnswer | null> {
    const provided = await vendor(instrument, options);
    if (provided === null) return null;
    const cached = isCached(provided);
    if (!cached && !provided.stale)
      await remember(instrument, provided).catch((cause: unknown) =>
        log.warn("estimate_not_kept", { cause }),
      );
    return { answer: provided, cached };
  }

  return { read, isCached };
}

/** True if the answer has revenue or the next report, not only EPS. */
const isDetailed = ({ reports, next }: ProviderEarnings): boolean =>
  next !== null || reports.some(({ revenue }) => revenue.actual !== null);

/** A date that has not passed at a moment, epoch ms; null for another. */
export const upcomingOrNull = <D extends { readonly date: string }>(next: D | null, at: number): D | null =>
  next === null || next.date < newYorkDate(at) ? null : next;
