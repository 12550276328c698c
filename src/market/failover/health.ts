import type { Instrument } from "../../domain/market/market.ts";
import type { Clock, ProviderHealth, ProviderReport } from "../../domain/ports.ts";
import type { Guardable } from "../../domain/providers/provider.ts";
import { isWithin } from "../../lib/expiry.ts";
import type { Guarded } from "./guard.ts";

const FAILURE_WINDOW_MS = 60_000;
/** Number of calls in the budget per probe: probes use at most a twentieth of it. */
const BUDGET_PER_PROBE = 20;
/** Maximum wait for probes, ms. */
const MAX_WAIT_MS = 1_000;

export interface LiveHealthOptions {
  readonly guards: readonly Guarded[];
  /** Providers of other data than prices; they are reported but never probed. */
  readonly otherProviders?: readonly { readonly content: string; readonly guarded: Guarded<Guardable> }[];
  readonly clock: Clock;
  /** Returns the instrument with which to probe a provider. */
  readonly probe: (guarded: Guarded) => Instrument;
}

/**
 * Returns the health of each provider. `report` probes price providers that were not called in the last minute, or
 * longer if their budget is small, with one quote, or a few bars if they have no quotes. It waits at most a second.
 */
export function liveHealth({
  guards,
  otherProviders: others = [],
  clock,
  probe,
}: LiveHealthOptions): ProviderHealth {
  const now = () => clock.now().getTime();
  const isDue = (guarded: Guarded) => {
    const { calledAt } = guarded.state();
    const { calls, perMs } = guarded.provider.budget;
    // probes must not use up the budget of real requests
    const spacing = Math.max(FAILURE_WINDOW_MS, BUDGET_PER_PROBE * (perMs / calls));
    return (calledAt === null || !isWithin(calledAt, now(), spacing)) && guarded.unavailableReason() === null;
  };
  const known = () => [
    ...guards.flatMap((guarded) => reportOf(guarded.provider.name, guarded, now())),
    ...others.flatMap(({ content, guarded }) => passiveReport(content, guarded, now())),
  ];
  return {
    current: known,
    async report() {
      const probes = guards.filter(isDue).map((guarded) => probeProvider(guarded, probe(guarded), now()));
      if (probes.length > 0) await Promise.race([Promise.allSettled(probes), waitLimit()]);
      return known();
    },
  };
}

async function probeProvider(
  { provider, call }: Guarded,
  instrument: Instrument,
  now: number,
): Promise<void> {
  const stop = new AbortController();
  await call(async (signal) => {
    if (provider.latest !== undefined) await provider.latest(instrument, { signal });
    else {
      const week = 7 * 86_400_000;
      await provider.history?.(instrument, { timeframe: "1d", from: now - week, until: now, signal });
    }
  }, stop.signal);
}

const waitLimit = (): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, MAX_WAIT_MS).unref();
  });

/**
 * Returns the report of a provider that is not probed; `answering` is true only if it responded within the last minute.
 */
function passiveReport(content: string, guarded: Guarded<Guardable>, now: number): readonly ProviderReport[] {
  const { answeredAt, failedAt } = guarded.state();
  if (answeredAt === null && failedAt === null) return [];
  return reportOf(`${guarded.provider.name} ${content}`, guarded, now).map((report) => ({
    ...report,
    answering: report.answering && now - (answeredAt ?? 0) < FAILURE_WINDOW_MS,
  }));
}

/** Returns the report of a provider; empty if it was never called. */
function reportOf(name: string, { state }: Guarded<Guardable>, now: number): readonly ProviderReport[] {
  const { latencyMs, calledAt, answeredAt, failedAt, failure, left, breaker, skewMs } = state();
  if (calledAt === null) return [];
  const recentFailure = failedAt !== null && isWithin(failedAt, now, FAILURE_WINDOW_MS);
  return [
    {
      name,
      healthy: answeredAt !== null && !recentFailure,
      latency_ms: latencyMs ?? now - calledAt,
      answering:
        answeredAt !== null &&
        (isWithin(answeredAt, now, FAILURE_WINDOW_MS) || answeredAt >= (failedAt ?? 0)),
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
