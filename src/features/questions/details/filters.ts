import words from "../data/words.json" with { type: "json" };
import { patterns } from "../phrases.ts";
import { gradeIn } from "./grade.ts";
import { type CriterionKind, type Exclusion, exclusionsIn } from "./negation.ts";
import { rewardIn, scoreIn } from "./score.ts";
import { sectorsIn } from "./sectors.ts";

const SAYS = patterns(words.filters);

/** Filters of a list, as fields of the screener's input. */
export interface Filters {
  readonly bias?: "LONG" | "SHORT" | "WAIT";
  readonly tier?: "HOT";
  readonly asset_class?: "equity" | "etf" | "crypto";
  readonly sector?: string;
  readonly stage?: number;
  readonly grade?: string;
  readonly phase?: "Accumulation" | "Distribution" | "Markup" | "Markdown";
  readonly min_score?: number;
  readonly sort?: "score_asc" | "rr";
}

/** Filters of a list, and what the screener cannot filter by. */
export type Narrowing = ReturnType<typeof filtersIn>;

/** Returns the filters of a list. A criterion that the screener lacks is not applied but listed in `unserved`. */
export function filtersIn(text: string) {
  const lettered = text.replace(LETTERED, " ");
  const { leftOut, rest: withoutExclusions } = exclusionsIn(lettered);
  const { grade, isSeveral, rest } = gradeIn(withoutExclusions);
  const [score, reward] = [scoreIn(rest), rewardIn(rest)];
  const [stages, phases, biases] = [stagesIn(rest), phasesIn(rest), biasesIn(rest)];
  const isCrypto = SAYS.crypto.test(rest.replace(/\bcrypto\w* (stocks?|compan\w+|shares|equit\w+)\b/gi, " "));
  const isTiers = SAYS.hot.test(rest) && OTHER_TIERS.test(rest);
  const sectors = isCrypto ? [] : sectorsIn(rest);
  const sort = reward.isAsked ? "rr" : score.isLow || isWeakestFirst(rest, leftOut) ? "score_asc" : undefined;
  const filters: Filters = {
    ...(sort !== undefined && { sort }),
    ...only("bias", biases),
    ...(SAYS.hot.test(rest) && !isTiers && { tier: "HOT" as const }),
    ...assetClass({
      isCrypto,
      isFund: SAYS.funds.test(rest),
      isStock: SAYS.stocks.test(rest),
      isSector: sectors.length > 0,
    }),
    ...only(
      "sector",
      sectors.map(({ name }) => name),
    ),
    ...only("stage", stages.known),
    ...(grade !== null && { grade }),
    ...only("phase", phases),
    ...(score.least !== null && { min_score: score.least }),
  };
  const several: readonly (readonly [boolean, string])[] = [
    [sectors.length > 1, "more than one sector"],
    [sectors.length === 1 && isPart(filters, sectors, leftOut), "an industry within a sector"],
    [stages.isSeveral, "more than one stage"],
    [stages.isNone, "a stage other than 1 to 4"],
    [isSeveral, "more than one grade"],
    [phases.length > 1, "more than one phase"],
    [biases.length > 1, "more than one direction"],
    [isTiers, "more than one tier"],
    [lettered !== text, LETTERED_PHASE],
  ];
  return {
    filters,
    /** Labels of recognised criteria that the screener lacks. */
    unserved: [
      ...several.flatMap(([holds, label]) => (holds ? [label] : [])),
      ...exclusionLabels(leftOut, filters),
      ...score.unserved,
      ...reward.unserved,
    ],
    /** The wanted direction, if the list is not filtered by it. */
    wants: biases.length > 0 ? null : wantedIn(rest),
    /** The remaining text, for other criteria. */
    rest: (isTiers ? rest.replace(OTHER_TIERS, " ") : rest).replace(/\s+/g, " "),
  };
}

const OTHER_TIERS = /\b(warm(est)?|cool(est)?|cold(est)?|watch(?= (?:tier|ones|names|stocks)\b)|WATCH)\b/;

/** Returns the filter for exactly one value; else no filter. */
const only = <F extends keyof Filters>(field: F, values: readonly NonNullable<Filters[F]>[]): Filters =>
  values.length === 1 ? { [field]: values[0] } : {};

const STAGE =
  /(\b(?:above|beyond|below|past|at least|at most|before|after|under|over) )?\bstages? ?-?(\d\b|one\b|two\b|three\b|four\b)((?:\s*(?:,|\/|&|-|–|\bor\b|\band\b|\bto\b)\s*(?:stage )?(?:[1-4]|one|two|three|four)\b)*)(\+| (?:or|and) (?:above|higher|later|beyond|up|better|below|lower|earlier)\b)?/gi;
const NAMED = ["one", "two", "three", "four"];

