import { goesOn, isNext } from "./span.ts";
import type { Word } from "./words.ts";

const JUDGES = /^(is|was|are|would)$/;
const QUALITY = /^(good|great|bad|strong|solid|decent|smart|safe|nice|better|best|worthwhile|wise)$/;
const TRADE = /^(buy|sell|short|long|hold|investment|bet|stock|pick|trade|play)$/;
const VERB = /^(buy|sell|short|purchase|buying|selling|shorting)$/;
const DOES = /^(is|are|was|were|will|does|did|would|has)$/;
const MOVES =
  /^(doing|trading|looking|moving|performing|holding|up|down|rising|falling|rallying|crashing|overvalued|undervalued|overbought|oversold)$/;
const GOES = /^(go|going|gone)$/;
/** What capitals in the place of a subject say loudly. */
const SUBJECT = /^(YOU|WE|HE|SHE|THEY|I|THIS|THAT|THE|ALL|ANY|SOME|MY|EVERY|ONE|THERE|WHO|WHAT|NOW)$/;

/** Whether words stand where what is traded is judged: `is X a good buy`, `are X worth buying`. */
export function isJudged(words: readonly Word[], at: number, length = 1): boolean {
  const lead = goesOn(words[at]) ? (words[at - 1]?.lower ?? "") : "";
  const after = following(words, at + length - 1);
  if (!JUDGES.test(lead)) return false;
  if (after(1) === "worth" && VERB.test(after(2))) return true;
  return /^an?$/.test(after(1)) && (TRADE.test(after(2)) || (QUALITY.test(after(2)) && TRADE.test(after(3))));
}

/** Whether capitals stand where something traded is the subject: `how is X doing`, `what does X do`, `is X going up`. */
export function isSubject(words: readonly Word[], at: number): boolean {
  const lead = goesOn(words[at]) ? (words[at - 1]?.lower ?? "") : "";
  const { base } = words[at]!;
  const after = following(words, at);
  if (!DOES.test(lead) || SUBJECT.test(base)) return false;
  if (/^(does|did)$/.test(lead) && words[at - 2]?.lower === "what" && after(1) === "do") return true;
  if (GOES.test(after(1))) return /^(up|down|higher|lower|sideways)$/.test(after(2));
  return MOVES.test(after(1)) && base !== "IT";
}

/** The word so many places on, where nothing but space is between; empty where there is none. */
const following = (words: readonly Word[], at: number) => (ahead: number) => {
  for (let i = at + 1; i <= at + ahead; i++) if (!isNext(words[i])) return "";
  return words[at + ahead]!.lower;
};
