import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
} from "cockatiel";
import type { Clock } from "../../domain/ports.ts";
import {
  type FailureKind,
  type PriceProvider,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import type { Guardable } from "../../domain/providers/provider.ts";
import { createAllowance, createMeter, type Meter, meteredFetch, OwnLimitReached } from "./meter.ts";
import type { ProviderAccount } from "./provider-account.ts";

/** Longest wait for one answer of one source. */
const TIMEOUT_MS = 1_800;
/** Failures in a row after which a source is left alone, and for how long. */
const FAILURES = 5;
const REST_MS = 10_000;
/** How long a source is left alone that refuses: for too many calls, doubling up to the longest, or for a bad key. */
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;
/** The longest pause a source may ask for itself. */
const MAX_RETRY_AFTER_MS = 15 * 60_000;
const BAD_KEY_MS = 10 * 60_000;
const CLOCK_TOLERANCE_MS = 1_500;

/** Failures that say something about the source rather than about the question. */
const PROVIDER_FAULTS: ReadonlySet<FailureKind> = new Set([
  "rate_limited",
  "auth",
  "blocked",
  "malformed",
  "down",
  "timeout",
]);

const isFault = (failure: ProviderFailure): boolean =>
  PROVIDER_FAULTS.has(failure.kind) && !(failure instanceof OwnLimitReached);

/** How a source is doing; times in epoch ms. */
export interface ProviderState {
  /** Milliseconds the newest finished call took; null before the first. */
  readonly latencyMs: number | null;
  readonly calledAt: number | null;
  readonly answeredAt: number | null;
  readonly failedAt: number | null;
  /** How the newest failure is called. */
  readonly failure: FailureKind | null;
  /** Calls of the budget left now. */
  readonly left: number;
  /** Milliseconds until one could leave; 0 while any is left. */
  readonly waitMs: number;
  readonly breaker: "closed" | "open" | "half_open";
  /** How far the provider's clock is ahead of ours, ms; null if unknown. */
  readonly skewMs: number | null;
}

/** A source behind its budget, its breaker and its timeout. */
export interface Guarded<S extends Guardable = PriceProvider> {
  readonly provider: S;
  /** Why it should not be asked now; null where it may be. `paused`: it said itself that it wants to be left alone. */
  unavailableReason(): "resting" | "paused" | "over_budget" | null;
  /**
   * Rejects with ProviderFailure alone; `signal` ends the call without blaming the source. With `force` a source is
   * asked that rests after failures: for when there is no other.
   */
  call<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    options?: { readonly force?: boolean },
  ): Promise<T>;
  state(): ProviderState;
}

/** What an adapter is built with: the guard counts its calls and hears its vendor's clock. */
export interface ProviderDeps {
  readonly fetch: typeof fetch;
  readonly onResponse: (response: { readonly status: number; readonly vendorClock: number | null }) => void;
  /** For sources that do not use the fetch: counts one call. */
  readonly acquireSlot: (signal?: AbortSignal) => Promise<() => void>;
}

export interface GuardOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Longest wait for an answer. */
  readonly timeoutMs?: number;
  /** Longest wait for a place within the budget; a fraction of a second unsaid. */
  readonly maxWaitMs?: number;
  /** What all that is asked of one vendor shares. */
  readonly account?: ProviderAccount;
}

