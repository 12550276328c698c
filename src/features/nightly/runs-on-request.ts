import { setTimeout as sleep } from "node:timers/promises";
import type { Market } from "../../domain/market/market.ts";
import type { Clock, EngineRuns, Log } from "../../domain/ports.ts";
import type { NightlyEngine } from "./engine.ts";
import { lastRun, plansOf } from "./schedule.ts";

/** Time for which a request waits for the first run, ms. */
const DEFAULT_WAIT_MS = 20_000;

interface RunsOnRequestDeps {
  readonly engineRuns: EngineRuns;
  readonly engine: () => Pick<NightlyEngine, "run" | "firstRuns">;
  readonly market: Pick<Market, "mode">;
  readonly clock: Clock;
  readonly log: Log;
  readonly waitMs?: number;
}

/**
 * Returns the runs of a process without a schedule, such as MCP over stdio. The first request for a run that does not
 * exist starts it and waits a few seconds for its end; the run goes on after that. A run that is out of date is returned
 * while the next one is computed. With live prices nothing is started, because a run sends thousands of requests.
 */
export function runsOnRequest({
  engineRuns,
  engine,
  market,
  clock,
  log,
  waitMs = DEFAULT_WAIT_MS,
}: RunsOnRequestDeps): EngineRuns {
  if (market.mode === "live") return engineRuns;
  let running: Promise<void> | null = null;

  async function runAll(isFirst: boolean): Promise<void> {
    const names = isFirst
      ? (await engine().firstRuns()).map(({ universe }) => universe)
      : plansOf(market.mode).map(({ universe }) => universe);
    for (const name of names) await engine().run({ universe: { name } });
  }

  /** Resolves when the running or a new run ends, whether or not it succeeds. */
  function ensureRun(isFirst: boolean): Promise<void> {
    running ??= runAll(isFirst)
      .catch((cause: unknown) => log.warn("engine_run_failed", { cause }))
      .finally(() => {
        running = null;
      });
    return running;
  }

  const isDue = (startedAt: string): boolean => {
    const now = clock.now().getTime();
    return plansOf(market.mode).some((plan) => Date.parse(startedAt) < lastRun(plan, now));
  };

  return {
    ...engineRuns,
    async newest(timeframe, kind) {
      const found = await engineRuns.newest(timeframe, kind);
      if (found !== null) {
        if (isDue(found.started_at)) void ensureRun(false);
        return found;
      }
      const giveUp = new AbortController();
      const waited = sleep(waitMs, undefined, { signal: giveUp.signal, ref: false }).catch(() => undefined);
      await Promise.race([ensureRun(true), waited]);
      giveUp.abort();
      return engineRuns.newest(timeframe, kind);
    },
  };
}
