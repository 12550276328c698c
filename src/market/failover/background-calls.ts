import { setTimeout as sleep } from "node:timers/promises";
import { ChainFailure } from "./chain.ts";
import type { Guarded } from "./guard.ts";
import { BUDGET_OUTCOMES } from "./provider-errors.ts";

/** Share of each call budget reserved for interactive requests. */
const INTERACTIVE_SHARE = 0.2;
const POLL_MS = 100;
/** Maximum number of attempts to get a call slot. */
const MAX_ATTEMPTS = 4;

/** Wraps a provider for background work: it is over budget once only the interactive share of its calls is left. */
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
 * Runs `call` as soon as a provider has a free call slot, however long that takes. Runs it again for providers that
 * turned out to have no slot. Does not wait for failing providers. Rejects like `call`, or with the reason of the
 * signal.
 */
export async function callWhenFree<T>(
  guards: readonly Guarded[],
  signal: AbortSignal,
  call: (guards: readonly Guarded[]) => Promise<T>,
): Promise<T> {
  let candidates = guards;
  for (let attempt = 1; ; attempt++) {
    while (candidates.every(isUnavailable) && candidates.some(isTemporary)) {
      await sleep(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    try {
      return await call(candidates);
    } catch (cause) {
      if (!(cause instanceof ChainFailure) || cause.unknown || attempt === MAX_ATTEMPTS) throw cause;
      const limited = new Set(
        cause.tried.flatMap(({ provider, outcome }) => (BUDGET_OUTCOMES.has(outcome) ? provider : [])),
      );
      candidates = candidates.filter(({ provider }) => limited.has(provider.name));
      if (candidates.length === 0) throw cause;
    }
  }
}

const isUnavailable = (guarded: Guarded): boolean => guarded.unavailableReason() !== null;

/**
 * Returns true if the provider is unavailable only for a time (spent budget, requested pause); false for a rejected
 * key.
 */
function isTemporary(guarded: Guarded): boolean {
  const why = guarded.unavailableReason();
  return why === "over_budget" || (why === "paused" && guarded.state().failure === "rate_limited");
}
