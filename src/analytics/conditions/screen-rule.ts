import type { Bars } from "../../domain/market/bars.ts";
import { conditionsAt } from "../backtest/rules/evaluate.ts";
import type { Operand, Plan } from "../backtest/rules/plan.ts";
import { ENUM_TERMS, INDICATOR_OF, type Vocabulary } from "../backtest/rules/terms.ts";
import type { Problem } from "../backtest/strategies/problem.ts";
import type { Series } from "../indicators/series.ts";
import type { Indicator } from "../indicators/table.ts";
import { parseConditions } from "./rule.ts";

/**
 * Fields of a screener row that a rule may read: numbers and words by name. A null is unknown: no condition on it holds.
 */
export interface ScreenFields {
  readonly numbers: Readonly<Record<(typeof NUMBERS)[number], number | null>>;
  readonly words: Readonly<Record<(typeof WORDS)[number], string | null>>;
}

/** Odds of the row's plan, 0-1. */
const ODDS = ["odds(stop)", "odds(target1)", "odds(neither)"] as const;
const NUMBERS = ["score", "stage", "rr", "entry", "stop", "target", "ics_score", ...ODDS] as const;
const WORDS = ["grade", "direction", "bias", "phase", "tier", "asset_class", "sector"] as const;
/** Names that a rule may use: fields of the rows, then prices and indicators. A row's `stage` is also an indicator. */
export const SCREEN_NAMES: readonly string[] = [
  ...new Set([...NUMBERS, ...WORDS, "change_pct", ...INDICATOR_OF.keys()]),
];
const ODDS_WORDS = new Map<string, (typeof ODDS)[number]>([
  ["stop", "odds(stop)"],
  ["target1", "odds(target1)"],
  ["target", "odds(target1)"],
  ["neither", "odds(neither)"],
]);
const EQUALITY = ["=", "!="] as const;

/** Change of the close from the previous bar, percent. */
const CHANGE: Indicator = {
  names: ["change_pct"],
  params: [],
  warmUp: () => 1,
  columns: ({ close }) => ({
    change_pct: close.map((price, i) => (i === 0 ? Number.NaN : 100 * (price / close[i - 1]! - 1))),
  }),
};

export interface ScreenRule {
  readonly plan: Plan;
  readonly vocabulary: Vocabulary;
  /** Minimum number of bars that the rule reads; 0 for a rule on fields alone. */
  readonly minBars: number;
  /** True if the rule reads the odds of the row's plan. */
  readonly readsOdds: boolean;
}

/** Returns a sector as a rule names it: `Information_Technology`. */
const sectorWord = (sector: string): string => sector.replaceAll(/[^A-Za-z0-9]+/g, "_");

const wordsOf = (values: readonly string[]): ReadonlyMap<string, number> =>
  new Map(values.map((value, i) => [value, i]));

/** The sectors of the rows. */
export interface ScreenSectors {
  readonly sectors: readonly string[];
  /** Returns the sector that a provider's name or a fund means, as `Technology` and `XLK`; any other text unchanged. */
  readonly readSector: (text: string) => string;
}

/** Returns the names of screener rules: fields of the rows, prices and indicators. */
function vocabularyOf({ sectors, readSector }: ScreenSectors): Vocabulary {
  const direction = ENUM_TERMS.get("direction")!;
  const equality = (values: readonly string[]) => ({ words: wordsOf(values), ops: EQUALITY });
  return {
    indicators: new Map([...INDICATOR_OF, ["change_pct", CHANGE]]),
    values: [...NUMBERS, ...WORDS],
    choices: new Map([["odds", ODDS_WORDS]]),
    words: new Map([
      ["grade", ENUM_TERMS.get("grade")!],
      ["phase", ENUM_TERMS.get("phase")!],
      ["direction", direction],
      ["bias", direction],
      ["tier", equality(["HOT", "WATCH", "NEUTRAL"])],
      ["asset_class", equality(["equity", "etf", "crypto"])],
      ["sector", { ...equality(sectors.map(sectorWord)), read: (text) => sectorWord(readSector(text)) }],
    ]),
  };
}

/** Parses the rule of a screen, or returns all problems with it. */
export function screenRuleOf(
  text: string,
  sectors: ScreenSectors,
): ScreenRule | { readonly problems: readonly Problem[] } {
  const vocabulary = vocabularyOf(sectors);
  const parsed = parseConditions(text, { field: "rules", vocabulary });
  if ("problems" in parsed) return parsed;
  const problems = rowProblems(parsed.plan, vocabulary);
  if (problems.length > 0) return { problems };
  const warmUps = parsed.plan.terms.map(({ name, args }) => {
    const indicator = vocabulary.indicators.get(name);
    return indicator === undefined ? 0 : indicator.warmUp(...args) + 2;
  });
  return {
    plan: parsed.plan,
    vocabulary,
    minBars: Math.max(0, ...warmUps),
    readsOdds: parsed.plan.terms.some(({ name }) => isOdds(name)),
  };
}

const isOdds = (name: string): boolean => (ODDS as readonly string[]).includes(name);

/** Returns the problems with conditions that no row can meet: odds beyond 0 to 1, and crossings without past values. */
function rowProblems({ entry, terms }: Plan, { indicators }: Vocabulary): readonly Problem[] {
  const nameOf = (side: Operand) => ("term" in side ? terms[side.term]!.name : "");
  const isOutside = (side: Operand) => "number" in side && (side.number < 0 || side.number > 1);
  const messages = [...entry.all, ...entry.any].flatMap(({ left, op, right }) => {
    const sides = [nameOf(left), nameOf(right)];
    if (op.startsWith("crosses") && !sides.some((name) => indicators.has(name)))
      return [`${op} requires a price or an indicator: a row has no earlier values`];
    return sides.some(isOdds) && (isOutside(left) || isOutside(right))
      ? ["odds are probabilities from 0 to 1: 40 of 100 cases are 0.4"]
      : [];
  });
  return messages.map((message) => ({ path: ["rules"], message }));
}

/**
 * Returns true if the rule holds at the last bar; a condition with an unknown side does not hold. `bars` end at the
 * close of the row; null for a rule that needs none.
 */
export function holdsFor({ plan, vocabulary }: ScreenRule, fields: ScreenFields, bars: Bars | null): boolean {
  const length = bars?.time.length ?? 1;
  const columns = plan.terms.map(({ name, args }): Series => {
    const indicator = vocabulary.indicators.get(name);
    if (indicator === undefined) return new Float64Array(length).fill(fieldValue(name, fields, vocabulary));
    return bars === null
      ? new Float64Array(length).fill(Number.NaN)
      : indicator.columns(bars, ...args)[name]!;
  });
  return conditionsAt(plan.entry, columns, length)[length - 1] === 1;
}

function fieldValue(name: string, { numbers, words }: ScreenFields, vocabulary: Vocabulary): number {
  if (Object.hasOwn(numbers, name)) return numbers[name as (typeof NUMBERS)[number]] ?? Number.NaN;
  const word = words[name as (typeof WORDS)[number]];
  const written = name === "sector" && word !== null ? sectorWord(word) : word;
  return (written === null ? undefined : vocabulary.words.get(name)?.words.get(written)) ?? Number.NaN;
}
