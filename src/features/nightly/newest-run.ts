import type { MarketKind } from "../../domain/market/market.ts";
import type { EngineRun } from "../../domain/nightly/engine.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { nextRun, plansOf } from "./schedule.ts";
import { secondsLeft } from "./wait-for-run.ts";

/** Time after which a request is worth repeating while a run is in progress, ms. */
const RETRY_MS = 60_000;

const NAMES = { stocks: "stocks", crypto: "crypto" } as const satisfies Record<MarketKind, string>;

/** Returns the newest finished run over a kind or, before the first one, the unfinished run once it has rows. */
export async function newestRun(
  kind: MarketKind,
  { engineRuns }: Pick<Ports, "engineRuns">,
): Promise<EngineRun | null> {
  const finished = await engineRuns.newest("1d", kind);
  if (finished !== null) return finished;
  const unfinished = await engineRuns.unfinished("1d", kind);
  return unfinished === null || unfinished.rows.length === 0 ? null : unfinished;
}

/** Returns true if a run over one of the kinds has finished, or has rows. */
export async function hasRun(
  kinds: readonly MarketKind[],
  ports: Pick<Ports, "engineRuns">,
): Promise<boolean> {
  return (await Promise.all(kinds.map((kind) => newestRun(kind, ports)))).some((run) => run !== null);
}

/** Returns true if there are newest runs over the kinds, and all of them have finished. */
export async function hasWholeRun(
  kinds: readonly MarketKind[],
  ports: Pick<Ports, "engineRuns">,
): Promise<boolean> {
  const runs = (await Promise.all(kinds.map((kind) => newestRun(kind, ports)))).filter((run) => run !== null);
  return runs.length > 0 && runs.every(({ runAt }) => runAt !== null);
}

/**
 * Builds the error of a market without a nightly result; `retry_at` is when one may exist. While this process computes
 * the first run, it is UPSTREAM_UNAVAILABLE with the estimated remaining seconds of the run.
 */
export async function noRunError(
  kinds: readonly MarketKind[],
  { engineRuns, market, clock }: Pick<Ports, "engineRuns" | "market" | "clock">,
): Promise<ToolError> {
  const now = clock.now().getTime();
  const over = kinds.length > 1 ? "" : ` over ${NAMES[kinds[0]!]}`;
  const running = (await engineRuns.recent()).find(({ runAt }) => runAt === null);
  const next = Math.min(...plansOf(market.mode).map((plan) => nextRun(plan, now)));
  const retryAt = running === undefined ? next : now + RETRY_MS;
  const progress =
    running === undefined
      ? ""
      : `; the run over ${running.universe} has results of ${running.rows} of ${running.members} symbols`;
  const ongoing = engineRuns.ongoing?.current() ?? null;
  if (ongoing !== null) {
    const retry_after = secondsLeft(ongoing, now);
    return new ToolError("UPSTREAM_UNAVAILABLE", `The first nightly run${over} is in progress${progress}`, {
      hint: `Retry in ${retry_after} s; scan_symbols works without a run.`,
      data: { retry_after, retry_at: new Date(now + 1_000 * retry_after).toISOString() },
    });
  }
  return new ToolError("NOT_ENOUGH_DATA", `No nightly run${over} has finished yet${progress}`, {
    ...(running === undefined
      ? {
          hint: "The owner of the server can start a run; scan_symbols works without one.",
          command: "market-signal engine run --universe all",
        }
      : { hint: "Retry at retry_at; scan_symbols works without a run." }),
    data: { retry_at: new Date(retryAt).toISOString() },
  });
}
