import { goesOn, isNext } from "./span.ts";
import { AMBIGUOUS, MARKET, TALK, THINGS } from "./talk.ts";
import type { Word } from "./words.ts";

const INDEFINITE = /^(a|an|my|your|his|her|our|their|this|that|each|no)$/;
/** Names that are words without an article before them. */
const MASS = /^(avalanche|coke|duke|ether|gold|intel|meta|ripple|sales|silver|uber)$/;
const MEANT = /^(mean|means|meaning|definition|defined)$/;

/** Whether talk of markets is in a text, or it is so short that a name alone asks. */
export const isMarketTalk = (words: readonly Word[]): boolean =>
  words.length < 4 ||
  words.some(({ base }) => MARKET.has(base.toLowerCase()) || TALK.has(base.toLowerCase()));

/** How a name is read: as such, as one only beside another, or as but a word: `an apple pie`, `the amazon rainforest`. */
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
  const things = THINGS[name];
  // the index of that name
  if (name === "dow" && before?.lower === "the") return "thing";
  if (
    things?.has(after) &&
    (small || word.opens || !/^(in|to|of|for|from|on|into|through|free)$/.test(after))
  )
    return "thing";
  if (!AMBIGUOUS.has(name) || !small) return "name";
  if (MEANT.test(after)) return "thing";
  const determiner = goesOn(word) && before !== undefined ? before.lower : "";
  if (INDEFINITE.test(determiner) && !TALK.has(after)) return "thing";
  if (determiner === "the" && after !== "" && !TALK.has(after)) return "thing";
  return market || !MASS.test(name) ? "name" : "beside";
}
