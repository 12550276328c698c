import { isAdjacent, isSameSentence } from "./span.ts";
import { COMMON_NOUN_CONTEXTS, WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** Returns true if a text is about markets, or shorter than four words. */
export const isMarketTalk = (words: readonly Word[]): boolean =>
  words.length < 4 ||
  words.some(({ base }) => WORDS.marketWords.has(base.toLowerCase()) || WORDS.talk.has(base.toLowerCase()));

/**
 * Returns `name`, `with_neighbour` (a name only next to another instrument) or `thing` (a common noun: `an apple pie`,
 * `the amazon rainforest`).
 */
export function classifyName(
  words: readonly Word[],
  at: number,
  market: boolean,
): "name" | "with_neighbour" | "thing" {
  const word = words[at]!;
  const name = word.base.toLowerCase();
  const [before, next] = [words[at - 1], words[at + 1]];
  const after = isAdjacent(next) ? next.lower : "";
  const small = /^\p{Ll}/u.test(word.text);
  const things = COMMON_NOUN_CONTEXTS[name];
  // the Dow index
  if (name === "dow" && before?.lower === "the") return "thing";
  if (
    things?.has(after) &&
    (small || word.opens || !/^(in|to|of|for|from|on|into|through|free)$/.test(after))
  )
    return "thing";
  if (!market && isPurchase(after, isAdjacent(words[at + 2]) ? words[at + 2]!.lower : "")) return "thing";
  if (!WORDS.ambiguous.has(name) || !small) return "name";
  if (WORDS.meaningWords.has(after)) return "thing";
  const determiner = isSameSentence(word) && before !== undefined ? before.lower : "";
  if (WORDS.indefiniteDeterminers.has(determiner) && !WORDS.talk.has(after)) return "thing";
  if (determiner === "the" && after !== "" && !WORDS.talk.has(after)) return "thing";
  return market || !WORDS.massNouns.has(name) ? "name" : "with_neighbour";
}

/** Returns true for the words after a company in the talk of its customers: `amazon delivery`, `visa declined my card`. */
const isPurchase = (next: string, second: string): boolean =>
  WORDS.customerNouns.has(next) || (WORDS.customerVerbs.has(next) && /^(my|me|our|us)$/.test(second));
