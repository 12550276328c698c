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
import {
  createAllowance,
  createMeter,
  type Meter,
  meteredFetch,
  OwnLimitReached,
  type ProviderAccount,
  type SharedBudgets,
  shareOf,
} from "./meter.ts";

/** Maximum wait for a response of a provider, ms. */
const TIMEOUT_MS = 1_800;
/** Number of consecutive failures that open the breaker, and time that it stays open, ms. */
const MAX_CONSECUTIVE_FAILURES = 5;
const BREAKER_OPEN_MS = 10_000;
/** Pause after a status 429, ms; doubles up to the maximum. */
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;
/** Maximum Retry-After that is honoured, ms. */
const MAX_RETRY_AFTER_MS = 15 * 60_000;
const BAD_KEY_MS = 10 * 60_000;
const CLOCK_TOLERANCE_MS = 1_500;

/** Failures of the provider, as opposed to failures of the request. */
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

/** State of a provider; times in epoch ms. */
export interface ProviderState {
  /** Duration of the last finished call, ms; null before the first call. */
  readonly latencyMs: number | null;
  readonly calledAt: number | null;
  readonly answeredAt: number | null;
  readonly failedAt: number | null;
  /** Kind of the last failure. */
  readonly failure: FailureKind | null;
  /** Number of calls left in the budget. */
  readonly left: number;
  /** Milliseconds until the budget and a pause that the provider requested allow a call; 0 if they do now. */
  readonly waitMs: number;
  readonly breaker: "closed" | "open" | "half_open";
  /** How far the provider's clock is ahead of ours, ms; null if unknown. */
  readonly skewMs: number | null;
}

/** A provider whose calls are limited by a budget, a circuit breaker and a timeout. */
export interface Guarded<S extends Guardable = PriceProvider> {
  readonly provider: S;
  /** Factor of every time limit of its calls. Default: 1. */
  readonly timeScale?: number;
  /**
   * Returns the reason not to call the provider now; null if it may be called. `resting`: its breaker is open, or a call
   * that another provider overtook is still running; `paused`: it requested a pause or rejected the key.
   */
  unavailableReason(): "resting" | "paused" | "over_budget" | null;
  /**
   * Runs `work` against the provider. Rejects only with ProviderFailure. Aborting `signal` does not count as a failure
   * of the provider. With `force` the call is made even while the breaker is open. If `overtaken` aborts, another
   * provider has answered: the call goes on, and opens the breaker if it exceeds the timeout.
   */
  call<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    options?: { readonly force?: boolean; readonly overtaken?: AbortSignal },
  ): Promise<T>;
  /** Aborts the calls that another provider overtook. */
  abortOvertaken(): void;
  state(): ProviderState;
}

/** Dependencies of a provider adapter, with which the guard counts its calls and compares its clock. */
export interface ProviderDeps {
  readonly fetch: typeof fetch;
  readonly onResponse: (response: { readonly status: number; readonly providerClock: number | null }) => void;
  /** Counts one call of a provider that does not use `fetch`. */
  readonly acquireSlot: (signal?: AbortSignal) => Promise<() => void>;
}

export interface GuardOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Maximum wait for a response, ms. Default: 1,800. */
  readonly timeoutMs?: number;
  /** Maximum wait for a free call slot, ms. Default: 400. */
  readonly maxWaitMs?: number;
  /** Number of processes that share the budget of the provider. Default: 1. */
  readonly processes?: number;
  /** Limits shared by all providers that use the same account. */
  readonly account?: ProviderAccount;
  /** Returns the budgets of a provider that all servers on one database share. Default: each process has its share. */
  readonly sharedOf?: (provider: Guardable) => SharedBudgets;
  /** Called after each call, whether it succeeded or not. */
  readonly onSettled?: () => void;
}

