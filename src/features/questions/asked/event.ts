import { LONGEST_READ } from "../language/longest-read.ts";
import { withoutTime } from "./date.ts";
import { ODDS } from "./topics.ts";

/** Words of a question about odds that ask for no event of their own: function words, names of markets, what else an answer tells. */
const GENERAL = new Set(
  "a about active again all also an and any are as at be being best bet bets betting biggest both bull bear busiest but by can chance chances check coin contract contracts crowd crowds crypto current currently data do does doing earnings favored find fine flow for from get give given has have headlines hello help hey hi high highest how i in interested is it its just kalshi latest let like likelihood likely list live look looking lot manifold many market markets me more most much my need new news next now odd odds of ok on one ones open or our out outlook people please polymarket popular prediction predictionmarket predictions predictit price prices pricing probabilities probability question questions quote report reports right rn saying say says see show signal signals some stand standing stock stocks share shares tell than thanks that the their them then there these they thing things think this those to today tokens top traders trading us usd versus view volume vs want was we were what what's whats when where which who will with would you your".split(
    " ",
  ),
);

/**
 * Whether a question about the odds of named instruments is about an event: words are left once the names, the times and the
 * words about the asking are gone.
 */
export function isOfEvent(query: string, names: readonly string[]): boolean {
  const text = query.slice(0, LONGEST_READ).toLowerCase();
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
    .slice(0, LONGEST_READ)
    .split(CLAUSE)
    .filter((clause) => ODDS.test(clause))
    .map((clause) => clause.toLowerCase());
  const found = names.filter(({ text }) => asking.some((clause) => clause.includes(text.toLowerCase())));
  return found.length === 0 ? names : found;
}
