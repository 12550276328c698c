import { AssetClass } from "../../../domain/market/market.ts";
import { Direction, Grade, Tier } from "../../../domain/signal/signal.ts";
import { WYCKOFF_PHASES } from "../../../domain/signal/structure.ts";
import { numberOf } from "../../../lib/number-words.ts";
import words from "../data/words.json" with { type: "json" };
import { labelsIn, patterns } from "../phrases.ts";
import { when } from "../sentences.ts";
import { gradesIn } from "./grade.ts";
import { exclusionsIn } from "./negation.ts";
import { rewardIn, scoreIn } from "./score.ts";
import { SECTOR_NAMES, sectorsIn } from "./sectors.ts";

const SAYS = patterns(words.filters);
const TIERS = patterns(words.tier);
const ASSET_CLASSES = patterns(words.asset_class);
const PHASES = patterns(words.phases);

/** Columns of a list that take one value or several, each with all of its values. */
const COLUMNS = {
  bias: Direction.options,
  tier: Tier.options,
  asset_class: AssetClass.options,
  sector: SECTOR_NAMES,
  stage: [1, 2, 3, 4],
  grade: Grade.options,
  phase: WYCKOFF_PHASES,
} as const;
type Column = keyof typeof COLUMNS;
type Value = string | number;

/** Filters of a list, as fields of the screener's input. */
export type Filters = Readonly<Partial<Record<Column, Value | readonly Value[]>>> & {
  readonly min_score?: number;
  readonly sort?: "score_asc" | "rr";
};

/** Returns the filters of a list. A criterion that the screener lacks is not applied but listed in `unserved`. */
export function filtersIn(text: string) {
  const lettered = text.replace(LETTERED, " ");
  const { leftOut, rest: withoutExclusions } = exclusionsIn(lettered);
  const { grades, isRange, rest } = gradesIn(withoutExclusions);
  const [score, reward, stages] = [scoreIn(rest), rewardIn(rest), stagesIn(rest)];
  const named = { ...valuesIn(rest), grade: grades };
  const excluded = valuesIn(leftOut);
  const isPart = [rest, leftOut].flatMap(sectorsIn).some(({ isPart }) => isPart);
  const sort = reward.isAsked ? "rr" : score.isLow || isWeakestFirst(rest, leftOut) ? "score_asc" : undefined;
  const filters: Filters = {
    ...(sort !== undefined && { sort }),
    ...chosen(named, excluded),
    ...(score.least !== null && { min_score: score.least }),
  };
  return {
    filters,
    /** Labels of recognised criteria that the screener lacks. */
    unserved: [
      ...when(isPart, "an industry within a sector"),
      ...when(
        (named.asset_class.includes("crypto") || named.asset_class.length > 1) &&
          named.sector.length + excluded.sector.length > 0,
        "a sector together with crypto or funds",
      ),
      ...when(!isPart && isContradictory(named, excluded), "a value that is both wanted and excluded"),
      ...when(stages.isRange || stagesIn(leftOut).isRange, "a range of stages"),
      ...when(stages.isNone, "a stage other than 1 to 4"),
      ...when(isRange || (leftOut !== "" && OR_BEYOND.test(rest)), "a range of grades"),
      ...when(lettered !== text, "a phase by letter or number"),
      ...score.unserved,
      ...reward.unserved,
    ],
    /** The wanted direction, if the list is not filtered by it. */
    wants: named.bias.length > 0 ? null : wantedIn(rest),
    /** The remaining text, for other criteria. */
    rest: rest.replace(/\s+/g, " "),
  };
}

/** Matches what is left of a range without the grade that it begins at. */
const OR_BEYOND = /(?:^ *| {2,})(?:or|and) (?:better|above|higher|up|worse|below|lower)\b/i;

type Values = Readonly<Record<Column, readonly Value[]>>;

/** Returns the values that a text names for each column. */
function valuesIn(text: string): Values {
  return {
    bias: labelsIn(BIASES, text.replace(OTHER_LONG_SHORT, " ")),
    tier: labelsIn(TIERS, text),
    asset_class: labelsIn(ASSET_CLASSES, text),
    sector: sectorsIn(text).map(({ name }) => name),
    stage: stagesIn(text).known,
    grade: gradesIn(text).grades,
    phase: labelsIn(PHASES, text),
  };
}

