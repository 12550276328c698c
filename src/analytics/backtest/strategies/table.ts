import type { StrategyName } from "../../../domain/backtest/strategies.ts";
import type { Bars } from "../../../domain/market/bars.ts";
import { GRADES, type Grade } from "../../score/grade.ts";
import { gradeRank, type SignalTape } from "../../score/tape-columns.ts";
import { MIN_SCORE_BARS } from "../../score/verdict.ts";
import { type Decisions, LONG } from "../types.ts";
import { type Cross, emaCross, macdCross, smaCross, supertrendReversal } from "./crossings.ts";
import type { Side } from "./decide.ts";
import { type Breakout, donchianBreakout } from "./donchian-breakout.ts";
import { type Checked, checkParams, type Param, type Params } from "./params.ts";
import type { Problem } from "./problem.ts";
import {
  type BollingerReversion,
  bollingerReversion,
  type RsiReversion,
  rsiReversion,
} from "./reversions.ts";
import { momentum, signalGrades } from "./signal.ts";

/** A strategy with a fixed name; `rules` are defined by the caller and have no entry. */
export type NamedStrategy = Exclude<StrategyName, "rules">;

export interface StrategyDefinition<P = Params> {
  /** One line: when the strategy enters and exits. */
  readonly text: string;
  readonly params: { readonly [K in keyof P]: Param };
  /** Returns why individually valid parameters conflict; null if they do not. */
  readonly conflict?: (params: P) => Problem | null;
  /** Minimum number of bars for a first decision to be filled. */
  readonly minBars: (params: P) => number;
  /** True if the strategy also reads the signal tape. */
  readonly readsSignal?: true;
  decide(bars: Bars, params: P, tape?: SignalTape): Decisions;
}

const MAX_PERIOD = 500; // bars
const bars = (fallback: number, text: string, min = 2): Param => ({
  default: fallback,
  min,
  max: MAX_PERIOD,
  integer: true,
  text: `${text}, bars`,
});
const amount = (fallback: number, min: number, max: number, text: string): Param => ({
  default: fallback,
  min,
  max,
  integer: false,
  text,
});
const side: Param = {
  default: "long",
  words: ["long", "both"],
  text: "long: long or flat; both: also short, instead of flat or on the mirrored entry",
};
/** Default of the crossing strategies, as in the reference runs: long or short at all times. */
const bothSides: Param = { ...side, default: "both" };
const letter = (fallback: Grade, text: string): Param => ({ default: fallback, words: GRADES, text });

const shorter = ({ fast, slow }: Cross): Problem | null =>
  fast < slow
    ? null
    : { path: ["params", "fast"], message: `fast must be less than slow (${slow}), not ${fast}` };

// the first decision comes one bar after the last warm-up value and is filled a bar later
const after = (warm: number): number => warm + 3;
/** Warm-up of the signal: bars before its first grade. */
const SIGNAL_WARM_UP_BARS = MIN_SCORE_BARS - 1;

function known(tape: SignalTape | undefined): SignalTape {
  if (tape === undefined) throw new TypeError("A strategy that reads the signal requires the signal tape");
  return tape;
}

/** Hides an entry's own parameter type. */
const entry = <P extends Params>(own: StrategyDefinition<P>): StrategyDefinition =>
  own as unknown as StrategyDefinition;

