import exclusions from "../data/exclusions.json" with { type: "json" };
import { expressions } from "../phrases.ts";
import { SECTOR_WORDS } from "./sectors.ts";

/** Kinds of criteria that a question can exclude. */
type CriterionKind = "sector" | "stage" | "grade" | "phase" | "bias" | "tier" | "asset_class" | "call";

export interface Exclusion {
  readonly kind: CriterionKind;
  readonly words: string;
}

const { names, kinds, grades, others } = exclusions;
const WORDS = Object.entries({ sector: SECTOR_WORDS, ...kinds }) as [CriterionKind, string][];
const WORD = `\\b(?:${WORDS.map(([, words]) => words).join("|")})\\b`;
/** Case-sensitive: case distinguishes a grade from an article. */
const GRADES_LEFT_OUT = expressions(grades, names, "gu").leftOut;
/** Patterns of any other criteria: `not tech`, `avoid tech`, `tech excluded`. */
const LEFT_OUT = Object.values(expressions(others, { ...names, word: WORD }, "giu"));

/** Returns the criteria that a question excludes, and the question without them. */
export function exclusionsIn(text: string) {
  const leftOut: Exclusion[] = [];
  const withoutGrades = text.replace(GRADES_LEFT_OUT, (_, words: string) => {
    leftOut.push({ kind: "grade", words });
    return " ";
  });
  const take = (_: string, words: string) => {
    leftOut.push({ kind: kindOfWords(words), words });
    return " ";
  };
  const rest = LEFT_OUT.reduce((left, pattern) => left.replace(pattern, take), withoutGrades);
  return leftOut.length === 0 ? { leftOut, rest: text } : { leftOut, rest: rest.replace(HANGING, " ") };
}

/** Matches words whose object was removed. */
const HANGING = /\b(?:that|which|with)(?: (?:are|is|do|does|have))? {2,}/giu;

const KINDS = WORDS.map(([kind, words]) => [kind, new RegExp(`^(?:${words})\\b`, "iu")] as const);
const kindOfWords = (words: string): CriterionKind =>
  KINDS.find(([, pattern]) => pattern.test(words))?.[0] ?? "asset_class";