/** Returns true if a text excludes every value that it names for a column. */
const isContradictory = (named: Values, excluded: Values): boolean =>
  (Object.keys(COLUMNS) as Column[]).some(
    (column) => named[column].length > 0 && named[column].every((value) => excluded[column].includes(value)),
  );

/** Returns the values of each column: those named without those excluded, or all others if only exclusions are named. */
function chosen(named: Values, excluded: Values): Filters {
  const columns = (Object.keys(COLUMNS) as Column[]).flatMap((column) => {
    const others = excluded[column].length > 0 ? COLUMNS[column] : [];
    const from: readonly Value[] = named[column].length > 0 ? named[column] : others;
    const values = from.filter((value) => !excluded[column].includes(value));
    return values.length === 0 ? [] : [[column, values.length === 1 ? values[0]! : values] as const];
  });
  const filters: Filters = Object.fromEntries(columns);
  // only stocks have a sector
  return filters.sector === undefined ? filters : { asset_class: "equity", ...filters };
}

const STAGE =
  /(\b(?:above|beyond|below|past|at least|at most|before|after|under|over) )?\bstages? ?-?(\d\b|one\b|two\b|three\b|four\b)((?:\s*(?:,|\/|&|-|–|\b(?:or|and|nor|to|through)\b)+\s*(?:stage )?(?:[1-4]|one|two|three|four)\b)*)(\+| (?:or|and) (?:above|higher|later|beyond|up|better|below|lower|earlier)\b)?/gi;

/**
 * Returns the requested stages of a list. `isRange`: the text names a range of stages; `isNone`: it names a
 * stage that does not exist.
 */
function stagesIn(text: string) {
  const all = [...text.matchAll(STAGE)];
  const isRange = all.some(([, before, , more, after]) => before || after || /[-–]|to|through/i.test(more!));
  const values = all.flatMap(([named]) => named.match(/\d|one|two|three|four/gi) ?? []);
  const known = isRange
    ? []
    : [1, 2, 3, 4].filter((stage) => values.some((value) => numberOf(value) === stage));
  return { known, isRange, isNone: !isRange && values.some((value) => !known.includes(numberOf(value))) };
}

/** Matches phases with a letter or number, which are neither grades nor stages. Lower-case `a` is an article. */
const LETTERED =
  /\b(?:[Ww]yckoff )?[Pp](?:hases?|HASES?)[ -]?(?:[A-E]|[b-e]|[1-5])(?![\w+])(?:\s*(?:,|\/|&|-|–|\bor\b|\band\b|\bto\b)\s*(?:phase )?(?:[A-Eb-e]|[1-5])(?![\w+]))*/g;

/** Matches uses of `long` and `short` that do not mean a direction. */
const OTHER_LONG_SHORT =
  /\b(long|short)[- ](term|dated|squeez\w*|interest|run|lived|cover\w*|seller\w*|selling|float|ratio|time|list)\b|\b(as|how|so|too) long\b/gi;
const BIASES = {
  LONG: /\blongs?\b|(?<!\b(?:most|more|least|less) )\bbullish\b|\bbuy (signals?|rat\w+)\b|\b(is|are|rated|called) (an? )?buys?\b/i,
  SHORT:
    /\bshorts?\b|\bsell (signals?|rat\w+)\b|\b(is|are|rated|called) (an? )?sells?\b|(?<!\b(?:most|more|least|less) )\bbearish\b/i,
  WAIT: /\bWAITs?\b|\bwait signals?\b/,
};

/** Returns true if the weakest should come first: the question asks for the weakest or for what not to buy. */
function isWeakestFirst(text: string, leftOut: string): boolean {
  const meant = text.replace(OTHER_LONG_SHORT, " ");
  return (
    SAYS.weakest.test(meant) ||
    (!SAYS.longing.test(meant) && (SAYS.weak.test(meant) || SAYS.longing.test(leftOut)))
  );
}

function wantedIn(text: string): "LONG" | "SHORT" | null {
  const [buys, sells] = [SAYS.buys.test(text), SAYS.sells.test(text)];
  return buys === sells ? null : buys ? "LONG" : "SHORT";
}