export const STRATEGY_TABLE: Readonly<Record<NamedStrategy, StrategyDefinition>> = {
  sma_cross: entry<Cross>({
    text: "Long when the fast simple average crosses above the slow one, flat (or short) when below",
    params: { fast: bars(50, "Shorter average", 1), slow: bars(200, "Longer average"), side: bothSides },
    conflict: shorter,
    minBars: ({ slow }) => after(slow - 1),
    decide: smaCross,
  }),
  ema_cross: entry<Cross>({
    text: "Long when the fast exponential average crosses above the slow one, flat (or short) when below",
    params: { fast: bars(12, "Shorter average", 1), slow: bars(26, "Longer average"), side: bothSides },
    conflict: shorter,
    minBars: ({ slow }) => after(slow - 1),
    decide: emaCross,
  }),
  macd: entry<Cross & { readonly signal: number }>({
    text: "Long when the MACD crosses above its signal line, flat (or short) when below",
    params: {
      fast: bars(12, "Shorter average", 1),
      slow: bars(26, "Longer average"),
      signal: bars(9, "Signal line: average of the MACD", 1),
      side,
    },
    conflict: shorter,
    minBars: ({ slow, signal }) => after(slow + signal - 2),
    decide: macdCross,
  }),
  rsi_reversion: entry<RsiReversion>({
    text: "Long when the RSI crosses back above low, flat (or short) when it crosses back below high",
    params: {
      period: bars(14, "RSI"),
      low: amount(30, 1, 99, "Oversold below it"),
      high: amount(70, 1, 99, "Overbought above it"),
      side,
    },
    conflict: ({ low, high }) =>
      low < high
        ? null
        : { path: ["params", "low"], message: `low must be less than high (${high}), not ${low}` },
    minBars: ({ period }) => after(period),
    decide: rsiReversion,
  }),
  bollinger_reversion: entry<BollingerReversion>({
    text: "Long when the close crosses back above the lower band (short: below the upper), flat at the middle",
    params: {
      period: bars(20, "Bands"),
      width: amount(2, 0.1, 10, "Standard deviations from the middle to a band"),
      side,
    },
    minBars: ({ period }) => after(period - 1),
    decide: bollingerReversion,
  }),
  donchian_breakout: entry<Breakout>({
    text: "Long above the previous highest high (short: below the lowest low), flat at the exit channel",
    params: {
      period: bars(20, "Entry channel"),
      exit_period: bars(10, "Exit channel; not used with both a stop and a target"),
      stop_atr: amount(0, 0, 20, "Stop, in ATR14 from the entry close; 0: none"),
      target_atr: amount(0, 0, 50, "Target, in ATR14 from the entry close; 0: none"),
      side,
    },
    minBars: ({ period, exit_period, stop_atr, target_atr }) =>
      after(
        Math.max(
          period,
          stop_atr > 0 || target_atr > 0 ? 14 : 0,
          stop_atr > 0 && target_atr > 0 ? 0 : exit_period,
        ),
      ),
    decide: donchianBreakout,
  }),
  supertrend: entry<{ period: number; multiple: number; side: Side }>({
    text: "Long when Supertrend turns up, flat (or short) when it turns down",
    params: {
      period: bars(10, "Average true range"),
      multiple: amount(3, 0.1, 20, "Average true ranges from the bar's midpoint to the line"),
      side,
    },
    minBars: ({ period }) => after(period),
    decide: supertrendReversal,
  }),
  buy_hold: entry<Record<never, never>>({
    text: "Long from the first bar to the last",
    params: {},
    minBars: () => 2,
    // at every bar, so that a run may start at any bar
    decide: ({ time }) => ({ start: 0, action: new Uint8Array(time.length).fill(LONG) }),
  }),
  signal: entry<{ enter: Grade; exit: Grade; side: Side }>({
    text: "Long at grade enter or better, flat at grade exit or worse, as graded at the time",
    params: {
      enter: letter("B+", "Buys at this grade or better"),
      exit: letter("C", "Exits at this grade or worse"),
      side,
    },
    conflict: ({ enter, exit }) =>
      gradeRank(exit) < gradeRank(enter)
        ? null
        : { path: ["params", "exit"], message: `exit must be a worse grade than enter (${enter})` },
    minBars: () => SIGNAL_WARM_UP_BARS + 2,
    readsSignal: true,
    decide: (own, params, tape) => signalGrades(own, params, known(tape)),
  }),
  momentum: entry<Record<never, never>>({
    text: "Same rules as the momentum agent: buys A+ and A, sells D, D- and F",
    params: {},
    minBars: () => SIGNAL_WARM_UP_BARS + 2,
    readsSignal: true,
    decide: (own, _, tape) => momentum(own, known(tape)),
  }),
};

/** Returns the complete parameters of a strategy, or the problems with those given. */
export function paramsOf(name: NamedStrategy, given: Readonly<Record<string, unknown>>): Checked {
  const { params: takes, conflict } = STRATEGY_TABLE[name];
  const checked = checkParams(takes, given);
  if ("problems" in checked) return checked;
  const problem = conflict?.(checked.params) ?? null;
  return problem === null ? checked : { problems: [problem] };
}
