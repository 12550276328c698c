import { setTimeout as sleep } from "node:timers/promises";
import { ChainFailure } from "./chain.ts";
import type { Guarded } from "./guard.ts";

/** Share of each budget that is left to people however much there is to read. */
const INTERACTIVE_SHARE = 0.2;
const POLL_MS = 100;
/** Times a question waits for a place that it then does not get. */
const ROUNDS = 4;
/** Outcomes of sources that were not asked, or not answered, for the number of calls alone. */
const BUDGET_OUTCOMES: ReadonlySet<string> = new Set(["over_budget", "paused", "rate_limited"]);

/** A source as work sees it that nobody waits for: over its budget while no more calls are left than people's share. */
export function withInteractiveReserve(guarded: Guarded): Guarded {
  const { calls } = guarded.provider.budget;
  const theirs = Math.min(Math.ceil(INTERACTIVE_SHARE * calls), calls - 1);
  return {
    ...guarded,
    unavailableReason: () =>
      guarded.unavailableReason() ?? (guarded.state().left <= theirs ? "over_budget" : null),
  };
}

/**
 * Asks when a source has a place, however long that takes, and once more those that had none after all. Waits for nobody who is
 * out of order. Rejects as `ask` does, or with the signal's reason.
 */
export async function callWhenFree<T>(
  guards: readonly Guarded[],
  signal: AbortSignal,
  ask: (guards: readonly Guarded[]) => Promise<T>,
): Promise<T> {
  let wanted = guards;
  for (let round = 1; ; round++) {
    while (wanted.every((one) => one.unavailableReason() !== null) && wanted.some(isTemporary))
      await pause(signal);
    try {
      return await ask(wanted);
    } catch (cause) {
      if (!(cause instanceof ChainFailure) || cause.unknown || round === ROUNDS) throw cause;
      const heldBack = new Set(
        cause.tried.flatMap(({ provider, outcome }) => (BUDGET_OUTCOMES.has(outcome) ? provider : [])),
      );
      wanted = wanted.filter(({ provider: source }) => heldBack.has(source.name));
      if (wanted.length === 0) throw cause;
    }
  }
}

/** A budget fills up again, and who asks for a pause means to go on; a bad key gets no better. */
function isTemporary(guarded: Guarded): boolean {
  const why = guarded.unavailableReason();
  return why === "over_budget" || (why === "paused" && guarded.state().failure === "rate_limited");
}

async function pause(signal: AbortSignal): Promise<void> {
  await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
