import type { CallOptions } from "../../../domain/ports.ts";
import type { ProviderAnswer } from "../../../domain/providers/provider.ts";
import { ToolError } from "../../../kernel/errors.ts";
import { forEachConcurrent } from "../../../lib/concurrency.ts";
import { withTimeLimit } from "../../../lib/time-limit.ts";
import { type Resource, type ResourceOptions, resourceOf } from "../../../market/failover/resource.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAX_CONCURRENT = 4;
/** Cache time of a completed day, ms: its answer no longer changes. */
const FINAL_TTL_MS = 400 * DAY;
/** Time after 00:00 UTC of a date by which trading in New York has ended and corrections are published, ms. */
const FINAL_AFTER_MS = 32 * HOUR;

interface DayAnswerOptions<Q, A> extends Omit<ResourceOptions<Q, A>, "staleMs"> {
  /** Time after 00:00 UTC of a date at which the day counts as completed, ms. Default: 32 hours. */
  readonly finalAfterMs?: number;
}

/** Creates a resource of daily answers. Completed days are cached for 400 days, other days for `freshMs`. */
export function dailyResource<Q extends { readonly date: string }, A extends object>({
  freshMs,
  finalAfterMs: overMs = FINAL_AFTER_MS,
  ...options
}: DayAnswerOptions<Q, A>): Resource<Q, A> {
  const over = resourceOf<Q, A>({ ...options, freshMs: FINAL_TTL_MS, staleMs: FINAL_TTL_MS });
  const open = resourceOf<Q, A>({ ...options, freshMs, staleMs: 12 * HOUR });
  return (question, call?: CallOptions) => {
    const isOver = options.clock.now().getTime() > Date.parse(question.date) + overMs;
    return (isOver ? over : open)(question, call);
  };
}

/** Answer for one day; null if the provider does not cover it or, with `failed`, if the request failed. */
export interface DayAnswer<A> {
  readonly date: string;
  readonly answer: ProviderAnswer<A> | null;
  readonly failed: boolean;
}

/**
 * Fetches several days with limited concurrency. A day that fails or times out is marked as failed; rejects with the
 * first failure if no day answers.
 */
export async function fetchDays<A>(
  dates: readonly string[],
  fetchDay: (date: string, call: { readonly signal: AbortSignal }) => Promise<ProviderAnswer<A> | null>,
  { signal, maxWaitMs }: { readonly signal: AbortSignal | undefined; readonly maxWaitMs: number },
): Promise<readonly DayAnswer<A>[]> {
  const failures: unknown[] = [];
  const days = new Map<string, DayAnswer<A>>();
  await withTimeLimit(maxWaitMs, signal, (limited) =>
    forEachConcurrent(MAX_CONCURRENT, dates, async (date) => {
      try {
        days.set(date, { date, answer: await fetchDay(date, { signal: limited }), failed: false });
      } catch (cause) {
        signal?.throwIfAborted();
        const unavailable = cause instanceof ToolError && cause.code === "UPSTREAM_UNAVAILABLE";
        if (!unavailable && !limited.aborted) throw cause;
        const message = "No provider responded in time";
        failures.push(unavailable ? cause : new ToolError("UPSTREAM_UNAVAILABLE", message, { cause }));
        days.set(date, { date, answer: null, failed: true });
      }
    }),
  );
  const answers = dates.map((date) => days.get(date)!);
  if (failures.length > 0 && answers.every(({ answer }) => answer === null)) throw failures[0];
  return answers;
}

/** Formats dates: up to three as a list, more as their number and range. */
export const formatDates = (dates: readonly string[]): string =>
  dates.length <= 3 ? dates.join(", ") : `${dates.length} days from ${dates[0]} to ${dates.at(-1)}`;
