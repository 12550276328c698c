import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import { type JobHandler, MAX_ATTEMPTS, type TakenJob } from "../../domain/jobs-port.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { RunFailure, RunHead } from "../../domain/nightly/engine.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { groupBy } from "../../lib/group-by.ts";
import { sharedSignal } from "../../lib/shared-signal.ts";
import { cachedBars } from "./cached-bars.ts";
import { openedRuns } from "./opened-runs.ts";
import { computeOutcomes, type OutcomeContext, TIMEFRAME } from "./outcomes.ts";
import { storedRanks } from "./ranks.ts";
import { readSeries, seriesNeeded } from "./read-series.ts";
import { logFailure } from "./run-errors.ts";
import type { RunPorts } from "./run-ports.ts";
import { sharedWork } from "./shared-work.ts";

/** Jobs that each compute and write a batch of symbols of a run. */
export const SHARD = "nightly_shard";
/** Number of symbols computed and written as one batch. */
export const BATCH_SIZE = 32;
/** Number of batches gathered, computed and written concurrently by one process. */
const MAX_BATCHES = 3;
/** Number of series read concurrently: `live` when each costs a provider request, `local` when none does. */
const CONCURRENCY = { live: 4, local: 16 } as const;

export const concurrencyOf = ({ market }: Pick<RunPorts, "market">): number =>
  market.mode === "live" ? CONCURRENCY.live : CONCURRENCY.local;

interface Shard {
  readonly symbols: readonly string[];
}

/** What is stored of a shard with its end; null for one whose run had ended. */
export type ShardResult = { readonly failures: readonly RunFailure[] } | null;

/** A run with the bars and ranks that its shards share. */
export interface RunContext extends Omit<OutcomeContext, "ports"> {
  readonly head: RunHead;
}

/** Creates the shards of runs in one process: those of its own run, and of runs that other processes began. */
export function createShards(ports: RunPorts, closing: AbortSignal) {
  const { jobs, repository, symbols, clock, bars } = ports;
  const own = new Map<string, { readonly context: RunContext; readonly fail: (cause: unknown) => void }>();
  const others = openedRuns<RunContext | null>();

  /** Opens a run that another process began; null if it has ended. */
  async function openRun(run: string): Promise<RunContext | null> {
    const head = await repository.open(run);
    if (head === null) return null;
    // rows of two models in one run could not be compared
    if (head.model_version !== MODEL_VERSION) throw otherModel(head);
    const asOf = Date.parse(head.as_of);
    const cached = cachedBars(bars, { timeframe: TIMEFRAME, asOf, signal: closing });
    return { head, asOf, signal: closing, ranks: await storedRanks(head, repository), cached };
  }

  async function computeShard(job: TakenJob, context: RunContext): Promise<boolean> {
    const { head, cached, signal } = context;
    const known = new Map(symbols.members().map((one) => [one.symbol, one]));
    const failures: RunFailure[] = [];
    const due: Instrument[] = [];
    for (const symbol of (job.payload as Shard).symbols) {
      const instrument = known.get(symbol) ?? symbols.find(symbol)?.instrument;
      if (instrument === undefined) failures.push(unknownSymbol(symbol));
      else due.push(instrument);
    }
    if (!own.has(job.run)) {
      const needed = seriesNeeded(due, symbols);
      const concurrency = concurrencyOf(ports);
      await readSeries(due, { needed, cached, concurrency, signal, progress: () => undefined });
    }
    const outcomes = await computeOutcomes(due, { ...context, ports });
    signal.throwIfAborted();
    const rows = outcomes.flatMap(({ row, forecast = null }) => (row === null ? [] : [{ row, forecast }]));
    const computed = { head, rows, signal };
    // before the rows: they are inserted if missing, so that a second attempt adds none
    await logFailure("engine_forecasts", async () => ports.onComputed?.(computed), computed, ports);
    for (const { failure, fault } of outcomes) {
      if (failure !== null) failures.push(failure);
      if (fault !== undefined) ports.log.error("engine_symbol", { symbol: failure?.symbol, cause: fault });
    }
    const result: ShardResult = { failures };
    return repository.write(
      head.run_id,
      rows.map(({ row }) => row),
      { claim: job, result, now: clock.now() },
    );
  }

  const handle: JobHandler = async (job, signal) => {
    const run = own.get(job.run);
    const compute = async (context: RunContext | null) => {
      // what is missing of a run is added again when it is resumed
      if (context === null || run?.context.signal.aborted) return jobs.end(job, null);
      const both = sharedSignal(AbortSignal.any([signal, context.signal]));
      return computeShard(job, { ...context, signal: both });
    };
    try {
      return await (run === undefined
        ? others(job.run, () => openRun(job.run), compute)
        : compute(run.context));
    } catch (cause) {
      if (run?.context.signal.aborted && !signal.aborted) return jobs.end(job, null);
      if (job.attempts >= MAX_ATTEMPTS || isStorageFault(cause)) run?.fail(cause);
      throw cause;
    }
  };

  return {
    /** Makes this process do shards until the result is called. */
    take: sharedWork(() => jobs.work(SHARD, handle, { concurrency: MAX_BATCHES })),
    /** Makes the bars and ranks of a run that this process began known to its shards; `fail` gets their final failures. */
    begin(context: RunContext, fail: (cause: unknown) => void): () => void {
      const { run_id } = context.head;
      own.set(run_id, { context, fail });
      return () => void own.delete(run_id);
    },
  };
}

const otherModel = ({ run_id, model_version }: RunHead) =>
  new ToolError(
    "REFUSED",
    `Run ${run_id} is of model ${model_version}, and this process has ${MODEL_VERSION}`,
    {
      hint: "Update all servers and workers to one version.",
    },
  );

export type Shards = ReturnType<typeof createShards>;

export const unknownSymbol = (symbol: string): RunFailure => ({
  symbol,
  code: "UNKNOWN_SYMBOL",
  message: `Unknown symbol: ${symbol}`,
});

/** Lists batches of symbols grouped by sector, so that their shared peers are sent to one thread. */
export function shardsOf(due: readonly Instrument[]): readonly Shard[] {
  const groupOf = ({ asset_class, sector }: Instrument) => `${asset_class}|${sector ?? ""}`;
  const sorted = [...groupBy(due, groupOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => group.map(({ symbol }) => symbol));
  return Array.from({ length: Math.ceil(sorted.length / BATCH_SIZE) }, (_, i) => ({
    symbols: sorted.slice(i * BATCH_SIZE, (i + 1) * BATCH_SIZE),
  }));
}

/** Returns true for an error of the database that a second attempt does not mend. */
const isStorageFault = (cause: unknown): boolean =>
  ["STORAGE_FULL", "STORAGE_DAMAGED"].includes(asToolError(cause).code);
