import exclusions from "../data/exclusions.json" with { type: "json" };
import { expressions } from "../phrases.ts";
import { SECTOR_WORDS } from "./sectors.ts";

/** Kinds of criteria that a question can exclude. */
type CriterionKind = "sector" | "stage" | "grade" | "phase" | "bias" | "tier" | "asset_class" | "call";

export interface Exclusion {
  readonly kind: CriterionKind;
  readonly words: string;
}

const { names, kinds, grades, others, anything } = exclusions;
const WORDS = Object.entries({ sector: SECTOR_WORDS, ...kinds }) as [CriterionKind, string][];
const WORD = `\\b(?:${WORDS.map(([, words]) => words).join("|")})\\b`;
/** Case-sensitive: case distinguishes a grade from an article. */
const GRADES_LEFT_OUT = expressions(grades, names, "gu").leftOut;
/** Patterns of any other criteria: `not tech`, `avoid tech`, `tech excluded`. */
const LEFT_OUT = Object.values(expressions(others, { ...names, word: WORD }, "giu"));

const EXCLUDED = expressions(anything, names, "giu").excluded;
const BEFORE = expressions(anything, names, "iu").before;

/** Returns true if a text excludes anything. */
export const excludes = (text: string): boolean => text.search(EXCLUDED) >= 0;

/** Returns a text without everything that it excludes: `not crypto`, `excluding democrats`. */
export const withoutExcluded = (text: string): string => text.replace(EXCLUDED, " ");

/** Returns true if the words at a position of a text are excluded. */
export const isExcludedAt = (text: string, at: number): boolean => BEFORE.test(text.slice(0, at));

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
