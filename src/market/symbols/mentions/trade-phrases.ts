import { isNext, wordBefore } from "./span.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** Returns true in the position of a judged instrument: `is X a good buy`, `are X worth buying`. */
export function isJudged(words: readonly Word[], at: number, length = 1): boolean {
  const lead = wordBefore(words, at);
  const after = following(words, at + length - 1);
  if (!WORDS.judgementLeads.has(lead)) return false;
  if (after(1) === "worth" && WORDS.tradeVerbs.has(after(2))) return true;
  return (
    /^an?$/.test(after(1)) &&
    (WORDS.tradeNouns.has(after(2)) || (WORDS.qualities.has(after(2)) && WORDS.tradeNouns.has(after(3))))
  );
}

/** Returns true in the position of a subject: `how is X doing`, `what does X do`, `is X going up`. */
export function isSubject(words: readonly Word[], at: number): boolean {
  const lead = wordBefore(words, at);
  const { base } = words[at]!;
  const after = following(words, at);
  if (!WORDS.auxiliaries.has(lead) || WORDS.subjectPronouns.has(base)) return false;
  if (/^(does|did)$/.test(lead) && words[at - 2]?.lower === "what" && after(1) === "do") return true;
  if (WORDS.goVerbs.has(after(1))) return /^(up|down|higher|lower|sideways)$/.test(after(2));
  return WORDS.movementWords.has(after(1)) && base !== "IT";
}

/** Returns a later word if only space is between, else an empty string. */
const following = (words: readonly Word[], at: number) => (ahead: number) => {
  for (let i = at + 1; i <= at + ahead; i++) if (!isNext(words[i])) return "";
  return words[at + ahead]!.lower;
};
