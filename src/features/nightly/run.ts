import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import type { JobStatus } from "../../domain/jobs-port.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { EngineRow, MarketIndexValue, RunFailure, RunHead } from "../../domain/nightly/engine.ts";
import type { RunReport, RunRequest } from "../../domain/nightly/engine-port.ts";
import { sharedSignal } from "../../lib/shared-signal.ts";
import { type CachedBars, cachedBars, TRANSIENT_CODES } from "./cached-bars.ts";
import { computeOutcomes, TIMEFRAME } from "./outcomes.ts";
import { ranksOf } from "./ranks.ts";
import { readSeries, seriesNeeded } from "./read-series.ts";
import { deadShards, emptyRun, logFailure, takenOver, tooFewRead } from "./run-errors.ts";
import type { RunFindings, RunPorts } from "./run-ports.ts";
import {
  BATCH_SIZE,
  concurrencyOf,
  type RunContext,
  SHARD,
  type ShardResult,
  type Shards,
  shardsOf,
  unknownSymbol,
} from "./shards.ts";
import { closeOf, hashOf, largestFirst, membersOf, noMembers } from "./universe.ts";

/** Share of unreadable members above which a run fails. */
const MAX_LOST_SHARE = 0.5;

/**
 * Runs over a universe as of its newest close, or resumes an interrupted run. Rejects like `Engine.run`, or with the
 * reason of the signal.
 */
export async function runUniverse(
  request: RunRequest & { readonly signal: AbortSignal },
  { shards, ...ports }: RunPorts & { readonly shards: Shards },
): Promise<RunReport> {
  const { repository, clock, symbols } = ports;
  const { signal } = request;
  const { head, resumed } = await startOrResume(request, ports);
  const known = new Map(symbols.members().map((one) => [one.symbol, one]));
  const found = await repository.computedSymbols(head.run_id);
  const failures: RunFailure[] = [];
  const due: Instrument[] = [];
  for (const symbol of head.members) {
    const instrument = known.get(symbol) ?? symbols.find(symbol)?.instrument;
    if (found.has(symbol)) continue;
    if (instrument !== undefined) due.push(instrument);
    else failures.push(unknownSymbol(symbol));
  }
  const asOf = Date.parse(head.as_of);
  const cached = cachedBars(ports.bars, { timeframe: TIMEFRAME, asOf, signal });
  const needed = seriesNeeded(due, symbols);
  const total = needed.length + due.length;
  const progress = (done: number, message: string) => request.progress?.({ done, total, message });
  const concurrency = concurrencyOf(ports);

  if (request.early === true) await writeEarlyRows(due, { head, asOf, signal, cached, concurrency, ports });
  const barsRead = (read: number) => progress(read, "bars read");
  const lost = await readSeries(due, { needed, cached, concurrency, signal, progress: barsRead });
  // checked before ranking, because ranks over only a few series would be wrong
  if (lost.length > MAX_LOST_SHARE * head.members.length) throw tooFewRead(head, lost.length);
  const ranks = await ranksOf({ head, cached, concurrency, ...ports });

  const context = { head, asOf, signal, ranks, cached };
  const computed = (count: number) => {
    if (count > 0) progress(needed.length + count, "computed");
  };
  failures.push(...(await computeShards(due, { context, computed, shards, ports })));

  signal.throwIfAborted();
  const rows = await repository.rows(head.run_id);
  if (rows.length === 0) throw emptyRun(head, failures);
  const passing = failures.filter(({ code }) => TRANSIENT_CODES.has(code)).length;
  if (passing > MAX_LOST_SHARE * head.members.length) throw tooFewRead(head, passing);
  const findings = { head, rows, bars: cached, signal };
  const index = await indexOf(findings, ports);
  await logFailure("engine_track", async () => ports.onFound?.(findings), findings, ports);
  const runAt = clock.now().toISOString();
  failures.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  await repository.finish(head.run_id, { runAt, failures, index });
  return { head, runAt, resumed, rows, failures };
}

