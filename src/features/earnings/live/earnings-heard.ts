import type { EstimateBook } from "../../../domain/earnings/estimate-book-port.ts";
import type { EarningsProvider, VendorEarnings } from "../../../domain/earnings/provider.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { CallOptions, Clock, Log } from "../../../domain/ports.ts";
import type { Told } from "../../../domain/providers/provider.ts";
import { newYorkDate } from "../../../lib/newyork.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { resourceOf } from "../../../market/failover/resource.ts";
import { rememberingNone } from "../../../market/failover/uncovered.ts";

const MINUTE = 60_000;
/** Told again within an hour of a release, whoever asks. */
const FRESH_MS = 30 * MINUTE;
const STALE_MS = 7 * 86_400_000;
/** One source takes three calls for its first answer and tells more than those after it. */
const HEDGE_MS = 1_500;

interface Options {
  readonly providers: readonly Guarded<EarningsProvider>[];
  readonly book: EstimateBook;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Readonly<Record<string, string>>;
}

interface Heard {
  readonly told: Told<VendorEarnings>;
  /** Whether it was handed out before. */
  readonly kept: boolean;
}

/** What vendors tell of a company, null where none covers it; what is expected is written down when it is heard for the first time. */
export function heardEarnings({ providers, book, clock, log, settings }: Options) {
  const now = () => clock.now().getTime();
  const keyOf = ({ symbol }: Instrument) => symbol;
  const vendor = rememberingNone(
    resourceOf<Instrument, VendorEarnings>({
      about: ({ symbol }) => `earnings of ${symbol}`,
      ...{ providers, clock, keyOf, settings, best: tellsMore },
      ...{ hedgeMs: HEDGE_MS, freshMs: FRESH_MS, staleMs: STALE_MS },
    }),
    { keyOf, clock, forMs: FRESH_MS },
  );
  const handed = new WeakSet<object>();
  /** Whether an answer was handed out before. */
  const isKept = ({ answer }: Told<object>): boolean => {
    const before = handed.has(answer);
    handed.add(answer);
    return before;
  };

  async function remember({ symbol }: Instrument, told: Told<VendorEarnings>): Promise<void> {
    const { answer, source, fetchedAt: at } = told;
    const next = ahead(answer.next, now());
    if (next === null) return;
    const { period, date, hour, confirmed, eps_estimate: eps, revenue_estimate: revenue } = next;
    await book.note({ symbol, source, notedAt: at, date, hour, confirmed });
    if (period === null || (eps === null && revenue === null)) return;
    await book.keep({ symbol, source, period, takenAt: at, eps, revenue });
  }

  async function heard(instrument: Instrument, options: CallOptions): Promise<Heard | null> {
    const told = await vendor(instrument, options);
    if (told === null) return null;
    const kept = isKept(told);
    if (!kept && !told.stale)
      await remember(instrument, told).catch((cause: unknown) => log.warn("estimate_not_kept", { cause }));
    return { told, kept };
  }

  return { heard, isKept };
}

/** Whether revenue or what is ahead is told, and not EPS alone. */
const tellsMore = ({ reports, next }: VendorEarnings): boolean =>
  next !== null || reports.some(({ revenue }) => revenue.actual !== null);

/** A date that has not passed at a moment, epoch ms; null for another. */
export const ahead = <D extends { readonly date: string }>(next: D | null, at: number): D | null =>
  next === null || next.date < newYorkDate(at) ? null : next;
