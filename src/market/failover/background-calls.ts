import { ChainFailure } from "./chain.ts";
import type { Guarded } from "./guard.ts";

/** Share of each call budget reserved for interactive requests. */
const INTERACTIVE_SHARE = 0.2;
const POLL_MS = 100;
/** Maximum number of attempts to get a call slot. */
const ROUNDS = 4;
/** Outcomes caused by a call limit alone. */
const BUDGET_OUTCOMES: ReadonlySet<string> = new Set(["over_budget", "paused", "rate_limited"]);

/** A provider as background work sees it: over budget while only the interactive share of its calls is left. */
export function withInteractiveReserve(guarded: Guarded): Guarded {
  const { calls } = guarded.provider.budget;
  const reserved = Math.min(Math.ceil(INTERACTIVE_SHARE * calls), calls - 1);
  return {
    ...guarded,
    unavailableReason: () =>
      guarded.unavailableReason() ?? (guarded.state().left <= reserved ? "over_budget" : null),
  };
}

/**
 * Runs `call` once a provider has a free call slot, however long that takes, and again for providers that had none after all.
 * Does not wait for a provider that is failing. Rejects as `call` does, or with the signal's reason.
 */
export async function callWhenFree<T>(
  guards: readonly Guarded[],
  signal: AbortSignal,
  call: (guards: readonly Guarded[]) => Promise<T>,
): Promise<T> {
  let candidates = guards;
  for (let round = 1; ; round++) {
    while (candidates.every(isUnavailable) && candidates.some(isTemporary)) {
      await new Promise((resume) => setTimeout(resume, POLL_MS));
      signal.throwIfAborted();
    }
    try {
      return await call(candidates);
    } catch (cause) {
      if (!(cause instanceof ChainFailure) || cause.unknown || round === ROUNDS) throw cause;
      const limited = new Set(
        cause.tried.flatMap(({ provider, outcome }) => (BUDGET_OUTCOMES.has(outcome) ? provider : [])),
      );
      candidates = candidates.filter(({ provider }) => limited.has(provider.name));
      if (candidates.length === 0) throw cause;
    }
  }
}

const isUnavailable = (guarded: Guarded): boolean => guarded.unavailableReason() !== null;

/** True for a spent budget or a requested pause, which end; false for a bad key. */
function isTemporary(guarded: Guarded): boolean {
  const why = guarded.unavailableReason();
  return why === "over_budget" || (why === "paused" && guarded.state().failure === "rate_limited");
}
