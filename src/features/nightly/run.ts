import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { EngineRow, MarketIndexValue, RunFailure, RunHead } from "../../domain/nightly/engine.ts";
import type { RunReport, RunRequest } from "../../domain/nightly/engine-port.ts";
import type { RunRepository } from "../../domain/nightly/run-repository-port.ts";
import type { OddsForecast } from "../../domain/odds/forecast.ts";
import type { BarHistory, Ports, Symbols } from "../../domain/ports.ts";
import type { Tracer } from "../../domain/tracing-port.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { groupBy } from "../../lib/group-by.ts";
import { type Gathered, type GatherPorts, type GatherRequest, gather } from "../signal/gather.ts";
import { inputStates } from "../signal/input-states.ts";
import { digestOnce } from "../signal/inputs-hash.ts";
import { type CachedBars, cachedBars, TRANSIENT_CODES } from "./cached-bars.ts";
import { type EngineOutcome, type RowInputs, subjectOf, toFailure } from "./engine-row.ts";
import { batchOf, outcomesTask } from "./outcomes-task.ts";
import { type Ranks, ranksOf } from "./ranks.ts";
import { readSeries, seriesNeeded } from "./read-series.ts";
import { emptyRun, tooFewRead } from "./run-errors.ts";
import { closeOf, hashOf, largestFirst, membersOf, noMembers } from "./universe.ts";

const TIMEFRAME = "1d";
/** Number of symbols computed and written as one batch. */
const BATCH_SIZE = 32;
/** Number of batches gathered, computed and written concurrently. */
const MAX_BATCHES = 3;
/** Number of series read concurrently: `live` when each costs a provider request, `local` when none does. */
const CONCURRENCY = { live: 4, local: 16 } as const;
/** Share of unreadable members above which a run fails. */
const MAX_LOST_SHARE = 0.5;

interface IndexInputs {
  readonly head: RunHead;
  readonly rows: readonly EngineRow[];
  readonly symbols: Symbols;
  /** Bars as of the run; a requested `asOf` is ignored. */
  readonly bars: BarHistory;
  readonly signal: AbortSignal;
}
/** Results of a run before they are published. */
export type RunFindings = Omit<IndexInputs, "symbols">;

/** Rows of a running run with their odds, as they are computed. */
export interface ComputedRows {
  readonly head: RunHead;
  readonly rows: readonly { readonly row: EngineRow; readonly forecast: OddsForecast | null }[];
  readonly signal: AbortSignal;
}

export interface RunPorts extends GatherPorts, Pick<Ports, "clock" | "compute" | "ids" | "log"> {
  readonly repository: RunRepository;
  /** Records each run. Default: none is recorded. */
  readonly tracer?: Tracer | undefined;
  /** Adds facts other than bars, without a provider request per symbol. Default: adds none. */
  readonly withFacts?:
    | ((instrument: Instrument, gathered: Gathered, signal: AbortSignal) => Promise<Gathered>)
    | undefined;
  /** Remembers the inputs of each row. Default: they are not remembered. */
  readonly signalLog?: Pick<Ports["signalLog"], "observe">;
  /** Computes the market index of a run over stocks of a fixed universe; a failure is only logged. Default: no index. */
  readonly index?: ((inputs: IndexInputs) => Promise<MarketIndexValue | null>) | undefined;
  /** Called with each batch of rows once it is written; a failure is only logged. */
  readonly onComputed?: ((computed: ComputedRows) => Promise<void>) | undefined;
  /** Called with the results before they are published; a failure is only logged. */
  readonly onFound?: ((run: RunFindings) => Promise<void>) | undefined;
}

/**
 * Runs over a universe as of its newest close, or resumes an interrupted run. Rejects like `Engine.run`, or with the
 * reason of the signal.
 */
export async function runUniverse(
  request: RunRequest & { readonly signal: AbortSignal },
  ports: RunPorts,
): Promise<RunReport> {
  const { repository, clock, symbols, market } = ports;
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
    else failures.push({ symbol, code: "UNKNOWN_SYMBOL", message: `Unknown symbol: ${symbol}` });
  }
  const asOf = Date.parse(head.as_of);
  const cached = cachedBars(ports.bars, { timeframe: TIMEFRAME, asOf, signal });
  const needed = seriesNeeded(due, symbols);
  const total = needed.length + due.length;
  const progress = (done: number, message: string) => request.progress?.({ done, total, message });
  const concurrency = market.mode === "live" ? CONCURRENCY.live : CONCURRENCY.local;

  if (request.early === true) await writeEarlyRows(due, { head, asOf, signal, cached, concurrency, ports });
  const barsRead = (read: number) => progress(read, "bars read");
  const lost = await readSeries(due, { needed, cached, concurrency, signal, progress: barsRead });
  // checked before ranking, because ranks over only a few series would be wrong
  if (lost.length > MAX_LOST_SHARE * head.members.length) throw tooFewRead(head, lost.length);
  const ranks = await ranksOf({ head, cached, concurrency, ...ports });

  let computed = 0;
  await forEachConcurrent(MAX_BATCHES, batches(due), async (batch) => {
    const outcomes = await computeOutcomes(batch, { asOf, signal, ranks, cached, ports });
    signal.throwIfAborted();
    await repository.write(
      head.run_id,
      outcomes.flatMap(({ row }) => row ?? []),
    );
    const batchRows = outcomes.flatMap(({ row, forecast = null }) => (row === null ? [] : { row, forecast }));
    const written = { head, rows: batchRows, signal };
    await logFailure("engine_forecasts", async () => ports.onComputed?.(written), written, ports);
    for (const { failure, fault } of outcomes) {
      if (failure !== null) failures.push(failure);
      if (fault !== undefined) ports.log.error("engine_symbol", { symbol: failure?.symbol, cause: fault });
    }
    computed += batch.length;
    progress(total - due.length + computed, "computed");
  });

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

interface RunContext {
  readonly asOf: number;
  readonly signal: AbortSignal;
  /** Ranks of the run; null before they are computed. */
  readonly ranks: Ranks | (() => null);
  readonly cached: CachedBars;
  readonly ports: GatherPorts & Pick<RunPorts, "withFacts" | "compute" | "signalLog">;
}

interface EarlyContext extends Omit<RunContext, "ranks" | "ports"> {
  readonly head: RunHead;
  readonly concurrency: number;
  readonly ports: RunPorts;
}

/** Gathers the inputs of symbols and computes their outcomes; a symbol whose inputs cannot be gathered is a failure. */
async function computeOutcomes(
  instruments: readonly Instrument[],
  { asOf, signal, ranks, cached, ports }: RunContext,
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

/** Yields batches of symbols grouped by sector, so that their shared peers are sent to one thread. */
function* batches(due: readonly Instrument[]): Generator<readonly Instrument[]> {
  const groupOf = ({ asset_class, sector }: Instrument) => `${asset_class}|${sector ?? ""}`;
  const sorted = [...groupBy(due, groupOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => group);
  for (let i = 0; i < sorted.length; i += BATCH_SIZE) yield sorted.slice(i, i + BATCH_SIZE);
}

/** Returns the result of `work`; null after a failure, which is logged and does not fail the run. */
async function logFailure<T>(
  event: string,
  work: () => Promise<T>,
  { head, signal }: Pick<RunFindings, "head" | "signal">,
  { log }: RunPorts,
): Promise<T | null> {
  try {
    return await work();
  } catch (cause) {
    signal.throwIfAborted();
    log.warn(event, { run_id: head.run_id, cause });
    return null;
  }
}
