import { bootstrap, type Intervals } from "../../analytics/backtest/bootstrap.ts";
import { deflatedSharpe } from "../../analytics/backtest/deflated.ts";
import { heldAsMember } from "../../analytics/backtest/members.ts";
import { annualSharpe } from "../../analytics/backtest/moments.ts";
import { seededRandom } from "../../analytics/backtest/random.ts";
import { dailyReturns, tradingYear } from "../../analytics/backtest/returns.ts";
import { simulate } from "../../analytics/backtest/simulate.ts";
import { type CostOutcome, runAtCostMultiples } from "../../analytics/backtest/stability.ts";
import type { Params } from "../../analytics/backtest/strategies/params.ts";
import type { Account, Decisions, Ledger, Stream } from "../../analytics/backtest/types.ts";
import { type BacktestResult, DEFAULT_SLIPPAGE } from "../../domain/backtest/backtest.ts";
import type { TrialRecord } from "../../domain/backtest/trials.ts";
import type { ComputeTask, TaskContext } from "../../domain/compute-port.ts";
import type { Bars } from "../../domain/market/bars.ts";
import { ToolError } from "../../kernel/errors.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { digestOnce, hashOfDigests } from "../signal/inputs-hash.ts";
import { dividendColumn } from "./dividends.ts";
import type { SymbolHistory } from "./histories.ts";
import { type BacktestRequest, type PlanRequest, planOf } from "./plan.ts";
import { findLookAhead, type LookAheadChange, nullRunOf, strategyOf } from "./replays.ts";
import { runSweep, type SweepResult } from "./sweep.ts";
import { type Companions, computeTapes } from "./tapes.ts";
import { countTrials, trialKey } from "./trials.ts";

/** A backtest with all bars that it reads, as plain data. */
export interface BacktestInput
  extends PlanRequest,
    Pick<BacktestRequest, "from" | "folds" | "draws" | "account"> {
  readonly read: readonly SymbolHistory[];
  /** Bars to compare with; null for those of the symbols. */
  readonly benchmark: SymbolHistory | null;
  /** null for a strategy that reads neither signal nor phase. */
  readonly companions: Companions | null;
  /** Trials of earlier backtests of the account. */
  readonly earlier: readonly TrialRecord[];
}

/** Results that are computed from the bars alone. */
export interface ComputedBacktest {
  /** Parameters of the plan, or the best parameters of a sweep. */
  readonly params: Params;
  readonly account: Account;
  readonly year: number;
  /** Decisions in the order of the symbols. */
  readonly decisions: readonly Decisions[];
  readonly ledger: Ledger;
  readonly costs: readonly CostOutcome[];
  readonly intervals: Intervals;
  readonly deflated: BacktestResult["deflated_sharpe"];
  /** Settings run here, to be counted by later runs. */
  readonly trials: TrialRecord;
  readonly peek: LookAheadChange | null;
  readonly nullRun: BacktestResult["null_run"];
  readonly swept: SweepResult | null;
  readonly inputsHash: string;
}

/** Computes a backtest with its robustness checks. @throws ToolError INVALID_INPUT or NOT_ENOUGH_DATA */
export const backtestTask: ComputeTask<BacktestInput, ComputedBacktest> = {
  name: "backtest",
  duration: "long",
  run: compute,
};

/** Combines the bars of a run with the decisions on them. */
export const streamsOf = (
  read: readonly SymbolHistory[],
  { fractional, slippage }: BacktestRequest["account"],
  decisionsOf: (one: SymbolHistory, place: number) => Decisions,
): readonly Stream[] =>
  read.map((one, place) => ({
    symbol: one.instrument.symbol,
    bars: one.series.bars,
    slippage: slippage ?? DEFAULT_SLIPPAGE[one.instrument.asset_class],
    ...(one.dividends && { dividends: dividendColumn(one.series.bars.time, one.dividends) }),
    fractional: fractional ?? one.instrument.asset_class === "crypto",
    ...membered(one, decisionsOf(one, place)),
  }));

const membered = ({ memberships, series }: SymbolHistory, decisions: Decisions) =>
  memberships === undefined
    ? { decisions }
    : { memberships, decisions: heldAsMember(decisions, series.bars.time, memberships) };

