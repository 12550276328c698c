import type { Instrument } from "../../domain/market/market.ts";
import type { Clock, ProviderHealth, ProviderReport } from "../../domain/ports.ts";
import type { Guardable } from "../../domain/providers/provider.ts";
import type { Guarded } from "./guard.ts";

const FAILURE_WINDOW_MS = 60_000;
/** Of so many calls that a source allows, one may be a probe. */
const PROBE_SHARE = 20;
/** Longest wait for sources that are asked because someone wants to know how they are. */
const MAX_WAIT_MS = 1_000;

export interface LiveHealthOptions {
  readonly guards: readonly Guarded[];
  /** Sources that tell no prices, with what they tell; they are never asked for this. */
  readonly otherProviders?: readonly { readonly content: string; readonly guarded: Guarded<Guardable> }[];
  readonly clock: Clock;
  /** What a source is asked about to see whether it answers. */
  readonly probe: (guarded: Guarded) => Instrument;
}

/**
 * How each source is doing. One that nobody called within the last minute is asked for one quote, or a few bars
 * where it has no quotes; whoever wants to know waits a second at most, and is told what is known by then.
 */
export function liveHealth({
  guards,
  otherProviders: others = [],
  clock,
  probe,
}: LiveHealthOptions): ProviderHealth {
  const now = () => clock.now().getTime();
  const due = (guarded: Guarded) => {
    const { calledAt } = guarded.state();
    const { calls, perMs } = guarded.provider.budget;
    // whoever wants to know must not spend what answers are made of
    const spacing = Math.max(FAILURE_WINDOW_MS, PROBE_SHARE * (perMs / calls));
    return (calledAt === null || now() - calledAt >= spacing) && guarded.unavailableReason() === null;
  };
  const known = () => [
    ...guards.flatMap((guarded) => reportOf(guarded.provider.name, guarded, now())),
    ...others.flatMap(({ content, guarded }) => passiveReport(content, guarded, now())),
  ];
  return {
    current: known,
    async report() {
      const asked = guards.filter(due).map((guarded) => probeProvider(guarded, probe(guarded), now()));
      if (asked.length > 0) await Promise.race([Promise.allSettled(asked), waitLimit()]);
      return known();
    },
  };
}

async function probeProvider(
  { provider: source, call: ask }: Guarded,
  instrument: Instrument,
  now: number,
): Promise<void> {
  const stop = new AbortController();
  await ask(async (signal) => {
    if (source.latest !== undefined) await source.latest(instrument, { signal });
    else {
      const week = 7 * 86_400_000;
      await source.history?.(instrument, { timeframe: "1d", from: now - week, until: now, signal });
    }
  }, stop.signal);
}

const waitLimit = (): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, MAX_WAIT_MS).unref();
  });

/** A source that nobody asks to see: what it said long ago does not tell that it answers now, nor does a call that was given up. */
function passiveReport(content: string, guarded: Guarded<Guardable>, now: number): readonly ProviderReport[] {
  const { answeredAt, failedAt } = guarded.state();
  if (answeredAt === null && failedAt === null) return [];
  return reportOf(`${guarded.provider.name} ${content}`, guarded, now).map((report) => ({
    ...report,
    answering: report.answering && now - (answeredAt ?? 0) < FAILURE_WINDOW_MS,
  }));
}

/** Empty for a source that was never called. */
function reportOf(name: string, { state }: Guarded<Guardable>, now: number): readonly ProviderReport[] {
  const { latencyMs, calledAt, answeredAt, failedAt, failure, left, breaker, skewMs } = state();
  if (calledAt === null) return [];
  const recentFailure = failedAt !== null && now - failedAt < FAILURE_WINDOW_MS;
  return [
    {
      name,
      healthy: answeredAt !== null && !recentFailure,
      latency_ms: latencyMs ?? now - calledAt,
      answering:
        answeredAt !== null && (now - answeredAt < FAILURE_WINDOW_MS || answeredAt >= (failedAt ?? 0)),
      network: {
        last_success: answeredAt === null ? null : new Date(answeredAt).toISOString(),
        limit_left: left,
        breaker,
        clock_skew_ms: skewMs,
        failure: recentFailure ? failure : null,
      },
    },
  ];
}
