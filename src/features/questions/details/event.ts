import odds from "../data/odds.json" with { type: "json" };
import { wordsOf } from "../phrases.ts";
import { withoutTime } from "./date.ts";
import { ODDS } from "./topics.ts";

/** Words of a question about odds that name no event: function words, names of markets, other topics. */
const GENERAL = wordsOf(odds.general);

/**
 * Returns true if a question about odds names an event: words remain after removing names, times and the words of the
 * request.
 */
export function isOfEvent(query: string, names: readonly string[]): boolean {
  const text = query.toLowerCase();
  const unnamed = names.reduce((left, name) => left.replaceAll(name.toLowerCase(), " "), text);
  const words = withoutTime(unnamed).match(/[\p{L}%]+(?:['’][\p{L}]+)?/gu) ?? [];
  return words.some(
    (word) => (word.length > 1 || word === "%") && !GENERAL.has(word.replace(/['’]s$/, "").replace("’", "'")),
  );
}

/** Matches the start of another clause. */
const CLAUSE =
  /[;?!]|\.(?= |$)|\b(?:and then|then|and also|plus)\b|\band (?=(?:what|how)(?! about)|when|the odds|odds|(?:the )?chances?)/i;

/** Returns the names in the clause that asks for odds; all names if that clause contains none. */
export function namedWithOdds<N extends { readonly text: string }>(
  query: string,
  names: readonly N[],
): readonly N[] {
  const asking = query
    .split(CLAUSE)
    .filter((clause) => ODDS.test(clause))
    .join("\n")
    .toLowerCase();
  const found = names.filter(({ text }) => asking.includes(text.toLowerCase()));
  return found.length === 0 ? names : found;
}