async function compute(input: BacktestInput, { signal, progress }: TaskContext): Promise<ComputedBacktest> {
  const { read, companions, from, folds, draws, sweep: grid } = input;
  const plan = planOf(input);
  const replayed = (done: number, total: number) => progress({ done, total, message: "signals replayed" });
  const tapeRequest = { read, needs: plan.needs, signal, progress: replayed };
  const tapes = companions === null ? null : await computeTapes({ ...tapeRequest, companions });

  const account: Account = {
    ...input.account,
    slippage: input.account.slippage ?? DEFAULT_SLIPPAGE[read[0]!.instrument.asset_class],
    fractional: input.account.fractional ?? false,
    ...(from !== undefined && { from }),
  };
  const year = Math.max(...read.map(({ series }) => barYear(series.bars)));
  const streamsFor = (params: Params) =>
    streamsOf(read, input.account, ({ instrument, series }) =>
      plan.decide(series.bars, tapes?.of(instrument.symbol), params),
    );
  const digest = digestOnce();
  const inputsHash = hashOfDigests(
    [...read, ...(input.benchmark === null ? [] : [input.benchmark])]
      .map(({ series }) => series.bars)
      .concat(tapes?.companions ?? [])
      .map(digest.series),
  );
  const seed = Number.parseInt(inputsHash.slice(0, 8), 16);

  const counts = read.map(({ series }) => series.bars.time.length);
  const sweepOptions = { plan, folds, account, year, streamsFor, signal, progress, counts };
  const swept = grid === undefined ? null : await runSweep({ ...sweepOptions, grid });
  const params = { ...plan.params, ...swept?.best?.params };
  const streams = streamsFor(params);
  const ledger = simulate(streams, account);
  if (ledger.time.length < 2)
    throw new ToolError("NOT_ENOUGH_DATA", "The requested period has one bar; a trade needs two", {
      hint: "Set an earlier from or a later to.",
      data: { available: ledger.time.length, required: 2 },
    });
  await yieldToEventLoop();
  const returns = dailyReturns(ledger);
  const peek = await findLookAhead({ read, plan, params, tapes, signal });
  const [first] = read;
  const { symbol } = first!.instrument;
  const { bars } = first!.series;
  const nullOptions = { symbol, bars, account, year, seed, draws, strategy: strategyOf(plan, params) };
  const byChance = draws === 0 ? null : await nullRunOf(nullOptions, { signal, progress, draws });
  const costs = runAtCostMultiples(
    (other, multiple) =>
      simulate(
        streams.map((one) => atCosts(one, multiple)),
        other,
      ),
    account,
    year,
  );
  await yieldToEventLoop();
  const intervals = bootstrap(returns, { year, random: seededRandom(seed) });
  await yieldToEventLoop();
  signal.throwIfAborted();
  const sharpe = annualSharpe(returns, year);
  const trials: TrialRecord = {
    symbols: read.map(({ instrument }) => instrument.symbol),
    timeframe: first!.series.bars.timeframe,
    from: ledger.time[0]!,
    to: ledger.time.at(-1)!,
    trials: swept?.all.map((trial) => [
      trialKey(plan, { ...plan.params, ...trial.params }),
      trial.sharpe_arithmetic,
    ]) ?? [[trialKey(plan, params), sharpe]],
  };
  return {
    params,
    account,
    year,
    decisions: streams.map(({ decisions }) => decisions),
    ledger,
    swept,
    inputsHash,
    costs,
    intervals,
    trials,
    deflated: deflatedBy(returns, countTrials(trials, input.earlier), year),
    peek,
    nullRun: byChance,
  };
}

/** Returns the number of bars with a return per year that annualize daily figures: trading days, or weeks. */
const barYear = ({ time, timeframe }: Bars): number => (timeframe === "1w" ? 52 : tradingYear(time));

const atCosts = (stream: Stream, multiple: number): Stream => ({
  ...stream,
  ...(stream.slippage !== undefined && { slippage: stream.slippage * multiple }),
});

/** Deflates the Sharpe ratio by the counted trials; `variance` is that of annualised ratios. */
function deflatedBy(
  returns: Float64Array,
  { count, variance }: ReturnType<typeof countTrials>,
  year: number,
): ComputedBacktest["deflated"] {
  const found = deflatedSharpe(returns, { count, variance: variance === null ? null : variance / year });
  if (count > 1 || found.deflated === null) return found;
  return { ...found, deflated: null, reason: "One trial is counted: there is no choice to correct for" };
}
