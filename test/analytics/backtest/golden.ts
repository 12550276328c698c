import { readFileSync } from "node:fs";
import { join } from "node:path";
import { simulate } from "../../../src/analytics/backtest/simulate.ts";
import {
  type Account,
  type Decisions,
  FLAT,
  HOLD,
  LONG,
  SHORT,
  type Stream,
} from "../../../src/analytics/backtest/types.ts";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { sma } from "../../../src/analytics/indicators/sma.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { readDailyBars } from "../../support/daily-bars.ts";
import { testAccount } from "./tape.ts";

const lines = (file: string) => readFileSync(file, "utf8").trim().split("\n").slice(1);

function crossing({ close }: Bars, fast: number, slow: number, below: number): Decisions {
  const [a, b] = [sma(close, fast), sma(close, slow)];
  const action = close.map((_, i) => {
    if (i < slow) return HOLD;
    if (a[i - 1]! < b[i - 1]! && a[i]! > b[i]!) return LONG;
    return a[i - 1]! > b[i - 1]! && a[i]! < b[i]! ? below : HOLD;
  });
  return { start: slow, action: Uint8Array.from(action) };
}

function breakout({ high, low, close }: Bars): Decisions {
  const range = atr(high, low, close, 14);
  const action = Uint8Array.from(close, (price, i) =>
    i > 20 && price > Math.max(...high.subarray(i - 20, i)) ? LONG : HOLD,
  );
  return {
    start: 21,
    action,
    stop: close.map((price, i) => price - 2 * range[i]!),
    target: close.map((price, i) => price + 3 * range[i]!),
  };
}

const account = (commission: number, finalize: boolean): Account =>
  testAccount({ cash: 10_000, commission, finalize });

/**
 * The three reference runs of backtesting.py 0.6.6 on GOOG, repeated with our simulator, with the reference's results.
 */
export function goldenRuns(directory: string) {
  const bars = readDailyBars(join(directory, "GOOG.csv"));
  const { runs } = JSON.parse(readFileSync(join(directory, "golden.json"), "utf8"));
  const run = (name: string, decisions: Decisions, costs: Account) => {
    const streams: readonly Stream[] = [{ symbol: "GOOG", bars, decisions }];
    return {
      name,
      streams,
      account: costs,
      ledger: simulate(streams, costs),
      trades: lines(join(directory, `golden_${name}_trades.csv`)).map((line) => line.split(",")),
      stats: runs[name].stats as Readonly<Record<string, number>>,
    };
  };
  return [
    run("sma10_20_comm0.002_exclusive", crossing(bars, 10, 20, SHORT), account(0.002, false)),
    run("sma50_200_longonly_comm0.001", crossing(bars, 50, 200, FLAT), account(0.001, true)),
    run("breakout20_atr_bracket_2x3_comm0.001", breakout(bars), account(0.001, true)),
  ];
}
