import type { PutCallProvider, PutCallProviderAnswer } from "../../../domain/options-flow/provider.ts";
import type { PutCallRepository } from "../../../domain/options-flow/put-call-repository-port.ts";
import type { Clock, DataUnavailable, PutCalls, PutCallsAnswer } from "../../../domain/ports.ts";
import { ToolError } from "../../../kernel/errors.ts";
import { timeFor, withTimeLimit } from "../../../lib/time-limit.ts";
import { sessionOf } from "../../../market/calendar/calendar.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { resourceOf } from "../../../market/failover/resource.ts";
import { datesWithin } from "../../../market/prices/windows.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Number of newest sessions fetched for an answer; older ones are fetched in the background. */
const SESSIONS_REQUESTED = 3;
/** Times after the close before which a day's statistics are not requested, and by which they count as known, ms. */
const EARLIEST_MS = HOUR;
const LATEST_MS = 6 * HOUR;
/** Number of calendar days whose ratios are stored. */
const YEAR_DAYS = 370;
/** Time after the close at which an unpublished day is no longer retried, ms. */
const GIVE_UP_AFTER_MS = 7 * DAY;

/** Maximum wait of a request for days that are not stored yet, ms. */
const MAX_WAIT_MS = 8_000;

export interface LivePutCalls extends PutCalls {
  /** Fetches older days one by one until a year is stored. Returns the number of days fetched. */
  backfill(signal: AbortSignal): Promise<number>;
}

interface PutCallOptions {
  readonly providers: readonly Guarded<PutCallProvider>[];
  readonly repository: PutCallRepository;
  readonly clock: Clock;
  /** Reason returned if no provider is enabled. */
  readonly missing: DataUnavailable;
}

/**
 * Creates the port for daily put/call ratios. Each day is fetched once and stored. If the newest day is unavailable,
 * stored days are returned as stale.
 */
export function livePutCalls({ providers, repository, clock, missing }: PutCallOptions): LivePutCalls {
  const now = () => clock.now().getTime();
  const ratiosOf = resourceOf<{ readonly date: string }, PutCallProviderAnswer>({
    about: ({ date }) => `put/call ratios of ${date}`,
    providers,
    clock,
    keyOf: ({ date }) => date,
    // an unpublished day is not requested again within 10 minutes
    freshMs: 10 * MINUTE,
    staleMs: 10 * MINUTE,
    hedgeMs: HOUR,
  });

  /** Fetches a day and stores it. Returns false for an unpublished day; after 7 days it is stored as unavailable. */
  async function fetchDay(date: string, signal: AbortSignal): Promise<boolean> {
    const ratioAnswer = await ratiosOf({ date }, { signal });
    if (ratioAnswer === null) return false;
    const close = sessionOf(date)!.close;
    if (!ratioAnswer.answer.published) {
      if (now() > close + GIVE_UP_AFTER_MS) await repository.save(date, null, ratioAnswer.source);
      return false;
    }
    const { published: _, ...ratios } = ratioAnswer.answer;
    const at = Math.min(ratioAnswer.fetchedAt, close + LATEST_MS);
    await repository.save(date, { day: date, at, ...ratios }, ratioAnswer.source);
    return true;
  }

  /** Fetches days in order until one fails or the signal aborts; returns that failure, else null. */
  async function fetchDays(dates: readonly string[], signal: AbortSignal): Promise<ToolError | null> {
    for (const date of dates)
      try {
        await fetchDay(date, signal);
      } catch (cause) {
        if (signal.aborted) return timedOut(date);
        if (cause instanceof ToolError && cause.code === "UPSTREAM_UNAVAILABLE") return cause;
        throw cause;
      }
    return null;
  }

  /** Returns the sessions whose statistics may be published, newest first. */
  const sessions = (days: number): readonly string[] =>
    datesWithin({ from: now() - days * DAY, until: now() })
      .filter((date) => now() >= sessionOf(date)!.close + EARLIEST_MS)
      .reverse();

  return {
    async days({ until, limit, signal }): Promise<PutCallsAnswer | DataUnavailable> {
      if (providers.length === 0) return missing;
      const wanted = sessions(14).slice(0, SESSIONS_REQUESTED);
      const settled = await repository.knownDates(wanted);
      const missed = wanted.filter((date) => !settled.has(date)).reverse();
      const failure = await withTimeLimit(timeFor(clock, MAX_WAIT_MS), signal, (limited) =>
        fetchDays(missed, limited),
      );
      signal?.throwIfAborted();
      const days = await repository.days({ until, limit });
      if (days.length === 0 && failure !== null) throw failure;
      const year = sessions(YEAR_DAYS);
      const known = (await repository.knownDates(year)).size;
      const source = days.at(-1)?.source ?? providers[0]!.provider.name;
      return {
        days: days.map(({ source: _, ...day }) => day),
        source,
        fetchedAt: new Date(now()).toISOString(),
        stale: failure !== null,
        tried: [],
        ...(known < year.length && { fetching: { known, of: year.length } }),
      };
    },

    async backfill(signal) {
      const all = sessions(YEAR_DAYS);
      const settled = await repository.knownDates(all);
      let count = 0;
      for (const date of all.filter((one) => !settled.has(one))) {
        if (signal.aborted) break;
        if (await fetchDay(date, signal)) count++;
      }
      return count;
    },
  };
}

const timedOut = (date: string): ToolError =>
  new ToolError("UPSTREAM_UNAVAILABLE", `Put/call ratios of ${date} did not arrive in time`, {
    hint: "Retry in a minute: the ratios of a year are being fetched.",
  });
