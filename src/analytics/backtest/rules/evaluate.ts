import type { Bars } from "../../../domain/market/bars.ts";
import { atr } from "../../indicators/atr.ts";
import type { Series } from "../../indicators/series.ts";
import type { SignalTape } from "../../score/tape-columns.ts";
import { MIN_SCORE_BARS } from "../../score/verdict.ts";
import { bracket, firstDecisionBar } from "../strategies/decide.ts";
import { type Decisions, FLAT, HOLD, LONG, SHORT, type Trail } from "../types.ts";
import type { Condition, ConditionGroup, Distance, Operand, Operator, Plan } from "./plan.ts";
import { DRIVER_IDS, INDICATOR_OF, readTape, SIGNAL_TERMS } from "./terms.ts";

const ATR = 14;
/** Warm-up of the signal: bars before its first grade. */
const SIGNAL_WARM_UP_BARS = MIN_SCORE_BARS - 1;

/** The inputs a plan reads in addition to bars, and the number of bars it needs. */
export interface Needs {
  /** True if the plan reads the signal tape. */
  readonly tape: boolean;
  /** True if the plan reads the phase, which requires the market structure at every bar. */
  readonly structure: boolean;
  /** Ids of the signal drivers that the plan reads. */
  readonly drivers: readonly string[];
  /** Minimum number of bars for a first decision to be filled; a plan with `stage` may need more. */
  readonly minBars: number;
}

export function needsOf(plan: Plan): Needs {
  const names = plan.terms.map(({ name }) => name);
  const tape = names.some(isOfSignal);
  const warm = plan.terms.map(({ name, args }) => INDICATOR_OF.get(name)?.warmUp(...args) ?? 0);
  const own = Math.max(0, usesRange(plan) ? ATR : 0, ...warm) + 3;
  return {
    tape,
    structure: names.includes("phase"),
    drivers: names.filter((name) => DRIVER_IDS.includes(name)),
    minBars: tape ? Math.max(own, SIGNAL_WARM_UP_BARS + 2) : own,
  };
}

const isOfSignal = (name: string): boolean => SIGNAL_TERMS.includes(name);
const usesRange = ({ stop, target, trail, limit }: Plan): boolean =>
  [stop, target, trail, limit].some((distance) => distance?.unit === "atr");

/**
 * Returns the decisions of a plan: an exit at each bar at which the exit conditions hold, otherwise an entry where the
 * entry conditions hold. A condition with an unknown side is false. A crossing requires the left side to be at or
 * below (at or above) the right at the previous bar and above (below) it at this bar, as in TradingView, freqtrade and
 * vectorbt. Stop and target are measured from the close, or from the limit of a limit entry. Each indicator is computed
 * once.
 * @throws TypeError if the plan reads the signal and `tape` is missing
 */
export function evaluateRules(plan: Plan, bars: Bars, tape?: SignalTape): Decisions {
  const { close, high, low } = bars;
  const length = close.length;
  const columns = columnsOf(plan, bars, tape);
  const own = columns.filter((_, i) => !isOfSignal(plan.terms[i]!.name));
  const range = usesRange(plan) ? atr(high, low, close, ATR) : null;
  const read = own.length < columns.length ? (tape?.first ?? 0) : 0;
  const start = Math.min(
    length,
    Math.max(read, firstDecisionBar(bars, ...own, ...(range === null ? [] : [range]))),
  );
  const enters = conditionsAt(plan.entry, columns, length);
  const leaves = plan.exit === null ? null : conditionsAt(plan.exit, columns, length);
  const action = new Uint8Array(length);
  const entry = plan.side === "long" ? LONG : SHORT;
  for (let i = start; i < length; i++) action[i] = leaves?.[i] === 1 ? FLAT : enters[i] === 1 ? entry : HOLD;
  const price = ({ unit, value }: Distance, sign: 1 | -1, from: Series = close) =>
    unit === "atr"
      ? bracket(from, action, range!, sign * value)
      : bracket(from, action, from, (sign * value) / 100);
  const limit = plan.limit ? price(plan.limit, -1) : undefined;
  return {
    start,
    action,
    ...(plan.stop !== null && { stop: price(plan.stop, -1, limit) }),
    ...(plan.target !== null && { target: price(plan.target, 1, limit) }),
    ...(limit !== undefined && { limit }),
    ...(plan.trail && { trail: trailOf(plan.trail, action, range) }),
  };
}

/** Returns the distance of the trailing stop at each entry: multiples of the ATR, or a fraction of the best price. */
function trailOf({ unit, value }: Distance, action: Uint8Array, range: Series | null): Trail {
  const distance = (i: number): number => (unit === "atr" ? value * range![i]! : value / 100);
  return {
    relative: unit === "%",
    distance: Float64Array.from(action, (one, i) =>
      one === LONG || one === SHORT ? distance(i) : Number.NaN,
    ),
  };
}

/**
 * Returns the column of each term; indicators that share a computation are computed once.
 * @throws TypeError if a term reads the signal and `tape` is missing
 */
export function columnsOf({ terms }: Plan, bars: Bars, tape: SignalTape | undefined): readonly Series[] {
  const computed = new Map<string, Readonly<Record<string, Series>>>();
  return terms.map(({ name, args }) => {
    const indicator = INDICATOR_OF.get(name);
    if (indicator === undefined) {
      if (tape === undefined) throw new TypeError(`Rules that read ${name} require the signal tape`);
      return readTape(tape, name, bars.time.length);
    }
    const key = `${[...INDICATOR_OF.values()].indexOf(indicator)}:${args}`;
    const known = computed.get(key) ?? indicator.columns(bars, ...args);
    computed.set(key, known);
    return known[name]!;
  });
}

/** Returns 1 at each of the first `length` bars at which a group of conditions holds, else 0. */
export function conditionsAt(
  { all, any, none }: ConditionGroup,
  columns: readonly Series[],
  length: number,
): Uint8Array {
  const held = (condition: Condition) => conditionAt(condition, columns, length);
  const [every, some, never] = [all.map(held), any.map(held), none.map(held)];
  const holds = (i: number): boolean =>
    every.every((each) => each[i] === 1) &&
    (some.length === 0 || some.some((each) => each[i] === 1)) &&
    !never.some((each) => each[i] === 1);
  return new Uint8Array(length).map((_, i) => (holds(i) ? 1 : 0));
}

type Test = (left: number, right: number, leftBefore: number, rightBefore: number) => boolean;
const TESTS: Readonly<Record<Operator, Test>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
  // NaN compares false: an unknown value is not unequal
  "!=": (a, b) => a < b || a > b,
  crosses_above: (a, b, before, other) => before <= other && a > b,
  crosses_below: (a, b, before, other) => before >= other && a < b,
};

/**
 * Returns 1 at each of the first `length` bars at which a condition holds, else 0; a condition with an unknown side
 * does not hold.
 */
export function conditionAt(
  { left, op, right }: Condition,
  columns: readonly Series[],
  length: number,
): Uint8Array {
  const test = TESTS[op];
  const a = columnOf(left, columns, length);
  const b = columnOf(right, columns, length);
  const out = new Uint8Array(length);
  for (let i = 0; i < length; i++)
    out[i] = test(a[i]!, b[i]!, a[i - 1] ?? Number.NaN, b[i - 1] ?? Number.NaN) ? 1 : 0;
  return out;
}

const columnOf = (operand: Operand, columns: readonly Series[], length: number): Series =>
  "term" in operand ? columns[operand.term]! : new Float64Array(length).fill(operand.number);
