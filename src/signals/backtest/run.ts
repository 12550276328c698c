import { type Bootstrap, bootstrap } from "../../analytics/backtest/bootstrap.ts";
import { type DeflatedSharpe, deflatedSharpe } from "../../analytics/backtest/deflated.ts";
import { type LookAhead, lookAhead } from "../../analytics/backtest/look-ahead.ts";
import { type NullRun, nullRun } from "../../analytics/backtest/null-run.ts";
import { seededRandom } from "../../analytics/backtest/random.ts";
import { dailyReturns } from "../../analytics/backtest/returns.ts";
import { simulate } from "../../analytics/backtest/simulate.ts";
import { type AtCosts, atCosts } from "../../analytics/backtest/stability.ts";
import type { Params } from "../../analytics/backtest/strategies/params.ts";
import type { Account, Decisions, Ledger, Stream } from "../../analytics/backtest/types.ts";
import { tradingYear } from "../../analytics/backtest/year.ts";
import type { SignalTape } from "../../analytics/score/tape-columns.ts";
import type { Bars } from "../../domain/bars.ts";
import { ToolError } from "../../kernel/errors.ts";
import { breath } from "../../lib/breath.ts";
import type { Ports } from "../../ports/index.ts";
import { digestOnce, namesOf } from "../inputs-hash.ts";
import { type Plan, planOf, refused } from "./plan.ts";
import { type AllRead, readAll } from "./read.ts";
import type { BacktestRequest } from "./request.ts";
import { type Swept, sweepOf } from "./sweep.ts";
import { tapesOf } from "./tapes.ts";

/** How many cuts decisions are replayed at. */
const CUTS = 60;

/** A run and everything that says how far to believe it. */
export interface Backtest extends AllRead {
  readonly plan: Plan;
  /** Those of the plan, or the best of a sweep. */
  readonly params: Params;
  readonly account: Account;
  readonly year: number;
  readonly streams: readonly Stream[];
  readonly ledger: Ledger;
  readonly costs: readonly AtCosts[];
  readonly intervals: Bootstrap;
  readonly deflated: DeflatedSharpe;
  readonly lookAhead: LookAhead | null;
  readonly nullRun: NullRun | null;
  readonly swept: Swept | null;
  readonly inputsHash: string;
}

/**
 * Runs a strategy over the whole past of its symbols. Nothing is read that had not closed by `to`, and the event loop
 * turns between steps. Rejects with INVALID_INPUT, UNKNOWN_SYMBOL or NOT_ENOUGH_DATA as the parts do, and with the
 * signal's own reason when it aborts.
 */