/** Builds a provider with a metered fetch and wraps its calls in budget, breaker and timeout. */
export function guard<S extends Guardable>(
  build: (deps: ProviderDeps) => S,
  {
    fetch,
    clock,
    timeoutMs = TIMEOUT_MS,
    maxWaitMs,
    processes = 1,
    account,
    sharedOf,
    onSettled,
  }: GuardOptions,
): Guarded<S> {
  const now = () => clock.now().getTime();
  const { timeScale = 1 } = clock;
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
  const provider = build({
    fetch: meteredFetch(fetch, () => meter),
    onResponse: ({ providerClock }) => {
      if (providerClock !== null) state = { ...state, skewMs: skewOf(providerClock, now()) };
    },
    acquireSlot: (signal) => meter.acquireSlot(signal),
  });
  const own = createAllowance(
    shareOf(provider.budget, processes, { isShared: sharedOf !== undefined }),
    clock,
  );
  const shared = sharedOf?.(provider);
  const meter: Meter = createMeter([own, ...(account?.allowances ?? [])], {
    maxWaitMs,
    timeScale,
    ...(shared && { shared }),
  });
  const consecutive = new ConsecutiveBreaker(MAX_CONSECUTIVE_FAILURES);
  const breaker = circuitBreaker(
    handleWhen((cause) => cause instanceof ProviderFailure && isFault(cause)),
    {
      halfOpenAfter: BREAKER_OPEN_MS,
      breaker: {
        state: undefined,
        success: () => consecutive.success(),
        failure: () => consecutive.failure() || hung,
      },
    },
  );
  /** True if the last failed call was overtaken by another provider and exceeded the timeout. */
  let hung = false;
  const overtakenCalls = new Set<AbortController>();
  let openedAt = 0;
  breaker.onBreak(() => {
    openedAt = performance.now();
  });
  const limit = timeout(timeoutMs * timeScale, TimeoutStrategy.Aggressive);

  function failed(failure: ProviderFailure): void {
    if (failure.kind === "rate_limited") {
      pausedUntil = now() + Math.min(failure.retryAfterMs ?? pause, MAX_RETRY_AFTER_MS);
      account?.pause(pausedUntil);
      pause = Math.min(2 * pause, MAX_PAUSE_MS);
    }
    if (failure.kind === "auth") pausedUntil = now() + BAD_KEY_MS;
    if (isFault(failure)) state = { ...state, failedAt: now(), failure: failure.kind };
  }

  async function once<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    overtaken: AbortSignal | undefined,
  ): Promise<T> {
    const started = now();
    state = { ...state, calledAt: started };
    try {
      const answer = await limit.execute((context) => work(context.signal), signal);
      state = { ...state, latencyMs: now() - started, answeredAt: now() };
      pause = FIRST_PAUSE_MS;
      return answer;
    } catch (cause) {
      if (signal.aborted) throw new CallerAborted();
      const failure = asFailure(cause);
      state = { ...state, latencyMs: now() - started };
      if (failure instanceof OwnLimitReached) throw failure;
      hung = failure.kind === "timeout" && overtaken?.aborted === true;
      failed(failure);
      if (failure.kind === "unknown_symbol") state = { ...state, answeredAt: now() };
      throw failure;
    }
  }

  return {
    provider,
    timeScale,
    unavailableReason() {
      // shortens the pause if the system clock was set back
      pausedUntil = Math.min(pausedUntil, now() + MAX_RETRY_AFTER_MS);
      if (now() < Math.max(pausedUntil, account?.pausedUntil() ?? 0)) return "paused";
      if (!meter.ready()) return "over_budget";
      const isOpen = breaker.state === CircuitState.Open && performance.now() - openedAt < BREAKER_OPEN_MS;
      const rests = isOpen || breaker.state === CircuitState.HalfOpen || overtakenCalls.size > 0;
      return rests ? "resting" : null;
    },
    async call(work, signal, { force = false, overtaken } = {}) {
      const stop = new AbortController();
      const abort = () => stop.abort(signal.reason);
      const markOvertaken = () => void overtakenCalls.add(stop);
      if (signal.aborted) abort();
      signal.addEventListener("abort", abort, { once: true });
      overtaken?.addEventListener("abort", markOvertaken, { once: true });
      const run = () => once(work, stop.signal, overtaken);
      try {
        return force ? await run() : await breaker.execute(run);
      } catch (cause) {
        if (cause instanceof CallerAborted) throw new ProviderFailure("timeout", "the caller aborted");
        if (cause instanceof BrokenCircuitError) throw new ProviderFailure("down", "circuit breaker is open");
        throw cause;
      } finally {
        signal.removeEventListener("abort", abort);
        overtaken?.removeEventListener("abort", markOvertaken);
        overtakenCalls.delete(stop);
        onSettled?.();
      }
    },
    abortOvertaken() {
      for (const stop of overtakenCalls) stop.abort();
    },
    state: () => ({
      ...state,
      left: meter.left(),
      waitMs: Math.max(meter.wait(), state.failure === "rate_limited" ? pausedUntil - now() : 0),
      breaker: BREAKER[breaker.state],
    }),
  };
}

const BREAKER = {
  [CircuitState.Closed]: "closed",
  [CircuitState.Open]: "open",
  [CircuitState.HalfOpen]: "half_open",
  [CircuitState.Isolated]: "open",
} as const satisfies Record<CircuitState, ProviderState["breaker"]>;

/**
 * Returns how far the provider's clock is ahead of ours, ms; 0 if rounding to seconds and network delay explain the
 * difference.
 */
const skewOf = (providerClock: number, now: number): number =>
  providerClock <= now && providerClock > now - CLOCK_TOLERANCE_MS ? 0 : providerClock - now;

/** Thrown if the caller aborted, which is not a failure of the provider. */
class CallerAborted extends Error {}

function asFailure(cause: unknown): ProviderFailure {
  if (cause instanceof ProviderFailure) return cause;
  if (cause instanceof TaskCancelledError)
    return new ProviderFailure("timeout", "no response in time", { cause });
  return new ProviderFailure("malformed", "unreadable response", { cause });
}
