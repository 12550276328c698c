import { goesOn, isNext } from "./span.ts";
import { COMMON_NOUN_CONTEXTS, WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

const AMBIGUOUS = WORDS.ambiguous;
const MARKET = WORDS.marketWords;
const TALK = WORDS.talk;

const INDEFINITE = WORDS.indefiniteDeterminers;
/** Names that are also words used without an article. */
const MASS = WORDS.massNouns;
const MEANT = WORDS.meaningWords;

/** Returns true if a text is about markets, or shorter than four words. */
export const isMarketTalk = (words: readonly Word[]): boolean =>
  words.length < 4 ||
  words.some(({ base }) => MARKET.has(base.toLowerCase()) || TALK.has(base.toLowerCase()));

/** Returns `name`, `beside` (a name only next to another) or `thing` (a word: `an apple pie`, `the amazon rainforest`). */
export function nameOrThing(
  words: readonly Word[],
  at: number,
  market: boolean,
): "name" | "beside" | "thing" {
  const word = words[at]!;
  const name = word.base.toLowerCase();
  const [before, next] = [words[at - 1], words[at + 1]];
  const after = isNext(next) ? next.lower : "";
  const small = /^\p{Ll}/u.test(word.text);
  const things = COMMON_NOUN_CONTEXTS[name];
  // the Dow index
  if (name === "dow" && before?.lower === "the") return "thing";
  if (
    things?.has(after) &&
    (small || word.opens || !/^(in|to|of|for|from|on|into|through|free)$/.test(after))
  )
    return "thing";
  if (!AMBIGUOUS.has(name) || !small) return "name";
  if (MEANT.has(after)) return "thing";
  const determiner = goesOn(word) && before !== undefined ? before.lower : "";
  if (INDEFINITE.has(determiner) && !TALK.has(after)) return "thing";
  if (determiner === "the" && after !== "" && !TALK.has(after)) return "thing";
  return market || !MASS.has(name) ? "name" : "beside";
}
