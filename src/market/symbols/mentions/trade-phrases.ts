import { isAdjacent, nextWord, wordBefore } from "./span.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** Returns true for the position of X in `is X a good buy`, `would X be a good buy` or `are X worth buying`. */
export function isJudged(words: readonly Word[], at: number, length = 1): boolean {
  const lead = wordBefore(words, at);
  const last = at + length - 1;
  const after = following(words, words[last + 1]?.lower === "be" ? last + 1 : last);
  if (!WORDS.judgementLeads.has(lead)) return false;
  if (after(1) === "worth" && WORDS.tradeVerbs.has(after(2))) return true;
  return (
    /^an?$/.test(after(1)) &&
    (WORDS.tradeNouns.has(after(2)) || (WORDS.qualities.has(after(2)) && WORDS.tradeNouns.has(after(3))))
  );
}

/** Returns true for the position of X in `how is X doing`, `what does X do` or `is X going up`. */
export function isSubject(words: readonly Word[], at: number): boolean {
  const lead = wordBefore(words, at);
  const { base } = words[at]!;
  const after = following(words, at);
  if (!WORDS.auxiliaries.has(lead) || WORDS.subjectPronouns.has(base)) return false;
  if (/^(does|did)$/.test(lead) && words[at - 2]?.lower === "what" && after(1) === "do") return true;
  if (WORDS.goVerbs.has(after(1))) return /^(up|down|higher|lower|sideways)$/.test(after(2));
  return WORDS.movementWords.has(after(1)) && base !== "IT";
}

/** Returns true for the position of X at the end of `what about X`, `thoughts on X`, `should I buy X` or `sell my X`. */
export function isAskedAbout(words: readonly Word[], at: number): boolean {
  const next = nextWord(words, at + 1);
  if (next !== "" && !WORDS.questionEnds.has(next)) return false;
  const lead = wordBefore(words, at);
  const what = wordBefore(words, at - 1);
  if (lead === "my") return WORDS.requestedTradeVerbs.has(what);
  return WORDS.requestedTradeVerbs.has(lead)
    ? WORDS.requestWords.has(what)
    : WORDS.askedLeads.has(`${what}-${lead}`);
}

/** Returns a function that returns a later word; empty if anything but space is in between. */
const following = (words: readonly Word[], at: number) => (ahead: number) => {
  for (let i = at + 1; i <= at + ahead; i++) if (!isAdjacent(words[i])) return "";
  return words[at + ahead]!.lower;
};
