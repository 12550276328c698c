import { evaluateRules, needsOf } from "../../../src/analytics/backtest/rules/evaluate.ts";
import {
  type NamedStrategy,
  paramsOf,
  STRATEGY_TABLE,
} from "../../../src/analytics/backtest/strategies/table.ts";
import { FLAT, HOLD, LONG, type Strategy } from "../../../src/analytics/backtest/types.ts";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { sma } from "../../../src/analytics/indicators/sma.ts";
import { zigzag } from "../../../src/analytics/levels/zigzag.ts";
import type { BacktestRules } from "../../../src/domain/backtest/backtest.ts";
import { rulePlan } from "../../support/rule-plan.ts";
import { tapeFor } from "../../support/signal-tape.ts";
import { turns } from "./bugs.ts";

const named =
  (name: NamedStrategy, given: Readonly<Record<string, unknown>> = {}): Strategy =>
  (bars) => {
    const checked = paramsOf(name, given);
    if ("problems" in checked) throw new Error(JSON.stringify(checked.problems));
    const { readsSignal, decide } = STRATEGY_TABLE[name];
    return readsSignal ? decide(bars, checked.params, tapeFor(bars)) : decide(bars, checked.params);
  };

const ruled =
  (rules: BacktestRules): Strategy =>
  (bars) => {
    const plan = rulePlan(rules);
    return needsOf(plan).tape ? evaluateRules(plan, bars, tapeFor(bars)) : evaluateRules(plan, bars);
  };

/** Strategies that read nothing later than the bar, most of them the correct form of one of the seeded mistakes. */
export const CORRECT: Readonly<Record<string, Strategy>> = {
  sma_cross: named("sma_cross", { fast: 5, slow: 20 }),
  "sma_cross, both sides": named("sma_cross", { fast: 1, slow: 3, side: "both" }),
  ema_cross: named("ema_cross", { side: "both" }),
  macd: named("macd"),
  rsi_reversion: named("rsi_reversion", { period: 5, side: "both" }),
  bollinger_reversion: named("bollinger_reversion", { width: 1.5, side: "both" }),
  donchian_breakout: named("donchian_breakout", { side: "both" }),
  "donchian_breakout, bracket": named("donchian_breakout", { period: 10, stop_atr: 2, target_atr: 3 }),
  supertrend: named("supertrend", { side: "both" }),
  buy_hold: named("buy_hold"),
  signal: named("signal", { side: "both" }),
  momentum: named("momentum"),
  "rules of indicators": ruled({
    entry: { all: ["close crosses_above bb_middle"], any: ["adx > 20", "stoch_k < 40"], none: ["rsi > 70"] },
    exit: { any: ["macd_hist crosses_below 0"] },
    stop: "2 atr",
    target: "8 %",
  }),
  "rules of the signal": ruled({
    entry: { all: ["grade >= B", "phase = Markup", "t_ma200 > 0.5"] },
    exit: { any: ["score < 45", "direction = SHORT"] },
  }),
  "trailing stop that remembers": (bars) => {
    const action = new Uint8Array(bars.time.length);
    const range = atr(bars.high, bars.low, bars.close);
    for (let bar = 20, peak = 0, held = false; bar < action.length; bar++) {
      const close = bars.close[bar]!;
      if (held && close < peak - 3 * range[bar]!) action[bar] = FLAT;
      else if (!held && close > bars.close[bar - 10]!) action[bar] = LONG;
      else {
        peak = Math.max(peak, close);
        continue;
      }
      held = action[bar] === LONG;
      peak = close;
    }
    return { start: 20, action };
  },
  "z-score of the bars so far": (bars) => {
    let [mean, squares] = [0, 0];
    const score = bars.close.map((close, bar) => {
      const gap = close - mean;
      mean += gap / (bar + 1);
      squares += gap * (close - mean);
      return bar < 2 ? 0 : (close - mean) / Math.sqrt(squares / (bar + 1));
    });
    return turns(bars, 20, (bar) => score[bar]! > 1);
  },
  "percent rank among the last 50": (bars) =>
    turns(bars, 50, (bar) => {
      const past = bars.volume.subarray(bar - 49, bar + 1);
      return past.filter((value) => value < bars.volume[bar]!).length > 45;
    }),
  "pivot at its confirmation": (bars) => {
    const action = new Uint8Array(bars.time.length);
    for (const { kind, confirmedAt } of zigzag(bars.high, bars.low, atr(bars.high, bars.low, bars.close)))
      action[confirmedAt] = kind === "low" ? LONG : FLAT;
    return { start: 0, action };
  },
  "stage of completed weeks": ruled({ entry: { all: ["stage = 2"] }, exit: { all: ["stage != 2"] } }),
  "threshold fitted on the past": (bars) => {
    const average = sma(bars.close, 10);
    const gain = [0, 0];
    const action = new Uint8Array(bars.time.length);
    for (let bar = 11; bar < action.length; bar++) {
      const side = bars.close[bar - 1]! > average[bar - 1]! ? 1 : 0;
      gain[side]! += bars.close[bar]! - bars.close[bar - 1]!;
      const rising = bars.close[bar]! > average[bar]! ? 1 : 0;
      action[bar] = gain[rising]! > 0 ? LONG : gain[rising]! < 0 ? FLAT : HOLD;
    }
    return { start: 11, action };
  },
};
