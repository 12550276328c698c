import words from "../data/words.json" with { type: "json" };
import { labelsIn, patterns } from "../phrases.ts";
import { when } from "../sentences.ts";
import { gradeIn } from "./grade.ts";
import { type Exclusion, exclusionsIn } from "./negation.ts";
import { numberOf } from "./numbers.ts";
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

/** Returns the filters of a list. A criterion that the screener lacks is not applied but listed in `unserved`. */
export function filtersIn(text: string) {
  const lettered = text.replace(LETTERED, " ");
  const { leftOut, rest: withoutExclusions } = exclusionsIn(lettered);
  const { grade, isSeveral, rest } = gradeIn(withoutExclusions);
  const [score, reward, stages] = [scoreIn(rest), rewardIn(rest), stagesIn(rest)];
  const phases = labelsIn(PHASES, rest);
  const biases = labelsIn(BIASES, rest.replace(OTHER_LONG_SHORT, " "));
  const isCrypto = SAYS.crypto.test(rest.replace(/\bcrypto\w* (stocks?|compan\w+|shares|equit\w+)\b/gi, " "));
  const isTiers = SAYS.hot.test(rest) && OTHER_TIERS.test(rest);
  const sectors = isCrypto ? [] : sectorsIn(rest);
  const sort = reward.isAsked ? "rr" : score.isLow || isWeakestFirst(rest, leftOut) ? "score_asc" : undefined;
  const filters = defined({
    sort,
    bias: only(biases),
    tier: SAYS.hot.test(rest) && !isTiers ? "HOT" : undefined,
    asset_class: assetClass(rest, isCrypto, sectors.length > 0),
    sector: only(sectors)?.name,
    stage: only(stages.known),
    grade: grade ?? undefined,
    phase: only(phases),
    min_score: score.least ?? undefined,
  });
  return {
    filters,
    /** Labels of recognised criteria that the screener lacks. */
    unserved: [
      ...when(sectors.length > 1, "more than one sector"),
      ...when(sectors.length === 1 && isPart(filters, sectors, leftOut), "an industry within a sector"),
      ...when(stages.isSeveral, "more than one stage"),
      ...when(stages.isNone, "a stage other than 1 to 4"),
      ...when(isSeveral, "more than one grade"),
      ...when(phases.length > 1, "more than one phase"),
      ...when(biases.length > 1, "more than one direction"),
      ...when(isTiers, "more than one tier"),
      ...when(lettered !== text, "a phase by letter or number"),
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

/** Returns the only value; undefined if there are none or several. */
const only = <Value>(values: readonly Value[]): Value | undefined =>
  values.length === 1 ? values[0] : undefined;

/** Returns the filters without the undefined ones. */
const defined = (filters: { readonly [F in keyof Filters]: Filters[F] | undefined }): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));

const STAGE =
  /(\b(?:above|beyond|below|past|at least|at most|before|after|under|over) )?\bstages? ?-?(\d\b|one\b|two\b|three\b|four\b)((?:\s*(?:,|\/|&|-|–|\bor\b|\band\b|\bto\b)\s*(?:stage )?(?:[1-4]|one|two|three|four)\b)*)(\+| (?:or|and) (?:above|higher|later|beyond|up|better|below|lower|earlier)\b)?/gi;

/**
 * Returns the requested stages of a list. `isSeveral`: the text names more than one stage or a range; `isNone`: the
 * only stage it names does not exist.
 */
function stagesIn(text: string) {
  const all = [...text.matchAll(STAGE)];
  const values = new Set(all.map(([, , first]) => numberOf(first!)));
  const isSeveral =
    values.size > 1 || all.some(([, before, , more, after]) => before || more !== "" || after);
  const known = isSeveral ? [] : [...values].filter((stage) => stage >= 1 && stage <= 4);
  return { known, isSeveral, isNone: !isSeveral && known.length < values.size };
}

/** Matches phases with a letter or number, which are neither grades nor stages. Lower-case `a` is an article. */
const LETTERED =
  /\b(?:[Ww]yckoff )?[Pp](?:hases?|HASES?)[ -]?(?:[A-E]|[b-e]|[1-5])(?![\w+])(?:\s*(?:,|\/|&|-|–|\bor\b|\band\b|\bto\b)\s*(?:phase )?(?:[A-Eb-e]|[1-5])(?![\w+]))*/g;
const PHASES = patterns(words.phases);

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
function assetClass(text: string, isCrypto: boolean, isSector: boolean): Filters["asset_class"] {
  const isStock = SAYS.stocks.test(text);
  if (isCrypto) return isStock ? undefined : "crypto";
  if (isStock) return "equity";
  if (SAYS.funds.test(text)) return "etf";
  return isSector ? "equity" : undefined;
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

/** Returns labels of exclusions that the screener cannot apply. */
function exclusionLabels(leftOut: readonly Exclusion[], filters: Filters): readonly string[] {
  const kinds = leftOut.map(({ kind }) => kind).filter((kind) => kind !== "call");
  const nouns: Readonly<Record<string, string>> = { bias: "direction", asset_class: "asset class" };
  const left = new Set(kinds.filter((kind) => filters[kind] === undefined));
  return [...left].map((kind) => `every ${nouns[kind] ?? kind} but one`);
}
