import { classOf, type RowKind, type SideText } from "./row-kinds.ts";

/** What a heading says about the rows below it, besides their class. */
export interface HeadingMeaning {
  /** Kind of the rows if they are no positions. */
  readonly kind?: RowKind;
  readonly side?: Exclude<SideText, "by_sign">;
}

const MEANINGS: readonly (readonly [RegExp, HeadingMeaning])[] = [
  [/\b(closed|realized|sold|expired)\b/i, { kind: "closed_lot" }],
  [/\b(pending|unsettled|working|open orders?|unfilled)\b/i, { kind: "pending" }],
  [
    /\b(orders?|trades?|transactions?|executions?|activit(y|ies)|history|dividends?|transfers?|deposits?)\b/i,
    { kind: "trade" },
  ],
  [/\b(watch ?lists?|favou?rites|wish ?lists?|research|alerts?)\b/i, { kind: "watched" }],
  [/\bshort(s|ed)?\b/i, { side: "short" }],
  [/\blongs?\b/i, { side: "long" }],
];
/** Words that headings of positions consist of, besides those with a meaning. */
const PLAIN = /^\W*(my|your|all|open|current|account|positions?|holdings?|portfolio|summary|\W)*$/i;
const MAX_WORDS = 5;
const MAX_LENGTH = 60;

/** Returns what a heading says about the rows below it; an empty meaning for one that names their class or positions. */
export const meaningOf = (heading: string): HeadingMeaning =>
  MEANINGS.find(([words]) => words.test(heading))?.[1] ?? {};

/** Returns true for a text alone in its row that says what the rows below it are. */
export function isHeadingText(text: string): boolean {
  if (text.length > MAX_LENGTH || !/^[A-Za-z][A-Za-z &/().,-]*:?$/.test(text)) return false;
  if (text.split(/\s+/).length > MAX_WORDS) return false;
  return PLAIN.test(text) || classOf(text) !== null || MEANINGS.some(([words]) => words.test(text));
}
