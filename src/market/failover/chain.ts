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
/** How long an answer that is not the best waits for others. */
const GRACE_MS = 600;
/** Outcomes after which asking once more may help: where nobody else answers, those who rest are asked too. */
const TRANSIENT_OUTCOMES: ReadonlySet<string> = new Set<FailureKind | "resting">([
  "malformed",
  "down",
  "timeout",
  "blocked",
  "resting",
]);

export interface FirstAnswer<T, S extends Guardable = PriceProvider> {
  readonly answer: T;
  readonly provider: Guarded<S>;
  readonly tried: readonly ProviderAttempt[];
}

/** No source answered. `unknown`: every one of them that spoke says that there is no such thing. */
export class ChainFailure extends Error {
  override readonly name = "ChainFailure";
  readonly tried: readonly ProviderAttempt[];
  readonly unknown: boolean;

  constructor(tried: readonly ProviderAttempt[]) {
    super("no source answered");
    this.tried = tried;
    const said = tried.map(({ outcome }) => outcome).filter((outcome) => outcome !== "unsupported");
    this.unknown = said.length > 0 && said.every((outcome) => outcome === "unknown_symbol");
  }
}

export interface ChainOptions<T, S extends Guardable> {
  readonly signal: AbortSignal;
  /** Whether an answer is as good as there can be: after another one the next sources are asked too. */
  readonly best?: (answer: T) => boolean;
  /** Returns true if one incomplete answer is better than another. */
  readonly better?: (answer: T, other: T) => boolean;
  /** Whether a source might know better than an answer that is not the best. */
  readonly mayHelp?: (guarded: Guarded<S>, answer: T) => boolean;
  readonly hedgeMs?: number;
  readonly graceMs?: number;
}

/**
 * Asks sources in their order: the next one when one fails, or beside it when one is slow; the first answer
 * that is the best there can be wins and the others are left. Where there is none, the best of those had in time wins. Where all fail, those whose failure may pass are asked once more. Rejects with
 * ChainFailure, or with the signal's reason.
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
): Promise<FirstAnswer<T, S>> {
  return new Promise((resolve, reject) => {
    const tried: ProviderAttempt[] = [];
    const others = new AbortController();
    const running = new Map<symbol, { readonly guarded: Guarded<S>; readonly started: number }>();
    let waiting = [...guards];
    let again = true;
    let hedge: ReturnType<typeof setTimeout> | undefined;
    let grace: ReturnType<typeof setTimeout> | undefined;
    let held: { readonly answer: T; readonly by: Guarded<S> } | null = null;
    let over = false;

    const end = (finish: () => void) => {
      if (over) return;
      over = true;
      clearTimeout(hedge);
      clearTimeout(grace);
      signal.removeEventListener("abort", leave);
      for (const { guarded, started } of running.values())
        tried.push({ provider: guarded.provider.name, outcome: "overtaken", ms: elapsed(started) });
      others.abort();
      finish();
    };
    const leave = () => end(() => reject(signal.reason));
    const win = (answer: T, by: Guarded<S>) => end(() => resolve({ answer, provider: by, tried }));
    const settle = () => held !== null && win(held.answer, held.by);

    /** Asks the next source that may be asked; ends where none is left and none is under way. */
    function next(): void {
      clearTimeout(hedge);
      while (!over) {
        const guarded = waiting.shift();
        if (guarded === undefined) {
          if (running.size === 0 && held !== null) settle();
          else if (running.size === 0 && again) {
            onceMore();
            continue;
          } else if (running.size === 0) end(() => reject(new ChainFailure(tried)));
          else if (again && held === null) hedge = setTimeout(onceMoreBeside, 2 * hedgeMs);
          return;
        }
        if (held !== null && !mayHelp(guarded, held.answer)) continue;
        const why = guarded.unavailableReason();
        if (why === null || (why === "resting" && !again)) {
          ask(guarded, why === "resting");
          hedge = setTimeout(next, hedgeMs);
          return;
        }
        tried.push({ provider: guarded.provider.name, outcome: outcomeOf(guarded, why), ms: 0 });
      }
    }

    /** The second round: those whose failure may pass, and those who are silent still. */
    function onceMore(): void {
      again = false;
      const silent = new Set([...running.values()].map(({ guarded }) => guarded));
      waiting = guards.filter((guarded) => silent.has(guarded) || isTransient(tried, guarded.provider.name));
    }
    function onceMoreBeside(): void {
      onceMore();
      next();
    }

    function ask(guarded: Guarded<S>, force: boolean): void {
      const call = Symbol();
      const started = performance.now();
      running.set(call, { guarded, started });
      guarded
        .call((stop) => work(guarded, stop), others.signal, { force })
        .then(
          (answer) => {
            if (over) return;
            running.delete(call);
            tried.push({ provider: guarded.provider.name, outcome: "answered", ms: elapsed(started) });
            if (best(answer)) return void win(answer, guarded);
            grace ??= setTimeout(settle, graceMs);
            if (held === null || better(answer, held.answer)) held = { answer, by: guarded };
            next();
          },
          (cause: unknown) => {
            if (over) return;
            running.delete(call);
            const outcome = cause instanceof ProviderFailure ? cause.kind : "malformed";
            tried.push({ provider: guarded.provider.name, outcome, ms: elapsed(started) });
            next();
          },
        );
    }

    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    else next();
  });
}

const elapsed = (started: number): number => Math.round(performance.now() - started);

/** Who is left alone after it refused the key still refuses it. */
const outcomeOf = ({ state }: Pick<Guarded, "state">, why: string): string =>
  why === "paused" && state().failure === "auth" ? "auth" : why;

const isTransient = (tried: readonly ProviderAttempt[], name: string): boolean => {
  const last = tried.findLast(({ provider }) => provider === name)?.outcome;
  return last !== undefined && TRANSIENT_OUTCOMES.has(last);
};
