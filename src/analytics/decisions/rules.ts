import type { Bars } from "../../domain/market/bars.ts";
import { columnsOf, conditionAt, evaluateRules } from "../backtest/rules/evaluate.ts";
import type { Condition, Operand, Plan, Term } from "../backtest/rules/plan.ts";
import { GROUPS } from "../backtest/rules/plan.ts";
import { ENUM_TERMS } from "../backtest/rules/terms.ts";
import { FLAT, LONG } from "../backtest/types.ts";
import type { Grade } from "../score/grade.ts";
import { gradeRank, type SignalTape } from "../score/tape-columns.ts";

/** Signal at the close of one bar, for rules that read it; null if unknown. */
export interface SignalSnapshot {
  readonly score: number | null;
  readonly grade: Grade | null;
  readonly direction: "LONG" | "SHORT" | "WAIT";
  readonly phase?: string | null;
  readonly drivers?: Readonly<Record<string, number | null>>;
}

/** A value that a rule reads at the newest bar; null if unknown. */
interface TermValue {
  /** As written in a rule: "close", "sma(50)", "grade". */
  readonly term: string;
  readonly value: number | null;
  /** The word for a grade, phase or direction; null if the value is a plain number. */
  readonly word: string | null;
}

/** One condition and whether it held at the newest bar. */
interface ConditionValue {
  readonly part: "entry" | "exit";
  readonly group: (typeof GROUPS)[number];
  /** Full text: "rsi(14) < 30". */
  readonly text: string;
  readonly held: boolean;
}

/** Decision of rules on one symbol at its newest closed bar, with all values it is based on. */
export interface RuleDecision {
  readonly action: "buy" | "sell" | "hold";
  readonly reason: string;
  readonly terms: readonly TermValue[];
  readonly conditions: readonly ConditionValue[];
  /** Stop and target of an entry at this bar, USD; null if undefined or if nothing is bought. */
  readonly stop: number | null;
  readonly target: number | null;
  /** Limit price of such an entry, USD; null for an entry at the market. */
  readonly limit: number | null;
}

/**
 * Returns what backtest rules (`parseRules`) decide for one symbol at the close of the last bar: the newest decision
 * of `evaluateRules`, which the backtest fills bar by bar. Buys without a position if the entry holds and the exit
 * does not; sells a position if the exit holds. Rules for short selling neither buy nor sell. `tape` is required by
 * rules that read the signal (`needsOf(plan).tape`): a full one, or `newestTape` of the last snapshots.
 * @throws TypeError if the plan reads the signal and `tape` is missing
 */
export function ruleDecision(
  plan: Plan,
  { bars, holds, tape }: { readonly bars: Bars; readonly holds: boolean; readonly tape?: SignalTape },
): RuleDecision {
  const last = bars.time.length - 1;
  const none = { terms: [], conditions: [], stop: null, target: null, limit: null } as const;
  if (last < 0) return { action: "hold", reason: "No closed bar: too little data to act on", ...none };
  if (plan.side === "short")
    return { action: "hold", reason: "These rules sell short, which agents do not support", ...none };
  const { action, start, stop, target, limit } = evaluateRules(plan, bars, tape);
  const columns = columnsOf(plan, bars, tape);
  const terms = plan.terms.map((term, i) => termValue(term, columns[i]![last]!));
  const conditions = (["entry", "exit"] as const).flatMap((part) =>
    GROUPS.flatMap((group) =>
      (plan[part]?.[group] ?? []).map((condition) => ({
        part,
        group,
        text: textOf(condition, plan.terms),
        held: last >= start && conditionAt(condition, columns, last + 1)[last] === 1,
      })),
    ),
  );
  const report = { terms, conditions, stop: null, target: null, limit: null };
  const numbers = formatTerms(terms);
  if (last < start) return { action: "hold", reason: `Too few bars for these rules: ${last + 1}`, ...report };
  if (action[last] === LONG)
    return holds
      ? { action: "hold", reason: `The entry holds, but a position is already held: ${numbers}`, ...report }
      : {
          action: "buy",
          reason: `The entry holds: ${numbers}`,
          terms,
          conditions,
          stop: priceAt(stop, last),
          target: priceAt(target, last),
          limit: priceAt(limit, last),
        };
  if (action[last] === FLAT)
    return holds
      ? { action: "sell", reason: `The exit holds: ${numbers}`, ...report }
      : { action: "hold", reason: `The exit holds, but no position is held: ${numbers}`, ...report };
  const neither = plan.exit === null ? "The entry does not hold" : "Neither the entry nor the exit holds";
  return { action: "hold", reason: `${neither}: ${numbers}`, ...report };
}

/** Returns a tape of `length` bars with only the newest signal values, as a live signal has. */
export function newestTape(length: number, readings: readonly SignalSnapshot[]): SignalTape {
  const known = readings.slice(-length);
  const first = length - known.length;
  const score = new Float64Array(length).fill(Number.NaN);
  const grade = new Uint8Array(length);
  const direction = new Int8Array(length);
  const phase = Array<string | null>(length).fill(null);
  const drivers: Record<string, Float64Array> = {};
  for (const [i, reading] of known.entries()) {
    const at = first + i;
    score[at] = reading.score ?? Number.NaN;
    grade[at] = gradeRank(reading.grade);
    direction[at] = { LONG: 1, SHORT: -1, WAIT: 0 }[reading.direction];
    phase[at] = reading.phase ?? null;
    for (const [id, value] of Object.entries(reading.drivers ?? {})) {
      drivers[id] ??= new Float64Array(length).fill(Number.NaN);
      drivers[id][at] = value ?? Number.NaN;
    }
  }
  return { first, score, grade, direction, drivers, phase };
}

const nameOf = ({ name, args }: Term): string => (args.length === 0 ? name : `${name}(${args.join(", ")})`);

function termValue(term: Term, value: number): TermValue {
  const known = Number.isFinite(value) ? value : null;
  return { term: nameOf(term), value: known, word: known === null ? null : wordOf(term.name, known) };
}

const wordOf = (name: string, value: number): string | null =>
  [...(ENUM_TERMS.get(name)?.words ?? [])].find(([, number]) => number === value)?.[0] ?? null;

function textOf({ left, op, right }: Condition, terms: readonly Term[]): string {
  const side = (operand: Operand, other: Operand): string => {
    if ("term" in operand) return nameOf(terms[operand.term]!);
    const worded = "term" in other ? wordOf(terms[other.term]!.name, operand.number) : null;
    return worded ?? String(operand.number);
  };
  return `${side(left, right)} ${op} ${side(right, left)}`;
}

/** Significant digits of a value in a sentence. */
const DISPLAY_DIGITS = 6;

const formatTerms = (terms: readonly TermValue[]): string =>
  terms
    .map(
      ({ term, value, word }) =>
        `${term} ${word ?? (value === null ? "unknown" : Number(value.toPrecision(DISPLAY_DIGITS)))}`,
    )
    .join(", ");

const priceAt = (prices: Float64Array | undefined, at: number): number | null => {
  const price = prices?.[at];
  return price === undefined || Number.isNaN(price) ? null : price;
};
