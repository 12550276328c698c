import lists from "./lexicon.json" with { type: "json" };
import { stemOf } from "./tokens.ts";

const stemSet = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(stemOf));

const GOOD = stemSet(lists.good);
const BAD = stemSet(lists.bad);
/** Things of which less is good and more is bad, such as costs. */
const BURDENS = stemSet(lists.burdens);
const LESS = stemSet(lists.less);
const MORE = stemSet(lists.more);
const NEGATORS: ReadonlySet<string> = new Set(lists.negators.split(" "));
/** Number of words within which a preceding negator reverses the sign of a word. */
const REACH = 3;

/** Returns the score of a headline by word lists: (good - bad) / (good + bad), -1 to 1; null without a listed word. */
export function lexiconScore(tokens: readonly string[]): number | null {
  let [good, bad] = [0, 0];
  const stems = tokens.map(stemOf);
  const burdened = stems.findIndex((stem) => BURDENS.has(stem));
  stems.forEach((stem, i) => {
    const sign = signOf(stem, burdened !== -1 && Math.abs(burdened - i) <= REACH, i === burdened);
    if (sign === 0) return;
    const negated = tokens.slice(Math.max(0, i - REACH), i).some((token) => NEGATORS.has(token));
    if (sign > 0 !== negated) good++;
    else bad++;
  });
  return good + bad === 0 ? null : (good - bad) / (good + bad);
}

/** Returns the sign of a word; near a burden, a word for a decrease is good and one for an increase is bad. */
function signOf(stem: string, nearBurden: boolean, isBurden: boolean): number {
  if (nearBurden && !isBurden && LESS.has(stem)) return 1;
  if (nearBurden && !isBurden && MORE.has(stem)) return -1;
  if (GOOD.has(stem)) return 1;
  return BAD.has(stem) ? -1 : 0;
}
