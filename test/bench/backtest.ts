import { cpus } from "node:os";
import { metricsOf } from "../../src/analytics/backtest/metrics.ts";
import { simulate } from "../../src/analytics/backtest/simulate.ts";
import { smaCross } from "../../src/analytics/backtest/strategies/crossings.ts";
import { paramsOf, STRATEGY_TABLE } from "../../src/analytics/backtest/strategies/table.ts";
import type { Account, Stream } from "../../src/analytics/backtest/types.ts";
import type { Bars } from "../../src/domain/market/bars.ts";
import { planOf } from "../../src/features/backtest/plan.ts";
import { runSweep } from "../../src/features/backtest/sweep.ts";
import { reference } from "./backtest/reference.ts";
import { longSeries, shortSeries } from "./backtest/series.ts";
import { timed } from "./backtest/timed.ts";
import { counts } from "./look-ahead.ts";
import { marketOf, tapesOf } from "./tape.ts";

const LONG = 1_000_000;
const ROUNDS = 15;
const YEAR = 252;
const MARKETS = 10;
/** Targets: bars per second, speed relative to the reference, CPU seconds of the sweep and of the signal strategy. */
const TARGET = { bars: 10e6, times: 100, sweep: 1, signal: 10 } as const;

const ACCOUNT: Account = {
  cash: 10_000,
  commission: 0.002,
  slippage: 0,
  sizing: { kind: "all_in", value: null },
  fractional: false,
  finalize: false,
};
/** An account large enough for a run of a million bars. */
const LASTING: Account = { ...ACCOUNT, cash: 1e8, sizing: { kind: "units", value: 100 } };

const cross = (bars: Bars): readonly Stream[] => [
  { symbol: "A", bars, decisions: smaCross(bars, { fast: 10, slow: 20, side: "both" }) },
];
const ms = (seconds: number): string => `${(1000 * seconds).toFixed(2)} ms`;
const millions = (seconds: number): string => (LONG / seconds / 1e6).toFixed(1);

/** Prints the speed of backtests in CPU time, and how many seeded bugs the look-ahead detector finds. */
export async function run(): Promise<void> {
  console.log(`Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}; seconds of CPU time`);
  const met = [
    await meetsSpeedTarget(),
    await meetsReferenceTarget(),
    await meetsSweepTarget(),
    await meetsSignalTarget(),
    meetsLookAheadTarget(),
  ];
  if (met.includes(false)) process.exitCode = 1;
}

async function meetsSpeedTarget(): Promise<boolean> {
  const bars = longSeries(LONG);
  const whole = await timed(ROUNDS, () => simulate(cross(bars), LASTING));
  const decided = await timed(ROUNDS, () => cross(bars));
  const traded = await timed(ROUNDS, () => simulate(decided.result, LASTING));
  const { trades } = whole.result;
  console.log(
    `SMA 10/20 cross with commission over ${LONG} synthetic bars, ${trades.length} trades, equity at every close`,
  );
  console.log(
    `  both        ${ms(whole.warm)}  ${millions(whole.warm)} M bars/s  (first call ${millions(whole.cold)} M bars/s)`,
  );
  for (const [name, { warm }] of Object.entries({ decisions: decided, simulation: traded }))
    console.log(`  ${name.padEnd(10)}  ${ms(warm)}  ${millions(warm)} M bars/s`);
  const metrics = await timed(ROUNDS, () =>
    metricsOf(whole.result, { streams: decided.result, account: LASTING, year: YEAR }),
  );
  console.log(`  its metrics ${ms(metrics.warm)}, not included in bars/s`);
  console.log(`  target: ${TARGET.bars / 1e6} M bars/s for both`);
  return LONG / whole.warm >= TARGET.bars;
}

/** Returns true if the speed relative to the reference reaches its target with the same results, or without a reference. */
async function meetsReferenceTarget(): Promise<boolean> {
  const { bars, what } = shortSeries();
  const one = () => {
    const streams = cross(bars);
    const ledger = simulate(streams, ACCOUNT);
    return metricsOf(ledger, { streams, account: ACCOUNT, year: YEAR }).metrics;
  };
  const { warm, result } = await timed(200, one);
  const streams = cross(bars);
  const ledger = simulate(streams, ACCOUNT);
  const metrics = await timed(200, () => metricsOf(ledger, { streams, account: ACCOUNT, year: YEAR }));
  console.log(`the same cross over ${what}: ${ms(warm)}, of which its metrics take ${ms(metrics.warm)}`);
  const theirs = reference(bars);
  if (typeof theirs === "string") {
    console.log(`  ${theirs}`);
    return true;
  }
  const times = theirs.seconds / warm;
  const off = Math.abs(theirs.final_equity / result.final_equity - 1);
  console.log(
    `  backtesting.py ${ms(theirs.seconds)}, ${times.toFixed(0)} times as long; final equity ${theirs.final_equity} against ${result.final_equity}`,
  );
  console.log(`  target: ${TARGET.times} times, and the same equity to 1e-9`);
  return times >= TARGET.times && off <= 1e-9;
}

async function meetsSweepTarget(): Promise<boolean> {
  const { bars, what } = shortSeries();
  const plan = planOf({ strategy: "sma_cross", params: {} });
  const { cold, warm, result } = await timed(5, () =>
    runSweep({
      plan,
      folds: 0,
      account: ACCOUNT,
      year: YEAR,
      counts: [bars.time.length],
      grid: { fast: "5..245:5", slow: "10..250:5" },
      streamsFor: (params) => [{ symbol: "A", bars, decisions: plan.decide(bars, undefined, params) }],
      signal: new AbortController().signal,
      progress: () => {},
    }),
  );
  console.log(
    `sweep of ${result.trials} pairs over ${what}: ${warm.toFixed(2)} s (first ${cold.toFixed(2)} s)`,
  );
  console.log(`  target: under ${TARGET.sweep} s`);
  return warm < TARGET.sweep;
}

async function meetsSignalTarget(): Promise<boolean> {
  const { members, what } = marketOf();
  const checked = paramsOf("signal", {});
  if ("problems" in checked) throw new Error("The default parameters of the signal strategy are invalid");
  const { cold, result } = await timed(0, () => {
    const tapes = tapesOf(members);
    const streams = members.map(([symbol, bars]): Stream => {
      const decisions = STRATEGY_TABLE.signal.decide(bars, checked.params, tapes.get(symbol));
      return { symbol, bars, decisions };
    });
    return simulate(streams, ACCOUNT);
  });
  const bars = members.reduce((sum, [, { time }]) => sum + time.length, 0);
  console.log(
    `signal strategy over ${bars} bars of ${what}, on one account: ${cold.toFixed(2)} s, ${result.trades.length} trades`,
  );
  console.log(`  target: under ${TARGET.signal} s`);
  return cold < TARGET.signal;
}

function meetsLookAheadTarget(): boolean {
  const { found, bugs, flagged, correct } = counts(MARKETS);
  console.log(
    `look-ahead: ${found} of ${bugs} seeded bugs found, ${flagged} of ${correct} correct strategies flagged`,
  );
  return found === bugs && flagged === 0;
}