/**
 * Returns the requested stages of a list. `isSeveral`: the text names more than one stage or a range; `isNone`: the
 * only stage it names does not exist.
 */
function stagesIn(text: string) {
  const all = [...text.matchAll(STAGE)];
  const number = (word: string) => NAMED.indexOf(word.toLowerCase()) + 1 || Number(word);
  const values = new Set(all.map(([, , first]) => number(first!)));
  const isSeveral =
    values.size > 1 || all.some(([, before, , more, after]) => before || more !== "" || after);
  const known = isSeveral ? [] : [...values].filter((stage) => stage >= 1 && stage <= 4);
  return { known, isSeveral, isNone: !isSeveral && known.length < values.size };
}

/** Matches phases with a letter or number, which are neither grades nor stages. Lower-case `a` is an article. */
const LETTERED =
  /\b(?:[Ww]yckoff )?[Pp](?:hases?|HASES?)[ -]?(?:[A-E]|[b-e]|[1-5])(?![\w+])(?:\s*(?:,|\/|&|-|–|\bor\b|\band\b|\bto\b)\s*(?:phase )?(?:[A-Eb-e]|[1-5])(?![\w+]))*/g;
/** Label of a criterion that the screener lacks. */
export const LETTERED_PHASE = "a phase by letter or number";

const PHASES = patterns(words.phases);
const phasesIn = (text: string) =>
  (Object.keys(PHASES) as (keyof typeof PHASES)[]).filter((phase) => PHASES[phase].test(text));

/** Matches uses of `long` and `short` that do not mean a direction. */
const OTHER_LONG_SHORT =
  /\b(long|short)[- ](term|dated|squeez\w*|interest|run|lived|cover\w*|seller\w*|selling|float|ratio|time|list)\b|\b(as|how|so|too) long\b/gi;
const BIASES: readonly (readonly [NonNullable<Filters["bias"]>, RegExp])[] = [
  [
    "LONG",
    /\blongs?\b|(?<!\b(?:most|more|least|less) )\bbullish\b|\bbuy (signals?|rat\w+)\b|\b(is|are|rated|called) (an? )?buys?\b/i,
  ],
  [
    "SHORT",
    /\bshorts?\b|\bsell (signals?|rat\w+)\b|\b(is|are|rated|called) (an? )?sells?\b|(?<!\b(?:most|more|least|less) )\bbearish\b/i,
  ],
  ["WAIT", /\bWAITs?\b|\bwait signals?\b/],
];
const biasesIn = (text: string) => {
  const meant = text.replace(OTHER_LONG_SHORT, " ");
  return BIASES.filter(([, words]) => words.test(meant)).map(([bias]) => bias);
};

/** Returns true if the weakest should come first: the question asks for the weakest or for what not to buy. */
function isWeakestFirst(text: string, leftOut: readonly Exclusion[]): boolean {
  const meant = text.replace(OTHER_LONG_SHORT, " ");
  const isAgainst = leftOut.some(
    ({ kind, words }) => (kind === "bias" || kind === "call") && SAYS.longing.test(words),
  );
  return SAYS.weakest.test(meant) || (!SAYS.longing.test(meant) && (SAYS.weak.test(meant) || isAgainst));
}

function wantedIn(text: string): "LONG" | "SHORT" | null {
  const [buys, sells] = [SAYS.buys.test(text), SAYS.sells.test(text)];
  return buys === sells ? null : buys ? "LONG" : "SHORT";
}

/** Returns the requested asset class: stocks if stocks and funds are named, none if crypto and stocks are named. */
function assetClass(has: Readonly<Record<"isCrypto" | "isFund" | "isStock" | "isSector", boolean>>): Filters {
  if (has.isCrypto) return has.isStock ? {} : { asset_class: "crypto" };
  if (has.isStock) return { asset_class: "equity" };
  if (has.isFund) return { asset_class: "etf" };
  return has.isSector ? { asset_class: "equity" } : {};
}

/** Returns true if the question means only a part of the sector or excludes a part. */
const isPart = (
  { sector }: Filters,
  sectors: ReturnType<typeof sectorsIn>,
  leftOut: readonly Exclusion[],
): boolean =>
  sectors.some(({ isPart }) => isPart) ||
  leftOut.some(
    ({ kind, words }) => kind === "sector" && sectorsIn(words).some(({ name }) => name === sector),
  );

const NOUNS: Partial<Readonly<Record<CriterionKind, string>>> = {
  bias: "direction",
  asset_class: "asset class",
};

/** Returns labels of exclusions that the screener cannot apply. */
const exclusionLabels = (leftOut: readonly Exclusion[], filters: Filters): readonly string[] => [
  ...new Set(
    leftOut.flatMap(({ kind }) =>
      kind === "call" || filters[kind] !== undefined ? [] : [`every ${NOUNS[kind] ?? kind} but one`],
    ),
  ),
];
