import type { ProviderAttempt } from "../../domain/market/provenance.ts";
import {
  type FailureKind,
  type PriceProvider,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import type { Guardable } from "../../domain/providers/provider.ts";
import type { Guarded } from "./guard.ts";

/** Delay before the next provider is called concurrently, ms. */
const HEDGE_MS = 400;
/** Maximum wait for a better response after an incomplete one, ms. */
const GRACE_MS = 600;
/** Outcomes after which a second call may succeed. */
const TRANSIENT_OUTCOMES: ReadonlySet<string> = new Set<FailureKind | "resting">([
  "malformed",
  "down",
  "timeout",
  "blocked",
  "resting",
]);

export interface ChainResult<T, S extends Guardable = PriceProvider> {
  readonly answer: T;
  readonly provider: Guarded<S>;
  readonly tried: readonly ProviderAttempt[];
}

/** No provider returned data. `unknown` is true if all providers that responded do not know the symbol. */
export class ChainFailure extends Error {
  override readonly name = "ChainFailure";
  readonly tried: readonly ProviderAttempt[];
  readonly unknown: boolean;

  constructor(tried: readonly ProviderAttempt[]) {
    super("no provider answered");
    this.tried = tried;
    const outcomes = tried.map(({ outcome }) => outcome).filter((outcome) => outcome !== "unsupported");
    this.unknown = outcomes.length > 0 && outcomes.every((outcome) => outcome === "unknown_symbol");
  }
}

export interface ChainOptions<T, S extends Guardable> {
  readonly signal: AbortSignal;
  /** Returns true for a complete response. After an incomplete one, the next providers are also called. */
  readonly best?: (answer: T) => boolean;
  /** Returns true if an incomplete response is better than another. */
  readonly better?: (answer: T, other: T) => boolean;
  /** Returns true if a provider may have a better response than an incomplete one. */
  readonly mayHelp?: (guarded: Guarded<S>, answer: T) => boolean;
  readonly hedgeMs?: number;
  readonly graceMs?: number;
}

interface RunningCall<S extends Guardable> {
  readonly guarded: Guarded<S>;
  /** Value of `performance.now()` at the start. */
  readonly started: number;
  readonly stop: AbortController;
  readonly overtaken: AbortController;
}

/**
 * Calls providers in order: the next one if a provider fails, or concurrently if it is slow. Resolves with the first
 * complete response, or with the best incomplete one after the grace period; the calls of other providers then go on
 * until their timeout, which counts as their failure. If all fail, calls those with a transient failure once more. Rejects with ChainFailure, or with the reason of the signal.
 */
export function callInOrder<T, S extends Guardable>(
  guards: readonly Guarded<S>[],
  work: (guarded: Guarded<S>, signal: AbortSignal) => Promise<T>,
  {
    signal,
    best = () => true,
    better = () => false,
    mayHelp = () => true,
    hedgeMs = HEDGE_MS,
    graceMs = GRACE_MS,
  }: ChainOptions<T, S>,
): Promise<ChainResult<T, S>> {
  const { timeScale = 1 } = guards[0] ?? {};
  return new Promise((resolve, reject) => {
    const tried: ProviderAttempt[] = [];
    const running = new Map<symbol, RunningCall<S>>();
    let waiting = [...guards];
    let mayRetry = true;
    let hedge: ReturnType<typeof setTimeout> | undefined;
    let grace: ReturnType<typeof setTimeout> | undefined;
    let partial: { readonly answer: T; readonly from: Guarded<S> } | null = null;
    let over = false;

    const end = (settlePromise: () => void, winner: Guarded<S> | null) => {
      if (over) return;
      over = true;
      clearTimeout(hedge);
      clearTimeout(grace);
      signal.removeEventListener("abort", abort);
      for (const { guarded, started, stop, overtaken } of running.values()) {
        tried.push({ provider: guarded.provider.name, outcome: "overtaken", ms: elapsed(started) });
        // a provider that answered another call of this request is not slow
        if (winner === null || winner === guarded) stop.abort();
        else overtaken.abort();
      }
      settlePromise();
    };
    const abort = () => end(() => reject(signal.reason), null);
    const finish = (answer: T, from: Guarded<S>) =>
      end(() => resolve({ answer, provider: from, tried }), from);
    const settle = () => partial !== null && finish(partial.answer, partial.from);

    /** Calls the next available provider. Settles if none is left and no call is running. */
    function next(): void {
      clearTimeout(hedge);
      while (!over) {
        const guarded = waiting.shift();
        if (guarded === undefined) {
          if (running.size === 0 && partial !== null) settle();
          else if (running.size === 0 && mayRetry) {
            retry();
            continue;
          } else if (running.size === 0) end(() => reject(new ChainFailure(tried)), null);
          else if (mayRetry && partial === null)
            hedge = setTimeout(retryConcurrently, 2 * hedgeMs * timeScale);
          return;
        }
        if (partial !== null && !mayHelp(guarded, partial.answer)) continue;
        const why = guarded.unavailableReason();
        if (why === null || (why === "resting" && !mayRetry)) {
          call(guarded, why === "resting");
          hedge = setTimeout(next, hedgeMs * timeScale);
          return;
        }
        tried.push({ provider: guarded.provider.name, outcome: outcomeOf(guarded, why), ms: 0 });
      }
    }

    /** Starts the second round: providers with a transient failure, and those that have not responded. */
    function retry(): void {
      mayRetry = false;
      const pending = new Set([...running.values()].map(({ guarded }) => guarded));
      waiting = guards.filter((guarded) => pending.has(guarded) || isTransient(tried, guarded.provider.name));
    }
    function retryConcurrently(): void {
      retry();
      next();
    }

    function call(guarded: Guarded<S>, force: boolean): void {
      const id = Symbol();
      const started = performance.now();
      const [stop, overtaken] = [new AbortController(), new AbortController()];
      running.set(id, { guarded, started, stop, overtaken });
      guarded
        .call((aborted) => work(guarded, aborted), stop.signal, { force, overtaken: overtaken.signal })
        .then(
          (answer) => {
            if (over) return;
            running.delete(id);
            tried.push({ provider: guarded.provider.name, outcome: "answered", ms: elapsed(started) });
            if (best(answer)) return void finish(answer, guarded);
            grace ??= setTimeout(settle, graceMs * timeScale);
            if (partial === null || better(answer, partial.answer)) partial = { answer, from: guarded };
            next();
          },
          (cause: unknown) => {
            if (over) return;
            running.delete(id);
            const outcome = cause instanceof ProviderFailure ? cause.kind : "malformed";
            tried.push({ provider: guarded.provider.name, outcome, ms: elapsed(started) });
            next();
          },
        );
    }

    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    else next();
  });
}

const elapsed = (started: number): number => Math.round(performance.now() - started);

/** Returns the outcome of a provider that was not called; a pause after a rejected key is `auth`. */
const outcomeOf = ({ state }: Pick<Guarded, "state">, why: string): string =>
  why === "paused" && state().failure === "auth" ? "auth" : why;

const isTransient = (tried: readonly ProviderAttempt[], name: string): boolean => {
  const last = tried.findLast(({ provider }) => provider === name)?.outcome;
  return last !== undefined && TRANSIENT_OUTCOMES.has(last);
};
