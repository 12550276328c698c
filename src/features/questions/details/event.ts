import odds from "../data/odds.json" with { type: "json" };
import { MAX_PARSED_LENGTH } from "../language/parsed-length.ts";
import { wordsOfLines } from "../words-of-data.ts";
import { withoutTime } from "./date.ts";
import { ODDS } from "./topics.ts";

/** Words of a question about odds that ask for no event of their own: function words, names of markets, what else an answer tells. */
const GENERAL = wordsOfLines(odds.general);

/**
 * Whether a question about the odds of named instruments is about an event: words are left once the names, the times and the
 * words about the asking are gone.
 */
export function isOfEvent(query: string, names: readonly string[]): boolean {
  const text = query.slice(0, MAX_PARSED_LENGTH).toLowerCase();
  const unnamed = names.reduce((left, name) => left.replaceAll(name.toLowerCase(), " "), text);
  const words = withoutTime(unnamed).match(/[\p{L}%]+(?:['’][\p{L}]+)?/gu) ?? [];
  return words.some(
    (word) => (word.length > 1 || word === "%") && !GENERAL.has(word.replace(/['’]s$/, "").replace("’", "'")),
  );
}

/** Where another question begins. */
const CLAUSE =
  /[;?!]|\.(?= |$)|\b(?:and then|then|and also|plus)\b|\band (?=(?:what|how)(?! about)|when|the odds|odds|(?:the )?chances?)/i;

/** Of several names those that stand in the clause that asks for odds; all where none does. */
export function namedWithOdds<N extends { readonly text: string }>(
  query: string,
  names: readonly N[],
): readonly N[] {
  const asking = query
    .slice(0, MAX_PARSED_LENGTH)
    .split(CLAUSE)
    .filter((clause) => ODDS.test(clause))
    .map((clause) => clause.toLowerCase());
  const found = names.filter(({ text }) => asking.some((clause) => clause.includes(text.toLowerCase())));
  return found.length === 0 ? names : found;
}
