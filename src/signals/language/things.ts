import { goesOn, isNext } from "./span.ts";
import { AMBIGUOUS, MARKET, TALK, THINGS } from "./talk.ts";
import type { Word } from "./words.ts";

const DETERMINER = /^(a|an|the|my|your|his|her|our|their|this|that|some|any|each|no|of|its)$/;
const INDEFINITE = /^(a|an|my|your|his|her|our|their|this|that|each|no)$/;
const ASKED = /^(mean|means|meaning|definition|defined)$/;

/** Whether talk of markets is in a text, or it is so short that a name alone asks. */
export const isMarketTalk = (words: readonly Word[]): boolean =>
  words.length < 4 || words.some(({ base }) => MARKET.has(base.toLowerCase()) || TALK.has(base.toLowerCase()));

/** Whether a name is but a word here: `an apple pie`, `the amazon rainforest`, `what does oracle mean`. */
export function isThing(words: readonly Word[], at: number, market: boolean): boolean {
  const word = words[at]!;
  const name = word.base.toLowerCase();
  const [before, next] = [words[at - 1], words[at + 1]];
  const after = isNext(next) ? next.lower : "";
  const small = /^\p{Ll}/u.test(word.text);
  const things = THINGS[name];
  const asked = after === "" ? "" : after;
  // the index of that name
  if (name === "dow" && before?.lower === "the") return true;
  if (things?.has(asked) && (small || word.opens || !/^(in|to|of|for|from|on|into|through|free)$/.test(asked))) return true;
  if (!AMBIGUOUS.has(name) || !small) return false;
  if (ASKED.test(asked)) return true;
  const determiner = goesOn(word) && before !== undefined ? before.lower : "";
  if (INDEFINITE.test(determiner) && !TALK.has(asked)) return true;
  if (determiner === "the" && DETERMINER.test(determiner) && asked !== "" && !TALK.has(asked)) return true;
  return !market;
}
