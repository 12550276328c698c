import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { type GatherPorts, type GatherRequest, gather } from "../signal/gather.ts";
import { inputStates } from "../signal/input-states.ts";
import { digestOnce } from "../signal/inputs-hash.ts";
import type { CachedBars } from "./cached-bars.ts";
import { type EngineOutcome, type RowInputs, subjectOf, toFailure } from "./engine-row.ts";
import { batchOf, outcomesTask } from "./outcomes-task.ts";
import type { Ranks } from "./ranks.ts";
import type { RunPorts } from "./run-ports.ts";

/** Timeframe of nightly runs. */
export const TIMEFRAME = "1d";

/** What the outcomes of a run are computed from. */
export interface OutcomeContext {
  readonly asOf: number;
  readonly signal: AbortSignal;
  /** Ranks of the run; null before they are computed. */
  readonly ranks: Ranks | (() => null);
  readonly cached: CachedBars;
  readonly ports: GatherPorts & Pick<RunPorts, "withFacts" | "compute" | "signalLog">;
}

/** Gathers the inputs of symbols and computes their outcomes; a symbol whose inputs cannot be gathered is a failure. */
export async function computeOutcomes(
  instruments: readonly Instrument[],
  { asOf, signal, ranks, cached, ports }: OutcomeContext,
): Promise<readonly EngineOutcome[]> {
  const gathered = await Promise.all(
    instruments.map(async (instrument) => {
      if (isBusy()) await yieldToEventLoop();
      try {
        const request: GatherRequest = {
          timeframe: TIMEFRAME,
          asOf,
          signal,
          ranks,
          cachedSeries: cached.peek,
          cachedBars: cached.peekAll,
        };
        const inputs = await gather(instrument, request, { ...ports, bars: cached });
        return subjectOf(instrument, await (ports.withFacts?.(instrument, inputs, signal) ?? inputs));
      } catch (cause) {
        return toFailure(instrument, cause);
      }
    }),
  );
  const subjects = gathered.flatMap((one) => ("input" in one ? one : []));
  const computed = await ports.compute.run(outcomesTask, batchOf(subjects), { signal });
  if (ports.signalLog !== undefined) await observeRows(computed, subjects, ports.signalLog);
  return [...computed, ...gathered.flatMap((one) => ("input" in one ? [] : one))];
}

/** Remembers the answer of each row with its inputs. */
async function observeRows(
  outcomes: readonly EngineOutcome[],
  subjects: readonly RowInputs[],
  signalLog: Pick<Ports["signalLog"], "observe">,
): Promise<void> {
  const digest = digestOnce();
  for (const [i, { row }] of outcomes.entries()) {
    if (row === null) continue;
    const { symbol, as_of, direction, score, grade } = row;
    const inputs = inputStates(subjects[i]!, digest);
    await signalLog.observe({
      symbol,
      timeframe: TIMEFRAME,
      decided_at: as_of,
      direction,
      score,
      grade,
      inputs,
    });
  }
}
