import type { WyckoffPhase } from "../../../domain/signal/structure.ts";
import { DRIVERS } from "../../drivers/table.ts";
import { nanSeries, type Series } from "../../indicators/series.ts";
import { INDICATORS, type Indicator } from "../../indicators/table.ts";
import { GRADES } from "../../score/grade.ts";
import { PRICE_GROUPS } from "../../score/groups.ts";
import { gradeRank, type SignalTape } from "../../score/tape-columns.ts";
import type { Operator } from "./plan.ts";

const PRICES: Indicator = {
  names: ["open", "high", "low", "close", "volume"],
  params: [],
  warmUp: () => 0,
  columns: ({ open, high, low, close, volume }) => ({ open, high, low, close, volume }),
};

/** Prices and indicators: the terms that are computed from bars only. */
export const BAR_TERMS: readonly Indicator[] = [PRICES, ...INDICATORS];

/** Computation of each bar term; terms missing here are read from the signal. */
export const INDICATOR_OF: ReadonlyMap<string, Indicator> = new Map(
  BAR_TERMS.flatMap((indicator) => indicator.names.map((name) => [name, indicator] as const)),
);

export const PHASES = [
  "Accumulation",
  "Markup",
  "Reaccumulation",
  "Distribution",
  "Markdown",
  "Redistribution",
  "Undetermined",
] as const satisfies readonly WyckoffPhase[];

const PRICE_GROUP_SET: ReadonlySet<string> = new Set(PRICE_GROUPS);
const COMPARISON_OPERATORS: readonly Operator[] = ["<", "<=", ">", ">=", "=", "!="];
const EQUALITY_OPERATORS: readonly Operator[] = ["=", "!="];

/** A term that is compared with words. */
interface WordedTerm {
  /** The number of each word. */
  readonly words: ReadonlyMap<string, number>;
  readonly ops: readonly Operator[];
  /** Returns the word that another spelling means. Default: words have one spelling. */
  readonly read?: (text: string) => string;
}

/** Terms that are compared with words. */
export const ENUM_TERMS: ReadonlyMap<string, WordedTerm> = new Map<string, WordedTerm>([
  ["grade", { words: new Map(GRADES.map((grade) => [grade, gradeRank(grade)])), ops: COMPARISON_OPERATORS }],
  ["phase", { words: new Map(PHASES.map((phase, i) => [phase, i])), ops: EQUALITY_OPERATORS }],
  [
    "direction",
    {
      words: new Map([
        ["LONG", 1],
        ["SHORT", -1],
        ["WAIT", 0],
      ]),
      ops: EQUALITY_OPERATORS,
    },
  ],
]);

/** Drivers without recorded past values; rules cannot read them. */
export const UNRECORDED_DRIVERS: readonly string[] = DRIVERS.filter(
  ({ group }) => !PRICE_GROUP_SET.has(group),
).map(({ id }) => id);

/** Drivers computed from bars, available for past bars too. */
export const DRIVER_IDS: readonly string[] = DRIVERS.map(({ id }) => id).filter(
  (id) => !UNRECORDED_DRIVERS.includes(id),
);

/** Terms that are read from the signal. */
export const SIGNAL_TERMS: readonly string[] = ["score", ...ENUM_TERMS.keys(), ...DRIVER_IDS];

/** Terms that are known only for the rows of a nightly run; rules on bars cannot read them. */
export const ROW_TERMS: readonly string[] = ["odds"];

/** Words that a name takes in parentheses, each with the value it stands for. */
export type Choices = ReadonlyMap<string, string>;

/** The names that rules may use. */
export interface Vocabulary {
  /** Names computed from bars, which may have arguments. */
  readonly indicators: ReadonlyMap<string, Indicator>;
  /** Names without arguments whose values are not computed from bars. */
  readonly values: readonly string[];
  /** Names that take one of several words in parentheses; the values are among `values`. */
  readonly choices: ReadonlyMap<string, Choices>;
  /** The names among `values` that are compared with words. */
  readonly words: typeof ENUM_TERMS;
}

/** The names of backtest rules: prices, indicators and values of the signal. */
export const RULE_VOCABULARY: Vocabulary = {
  indicators: INDICATOR_OF,
  values: SIGNAL_TERMS,
  choices: new Map(),
  words: ENUM_TERMS,
};

/** Returns the values of a signal term at each of `length` bars; NaN if the tape has no value. */
export function readTape(tape: SignalTape, name: string, length: number): Series {
  const out = nanSeries(length);
  const driver =
    tape.drivers !== undefined && Object.hasOwn(tape.drivers, name) ? tape.drivers[name] : undefined;
  for (let i = 0; i < length; i++) {
    if (name === "score") out[i] = tape.score[i]!;
    else if (name === "phase") out[i] = phaseAt(tape, i);
    else if (name !== "grade" && name !== "direction") out[i] = driver?.[i] ?? Number.NaN;
    else if (tape.grade[i] !== 0) out[i] = tape[name][i]!;
  }
  return out;
}

function phaseAt({ phase }: SignalTape, bar: number): number {
  const index = (PHASES as readonly (string | null)[]).indexOf(phase?.[bar] ?? null);
  return index < 0 ? Number.NaN : index;
}