/** Has the shards of a run computed by the processes of the installation, this one included; returns their failures. */
async function computeShards(
  due: readonly Instrument[],
  {
    context,
    computed,
    shards,
    ports: { jobs, repository },
  }: {
    readonly context: RunContext;
    /** Called with the number of symbols whose shards have ended. */
    readonly computed: (symbols: number) => void;
    readonly shards: Shards;
    readonly ports: RunPorts;
  },
): Promise<readonly RunFailure[]> {
  const { head } = context;
  const failing = new AbortController();
  const signal = sharedSignal(AbortSignal.any([context.signal, failing.signal]));
  const end = shards.begin({ ...context, signal }, (cause) => failing.abort(cause));
  try {
    // of an interrupted run: what other processes have written since; they write no more once their jobs are removed
    await jobs.remove(SHARD, head.run_id);
    const found = await repository.computedSymbols(head.run_id);
    const left = due.filter(({ symbol }) => !found.has(symbol));
    const added = shardsOf(left);
    const onChange = (of: readonly JobStatus[]) => {
      const done = of.flatMap(({ state }, i) => (state === "done" ? added[i]!.symbols : []));
      computed(due.length - left.length + done.length);
    };
    await jobs.replace(SHARD, head.run_id, added);
    const stop = shards.take();
    const ended = await jobs.settled(SHARD, head.run_id, { signal, onChange }).finally(stop);
    if (ended.length < added.length) throw takenOver(head);
    const dead = ended.filter(({ state }) => state === "dead");
    if (dead.length > 0) throw deadShards(head, dead);
    await jobs.remove(SHARD, head.run_id);
    return ended.flatMap(({ result }) => (result as ShardResult)?.failures ?? []);
  } catch (cause) {
    failing.abort(cause);
    throw cause;
  } finally {
    end();
  }
}

/**
 * Reads members in batches, largest first, and writes their rows without ranks, so that callers have results before all
 * members are read. Stops when most of a batch cannot be read.
 */
async function writeEarlyRows(
  due: readonly Instrument[],
  { head, concurrency, ports, ...context }: EarlyContext,
): Promise<void> {
  const { cached, signal } = context;
  const rows: EngineRow[] = [];
  const sorted = largestFirst(due);
  for (let i = 0; i < sorted.length; i += BATCH_SIZE) {
    const batch = sorted.slice(i, i + BATCH_SIZE);
    const needed = seriesNeeded(batch, ports.symbols);
    const progress = () => undefined;
    const lost = await readSeries(batch, { needed, cached, concurrency, signal, progress });
    if (lost.length > MAX_LOST_SHARE * batch.length) return;
    const outcomes = await computeOutcomes(batch, { ...context, ranks: () => null, ports });
    const computed = outcomes.flatMap(({ row }) => row ?? []);
    rows.push(...computed);
    const members = rows.map(({ symbol }) => symbol);
    const findings = { head: { ...head, members }, rows, bars: cached, signal };
    await ports.repository.writeEarly(head.run_id, computed, await indexOf(findings, ports));
  }
}

/** Computes the index over the rows of a run; null for a run without stocks and after a failure. */
async function indexOf(findings: RunFindings, ports: RunPorts): Promise<MarketIndexValue | null> {
  const { head, rows } = findings;
  const isIndexed =
    !head.universe.startsWith("file:") && rows.some(({ asset_class }) => asset_class !== "crypto");
  const computeIndex = async () =>
    isIndexed ? ports.index?.({ ...findings, symbols: ports.symbols }) : null;
  return (await logFailure("engine_index", computeIndex, findings, ports)) ?? null;
}

interface EarlyContext extends Omit<RunContext, "ranks"> {
  readonly cached: CachedBars;
  readonly concurrency: number;
  readonly ports: RunPorts;
}

async function startOrResume(
  { universe, resume = false }: RunRequest,
  { symbols, market, clock, ids, repository }: RunPorts,
): Promise<{ readonly head: RunHead; readonly resumed: boolean }> {
  const members = membersOf(universe, { symbols, market });
  if (members.length === 0) throw noMembers(universe.name);
  const now = clock.now();
  const as_of = closeOf(members, now.getTime(), { symbols, market });
  const identity = {
    universe: universe.name,
    universe_hash: hashOf(members),
    timeframe: TIMEFRAME,
    model_version: MODEL_VERSION,
  } as const;
  const stopped = resume ? await repository.unfinished(identity) : null;
  const { content = null } = market;
  // do not resume a run as of an older close or over other data
  if (stopped?.as_of === as_of && stopped.content === content) return { head: stopped, resumed: true };
  const head: RunHead = {
    run_id: ids.uuid(),
    ...identity,
    members: [...members],
    as_of,
    started_at: now.toISOString(),
    content,
  };
  await repository.begin(head);
  return { head, resumed: false };
}
