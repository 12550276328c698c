import rules from "../data/screen-rules.json" with { type: "json" };
import { matchers } from "../phrases.ts";
import { isExcludedAt } from "./negation.ts";
import { AMOUNT, amountOf } from "./numbers.ts";

const RULES = matchers(rules);
const LESS = "under|below|less than|lower than|cheaper than|at most|up to|<";
const MORE = "above|over|more than|higher than|better than|at least|>";
const IS_LESS = new RegExp(`^(?:${LESS})$`, "i");
/** Limits of a list that the screener takes as a rule: of a price, of RSI and of the score. */
const LIMITS: readonly (readonly [field: string, words: RegExp])[] = [
  ["close", new RegExp(`\\b(${LESS}|${MORE}) (?:usd ?|\\$)(${AMOUNT})`, "i")],
  ["close", new RegExp(`\\b(${LESS}|${MORE}) (${AMOUNT}) ?(?:dollars?|bucks|usd)\\b`, "i")],
  ["rsi(14)", new RegExp(`\\brsi(?:\\(\\d+\\))? (?:is |of )?(${LESS}|${MORE}) ?(${AMOUNT})`, "i")],
  ["score", new RegExp(`\\bscor(?:e|es|ed|ing) (?:is |of )?(${LESS}) ?(${AMOUNT})`, "i")],
];
/** Matches a lowest or highest grade: `grade B or better`, `at least a B`. A grade in lower case follows `grade`. */
const GRADE_LIMITS: readonly (readonly [operator: string, words: RegExp])[] = [
  [">=", /\b(?:[Gg]raded?|[Rr]ated) ([A-Da-d][+-]?) (?:or|and) (?:better|above|higher|up)\b/],
  [">=", /\b([A-D][+-]?) (?:or|and) (?:better|above|higher|up)\b/],
  [">=", /\b(?:at least|min(?:imum)?) (?:an? )?(?:grade )?([A-D][+-]?)(?![\w+-])/],
  ["<=", /\b(?:[Gg]raded?|[Rr]ated) ([A-Da-d][+-]?) (?:or|and) (?:worse|below|lower)\b/],
  ["<=", /\b([A-D][+-]?) (?:or|and) (?:worse|below|lower)\b/],
];

/**
 * Returns the screener rule that a request describes, such as `rsi(14) < 30` for `oversold`, or null, and the text
 * without its words. What the request excludes is no rule and stays in the text.
 */
export function screenRuleIn(text: string): { readonly rule: string | null; readonly rest: string } {
  const parts: string[] = [];
  let rest = text;
  /** Adds the part that words describe, and takes them out of the rest. */
  const take = (words: RegExp, partOf: (...groups: readonly string[]) => string): void => {
    const match = words.exec(rest);
    if (match === null || isExcludedAt(text, match.index)) return;
    parts.push(partOf(...match.slice(1)));
    rest = `${rest.slice(0, match.index)}${" ".repeat(match[0].length)}${rest.slice(match.index + match[0].length)}`;
  };
  for (const [field, words] of LIMITS)
    take(words, (than, amount) => `${field} ${IS_LESS.test(than!) ? "<" : ">"} ${amountOf(amount!)}`);
  for (const [operator, words] of GRADE_LIMITS)
    take(words, (grade) => `grade ${operator} ${grade!.toUpperCase()}`);
  for (const { label, words } of RULES) {
    if (!words.test(text) || isExcludedAt(text, words.at(text))) continue;
    parts.push(label);
    rest = words.blank(text, rest);
  }
  return { rule: parts.length === 0 ? null : parts.join(" and "), rest };
}
