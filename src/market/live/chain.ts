import type { Attempt } from "../../domain/provenance.ts";
import type { Guarded } from "./guard.ts";
import { type FailureKind, SourceFailure } from "./source.ts";

/** How long the first choice may take before the next one is asked beside it. */
const HEDGE_MS = 400;
/** How long an answer that is second best waits for a better source still under way. */
const GRACE_MS = 400;
/** Failures after which asking once more may help. */
const PASSING: ReadonlySet<FailureKind> = new Set(["malformed", "down", "timeout", "blocked"]);

export interface Won<T> {
  readonly answer: T;
  readonly by: Guarded;
  readonly tried: readonly Attempt[];
}

/** No source answered. `unknown`: every one of them that spoke says that there is no such thing. */
export class ChainFailure extends Error {
  override readonly name = "ChainFailure";
  readonly tried: readonly Attempt[];
  readonly unknown: boolean;

  constructor(tried: readonly Attempt[]) {
    super("no source answered");
    this.tried = tried;
    const spoke = tried.filter(({ outcome }) => outcome !== "unsupported");
    this.unknown = tried.length > 0 && spoke.every(({ outcome }) => outcome === "unknown_symbol");
  }
}

export interface ChainOptions<T> {
  readonly signal: AbortSignal;
  /** Whether an answer is as good as there can be: another one waits a moment for the sources before it. */
  readonly best?: (answer: T) => boolean;
  readonly hedgeMs?: number;
  readonly graceMs?: number;
}

/**
 * Asks sources in their order: the next one when one fails, or beside it when one is slow; the first good answer
 * wins and the others are left. Where all fail, those whose failure may pass are asked once more. Rejects with
 * ChainFailure, or with the signal's reason.
 */
export function askInOrder<T>(
  guards: readonly Guarded[],
  work: (guarded: Guarded, signal: AbortSignal) => Promise<T>,
  { signal, best = () => true, hedgeMs = HEDGE_MS, graceMs = GRACE_MS }: ChainOptions<T>,
): Promise<Won<T>> {
  return new Promise((resolve, reject) => {
    const tried: Attempt[] = [];
    const others = new AbortController();
    const running = new Map<Guarded, { readonly started: number; readonly place: number }>();
    let waiting = [...guards];
    let again = true;
    let hedge: ReturnType<typeof setTimeout> | undefined;
    let held: { readonly answer: T; readonly by: Guarded } | null = null;
    let over = false;

    const end = (finish: () => void) => {
      if (over) return;
      over = true;
      clearTimeout(hedge);
      signal.removeEventListener("abort", leave);
      for (const [{ source }, { started }] of running)
        tried.push({ provider: source.name, outcome: "overtaken", ms: elapsed(started) });
      others.abort();
      finish();
    };
    const leave = () => end(() => reject(signal.reason));
    const win = (answer: T, by: Guarded) => end(() => resolve({ answer, by, tried }));

    /** Asks the next source that may be asked; ends where none is left and none is under way. */
    function next(): void {
      clearTimeout(hedge);
      while (!over) {
        const guarded = waiting.shift();
        if (guarded !== undefined) {
          const why = guarded.unready();
          if (why !== null) {
            tried.push({ provider: guarded.source.name, outcome: why, ms: 0 });
            continue;
          }
          ask(guarded);
          hedge = setTimeout(next, hedgeMs);
        } else if (running.size === 0) {
          if (held !== null) win(held.answer, held.by);
          else if (again) {
            again = false;
            waiting = guards.filter(({ source }) => mayPass(tried, source.name));
            continue;
          } else end(() => reject(new ChainFailure(tried)));
        }
        return;
      }
    }

    function ask(guarded: Guarded): void {
      const place = guards.indexOf(guarded);
      const started = performance.now();
      running.set(guarded, { started, place });
      guarded
        .ask((stop) => work(guarded, stop), others.signal)
        .then(
          (answer) => {
            if (over) return;
            running.delete(guarded);
            tried.push({ provider: guarded.source.name, outcome: "answered", ms: elapsed(started) });
            const betterUnderWay = [...running.values()].some((other) => other.place < place);
            if (best(answer) || !betterUnderWay) win(answer, guarded);
            else if (held === null) {
              held = { answer, by: guarded };
              setTimeout(() => win(answer, guarded), graceMs);
            }
          },
          (cause: unknown) => {
            if (over) return;
            running.delete(guarded);
            const outcome = cause instanceof SourceFailure ? cause.kind : "malformed";
            tried.push({ provider: guarded.source.name, outcome, ms: elapsed(started) });
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

const mayPass = (tried: readonly Attempt[], name: string): boolean => {
  const last = tried.findLast(({ provider }) => provider === name)?.outcome;
  return last !== undefined && PASSING.has(last as FailureKind);
};
