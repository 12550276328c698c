import exclusions from "../data/exclusions.json" with { type: "json" };
import { expressions } from "../phrases.ts";
import { SECTOR_WORDS } from "./sectors.ts";

const { names, criteria, grades, others, anything } = exclusions;
const WORD = `\\b(?:${[SECTOR_WORDS, ...criteria].join("|")})\\b`;
/** Patterns of excluded criteria: `not tech`, `avoid tech`, `tech excluded`; the case of a grade matters. */
const LEFT_OUT = [
  expressions(grades, names, "gu").leftOut,
  ...Object.values(expressions(others, { ...names, word: WORD }, "giu")),
];

const EXCLUDED = expressions(anything, names, "giu").excluded;
const BEFORE = expressions(anything, names, "iu").before;

/** Returns true if a text excludes anything. */
export const excludes = (text: string): boolean => text.search(EXCLUDED) >= 0;

/** Returns a text without everything that it excludes: `not crypto`, `excluding democrats`. */
export const withoutExcluded = (text: string): string => text.replace(EXCLUDED, " ");

/** Returns true if the words at a position of a text are excluded. */
export const isExcludedAt = (text: string, at: number): boolean => BEFORE.test(text.slice(0, at));

/** Matches words whose object was removed. */
const HANGING = /\b(?:that|which|with)(?: (?:are|is|do|does|have))? {2,}/giu;

/** Returns the criteria that a question excludes, joined by commas, and the question without them. */
export function exclusionsIn(text: string): { readonly leftOut: string; readonly rest: string } {
  const leftOut: string[] = [];
  const take = (_: string, words: string) => {
    leftOut.push(words);
    return " ";
  };
  const rest = LEFT_OUT.reduce((left, pattern) => left.replace(pattern, take), text);
  return { leftOut: leftOut.join(", "), rest: leftOut.length === 0 ? text : rest.replace(HANGING, " ") };
}
