import type { Instrument } from "../../../domain/market/market.ts";
import type { Clock, Earnings } from "../../../domain/ports.ts";
import { newYorkDate } from "../../../lib/newyork.ts";

const DAY = 86_400_000;
/** Number of days before a report from which its estimates are stored daily. */
const DAYS_BEFORE_REPORT = 7;

export interface EarningsRefreshOptions {
  readonly earnings: Earnings;
  readonly clock: Clock;
  /** Returns the followed companies. Each costs one or two calls. */
  readonly followed: () => Promise<readonly Instrument[]>;
  readonly signal: AbortSignal;
}

/**
 * Creates a refresh function to call every half hour. It requests companies that report within a day of today every
 * time, so that a release appears within the hour; those that report within 7 days once a day, so that their estimates
 * are stored; and all others once a week. Returns the number of requests. A single company's failure does not reject.
 */
export function createEarningsRefresh({
  earnings,
  clock,
  followed,
  signal,
}: EarningsRefreshOptions): () => Promise<number> {
  const due = new Map<string, { readonly date: string | null; readonly requestedOn: string }>();
  return async () => {
    const today = newYorkDate(clock.now().getTime());
    const near = (date: string | null) =>
      date !== null && Math.abs(Date.parse(date) - Date.parse(today)) <= DAY;
    const soon = (date: string | null) =>
      date !== null && date >= today && Date.parse(date) - Date.parse(today) <= DAYS_BEFORE_REPORT * DAY;
    let requested = 0;
    for (const instrument of await followed()) {
      if (signal.aborted) break;
      if (instrument.asset_class !== "equity") continue;
      const known = due.get(instrument.symbol);
      if (known !== undefined && !near(known.date)) {
        // distant dates are refreshed once a week
        const isDistant = !soon(known.date) && weekOf(known.requestedOn) === weekOf(today);
        if (known.requestedOn === today || isDistant) continue;
      }
      requested++;
      const answer = await earnings.reports(instrument, { signal }).catch(() => null);
      if (answer === null) continue;
      const dates = [answer.next?.date, answer.reports[0]?.reportDate].filter(
        (date) => typeof date === "string",
      );
      const nearest = dates.find(near) ?? answer.next?.date ?? null;
      due.set(instrument.symbol, { date: nearest, requestedOn: today });
    }
    return requested;
  };
}

const weekOf = (date: string): number => Math.floor((Date.parse(date) / DAY + 3) / 7);