export async function backtestOf(
  request: BacktestRequest,
  ports: Pick<Ports, "symbols" | "bars">,
): Promise<Backtest> {
  const { timeframe, from, to, signal, progress, folds, draws } = request;
  const plan = planOf(request);
  const reads = plan.needs.signal || plan.needs.phase;
  const problems = [
    ...(reads && timeframe !== "1d"
      ? [
          {
            path: ["timeframe"],
            message: `${plan.strategy} reads the signal, whose ranks are daily: take 1d`,
          },
        ]
      : []),
    ...(from !== undefined && to !== undefined && from >= to
      ? [{ path: ["from"], message: "lies after to" }]
      : []),
    ...(draws > 0 && reads ? [{ path: ["null_run"], message: "takes strategies that read bars alone" }] : []),
    ...(draws > 0 && request.symbols.length > 1 ? [{ path: ["null_run"], message: "takes one symbol" }] : []),
    ...(folds > 0 && request.sweep === undefined ? [{ path: ["folds"], message: "belong to a sweep" }] : []),
  ];
  if (problems.length > 0) throw refused(problems);
  progress({ done: 0, total: 1, message: "reading bars" });
  const all = await readAll(request, ports);
  const { read } = all;
  for (const one of read) enough(one, plan);
  const tapes = reads
    ? await tapesOf(
        {
          read,
          ...{ needs: plan.needs, asOf: to, signal },
          progress: (done, total) => progress({ done, total, message: "signals replayed" }),
        },
        ports,
      )
    : null;

  const coins = read.every(({ instrument }) => instrument.asset_class === "crypto");
  const account: Account = {
    ...request.account,
    fractional: request.account.fractional ?? coins,
    ...(from !== undefined && { from }),
  };
  const year = Math.max(...read.map(({ series }) => tradingYear(series.bars.time)));
  const streamsFor = (params: Params): readonly Stream[] =>
    read.map(({ instrument: { symbol }, series: { bars } }) => ({
      symbol,
      bars,
      decisions: plan.decide(bars, tapes?.of(symbol), params),
    }));
  const digest = digestOnce();
  const inputsHash = namesOf(
    [...read.map(({ series }) => series.bars), ...(tapes?.companions ?? [])].map(digest),
  );
  const seed = Number.parseInt(inputsHash.slice(0, 8), 16);

  const swept =
    request.sweep === undefined
      ? null
      : await sweepOf({
          ...{ plan, grid: request.sweep, folds, account, year, streamsFor, signal, progress },
          bars: read.reduce((sum, { series }) => sum + series.bars.time.length, 0),
        });
  const params = { ...plan.params, ...swept?.best?.params };
  const streams = streamsFor(params);
  const ledger = simulate(streams, account);
  await breath();
  const returns = dailyReturns(ledger);
  const strategyOn =
    (tape: SignalTape | undefined) =>
    (bars: Bars): Decisions =>
      plan.decide(bars, tape && tapeUpTo(tape, bars.time.length), params);
  const [first] = read;
  const found = lookAhead(strategyOn(tapes?.of(first!.instrument.symbol)), first!.series.bars, {
    cuts: CUTS,
  });
  signal.throwIfAborted();
  await breath();
  const byChance =
    draws === 0
      ? null
      : await nullRunOf(
          { bars: first!.series.bars, strategy: strategyOn(undefined), account, year, seed, draws },
          request,
        );
  const costs = atCosts((other) => simulate(streams, other), { account, year });
  await breath();
  const intervals = bootstrap(returns, { year, random: seededRandom(seed) });
  await breath();
  signal.throwIfAborted();
  return {
    ...all,
    ...{ plan, params, account, year, streams, ledger, swept, inputsHash, costs, intervals },
    deflated: deflatedSharpe(returns, {
      count: swept?.trials ?? 1,
      variance: swept === null || swept.sharpeVariance === null ? null : swept.sharpeVariance / year,
    }),
    lookAhead: found,
    nullRun: byChance,
  };
}

function enough({ instrument, series }: AllRead["read"][number], { strategy, fewestOf }: Plan): void {
  const have = series.bars.time.length;
  const fewest = fewestOf();
  if (have >= fewest) return;
  const { symbol } = instrument;
  throw new ToolError(
    "NOT_ENOUGH_DATA",
    `${symbol} has ${have} closed bars; ${strategy} with these parameters needs ${fewest} before its first trade`,
    { hint: "Shorten its averages, or ask for a longer history.", data: { symbol, have, need: fewest } },
  );
}

async function nullRunOf(
  options: Omit<Parameters<typeof nullRun>[0], "symbol">,
  { symbols: [symbol = ""], signal, progress, draws }: BacktestRequest,
): Promise<NullRun> {
  const runs = nullRun({ ...options, symbol });
  for (let done = 0; ; done++) {
    const step = runs.next();
    if (step.done) return step.value;
    signal.throwIfAborted();
    progress({ done, total: draws, message: "shuffled runs" });
    await breath();
  }
}

/** The tape as it was when it had so many bars. */
function tapeUpTo(tape: SignalTape, count: number): SignalTape {
  const cut = <T extends { slice(start: number, end: number): T }>(column: T): T => column.slice(0, count);
  return {
    first: Math.min(count, tape.first),
    score: cut(tape.score),
    grade: cut(tape.grade),
    direction: cut(tape.direction),
    ...(tape.drivers !== undefined && {
      drivers: Object.fromEntries(Object.entries(tape.drivers).map(([id, column]) => [id, cut(column)])),
    }),
    ...(tape.phase !== undefined && { phase: tape.phase.slice(0, count) }),
  };
}
