import { classOf, type RowClass, type RowKind, type SideText } from "./row-kinds.ts";

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

/**
 * Returns the class of the rows below a heading; null if it names none, or several of which some are imported, such as
 * `Equities and Equity Options`.
 */
export function classOfHeading(heading: string): RowClass | null {
  const [first = null, ...others] = heading.split(/\band\b|[&/,+]/i).flatMap((part) => classOf(part) ?? []);
  const isMixed =
    others.some((other) => other !== first) && [first, ...others].some((one) => IMPORTED.has(one));
  return isMixed ? null : first;
}
const IMPORTED: ReadonlySet<RowClass | null> = new Set<RowClass>(["share", "etf", "coin", "any_fund"]);

/** Returns true for a text that may begin a section if its row also has a subtotal, but no quantity. */
export const isSubtotalHeading = (text: string): boolean =>
  isHeadingText(text) &&
  !/^[A-Z]{1,5}$|\btotals?\b/i.test(text) &&
  classOfHeading(text) !== "cash" &&
  meaningOf(text).kind !== "pending";

/** Number of the rows of a section, or their value, after its name. */
const COUNT = /\s*[-:(\u2013]\s*\$?\d[\d.,]*( (items?|positions?|holdings?))?\)?$/i;

/** Returns true for a text alone in its row that says what the rows below it are. */
export function isHeadingText(heading: string): boolean {
  const text = heading.slice(0, MAX_LENGTH + 1).replace(COUNT, "");
  if (text.length > MAX_LENGTH || !/^[A-Za-z][A-Za-z &/().,-]*:?$/.test(text)) return false;
  if (text.split(/\s+/).length > MAX_WORDS) return false;
  return PLAIN.test(text) || classOf(text) !== null || MEANINGS.some(([words]) => words.test(text));
}