/** Builds a source around a counted fetch and stands guard over it. */
export function guard<S extends Guardable>(
  build: (lent: ProviderDeps) => S,
  { fetch, clock, timeoutMs = TIMEOUT_MS, maxWaitMs, account }: GuardOptions,
): Guarded<S> {
  const now = () => clock.now().getTime();
  const meter = (): Meter => made;
  let state: Omit<ProviderState, "left" | "waitMs" | "breaker"> = {
    latencyMs: null,
    calledAt: null,
    answeredAt: null,
    failedAt: null,
    failure: null,
    skewMs: null,
  };
  let pausedUntil = 0;
  let pause = FIRST_PAUSE_MS;
  const source = build({
    fetch: meteredFetch(fetch, meter),
    onResponse: ({ vendorClock }) => {
      if (vendorClock !== null) state = { ...state, skewMs: skewOf(vendorClock, now()) };
    },
    acquireSlot: (signal) => made.acquireSlot(signal),
  });
  const own = createAllowance(source.budget, clock);
  const made = createMeter([own, ...(account?.allowances ?? [])], maxWaitMs);
  const breaker = circuitBreaker(
    handleWhen((cause) => cause instanceof ProviderFailure && isFault(cause)),
    { halfOpenAfter: REST_MS, breaker: new ConsecutiveBreaker(FAILURES) },
  );
  let openedAt = 0;
  breaker.onBreak(() => {
    openedAt = performance.now();
  });
  const limit = timeout(timeoutMs, TimeoutStrategy.Aggressive);

  function failed(failure: ProviderFailure): void {
    if (failure.kind === "rate_limited") {
      pausedUntil = now() + Math.min(failure.retryAfterMs ?? pause, MAX_RETRY_AFTER_MS);
      account?.pause(pausedUntil);
      pause = Math.min(2 * pause, MAX_PAUSE_MS);
    }
    if (failure.kind === "auth") pausedUntil = now() + BAD_KEY_MS;
    if (isFault(failure)) state = { ...state, failedAt: now(), failure: failure.kind };
  }

  async function once<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const started = now();
    state = { ...state, calledAt: started };
    try {
      const answer = await limit.execute((context) => work(context.signal), signal);
      state = { ...state, latencyMs: now() - started, answeredAt: now() };
      pause = FIRST_PAUSE_MS;
      return answer;
    } catch (cause) {
      if (signal.aborted) throw new CallerLeft();
      const failure = asFailure(cause);
      state = { ...state, latencyMs: now() - started };
      if (failure instanceof OwnLimitReached) throw failure;
      failed(failure);
      if (failure.kind === "unknown_symbol") state = { ...state, answeredAt: now() };
      throw failure;
    }
  }

  return {
    provider: source,
    unavailableReason() {
      // after a clock was set back no pause is longer than the longest
      pausedUntil = Math.min(pausedUntil, now() + MAX_RETRY_AFTER_MS);
      if (now() < Math.max(pausedUntil, account?.pausedUntil() ?? 0)) return "paused";
      if (!made.ready()) return "over_budget";
      const rests = breaker.state === CircuitState.Open && performance.now() - openedAt < REST_MS;
      return rests || breaker.state === CircuitState.HalfOpen ? "resting" : null;
    },
    async call(work, signal, { force = false } = {}) {
      try {
        return force ? await once(work, signal) : await breaker.execute(() => once(work, signal));
      } catch (cause) {
        if (cause instanceof CallerLeft) throw new ProviderFailure("timeout", "nobody waits for it any more");
        if (cause instanceof BrokenCircuitError) throw new ProviderFailure("down", "resting after failures");
        throw cause;
      }
    },
    state: () => ({ ...state, left: made.left(), waitMs: made.wait(), breaker: BREAKER[breaker.state] }),
  };
}

const BREAKER = {
  [CircuitState.Closed]: "closed",
  [CircuitState.Open]: "open",
  [CircuitState.HalfOpen]: "half_open",
  [CircuitState.Isolated]: "open",
} as const satisfies Record<CircuitState, ProviderState["breaker"]>;

/** A vendor's clock tells whole seconds and came a way: what that explains is no skew. */
const skewOf = (vendorClock: number, now: number): number =>
  vendorClock <= now && vendorClock > now - CLOCK_TOLERANCE_MS ? 0 : vendorClock - now;

/** The caller went away: no fault of the source. */
class CallerLeft extends Error {}

function asFailure(cause: unknown): ProviderFailure {
  if (cause instanceof ProviderFailure) return cause;
  if (cause instanceof TaskCancelledError)
    return new ProviderFailure("timeout", "it took too long", { cause });
  return new ProviderFailure("malformed", "an answer that could not be read", { cause });
}
