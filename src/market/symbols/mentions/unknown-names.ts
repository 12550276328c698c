import type { Setting } from "./mentions.ts";
import { goesOn, isNext } from "./span.ts";
import { ENDS, isAskedOf, isNewsOf, soughtAt } from "./unknown-subjects.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

const ACRONYMS = WORDS.acronyms;
const ABSENT = WORDS.absentIndexes;
const CAPITAL_WORDS = WORDS.capitalWords;
const ELSEWHERE = WORDS.neverInstruments;
const FOREIGN = WORDS.unlistedCompanies;
const FUNCTION = WORDS.functionWords;
const LEAD = WORDS.tickerLeads;
const MARKET = WORDS.marketWords;
const TALK = WORDS.talk;
const TRADED = WORDS.tradedNouns;

const PAIR = /^[A-Za-z0-9]{2,10}[-/_]USD[TC]?$|^[A-Z0-9]{2,10}USD[TC]$/;
const MONEY = /^(EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|XAU|XAG|USD|US)/i;
const KEY = /[=:]["'[({\s]{0,4}$/;
const FIELD = WORDS.fieldNames;

/** An unknown name; `beside` counts only next to a known instrument. */
export interface Unknown {
  readonly length: number;
  readonly doubt: "meant" | "beside";
}

/** Returns an unknown name that means an instrument, else null: `GME stock`, `symbol=ZZZQ`, `Nestlé` beside a known one. */
export function unknownAt(words: readonly Word[], at: number, { small, symbols }: Setting): Unknown | null {
  const word = words[at]!;
  const { base, lower } = word;
  if (!word.naming || base.length > 30) return null;
  if (ABSENT.has(lower) || ABSENT.has(base.toLowerCase())) return { length: 1, doubt: "meant" };
  if (PAIR.test(base))
    return MONEY.test(base) || symbols.find(base) !== null ? null : { length: 1, doubt: "meant" };
  const sought = soughtAt(words, at);
  if (sought !== null) return { length: 1, doubt: sought };
  const before = goesOn(word) ? words[at - 1] : undefined;
  const lead = before?.lower ?? "";
  const isField = FIELD.has(words[at - 1]?.lower ?? "") && KEY.test(word.gap);
  if (/^[A-Z]{2,5}$/.test(base)) {
    if (ACRONYMS.has(base) || CAPITAL_WORDS.has(base) || word.everyday || symbols.find(base) !== null)
      return null;
    const next = isNext(words[at + 1]) ? words[at + 1]!.lower : "";
    const asked = isAskedOf(words, at);
    if (isField || words.length === 1) return { length: 1, doubt: "meant" };
    if (!small) return null;
    const isMeant = TRADED.has(next) || TALK.has(next) || LEAD.has(lead) || asked || lead === "about";
    return { length: 1, doubt: isMeant ? "meant" : "beside" };
  }
  const after = isNext(words[at + 1]) ? words[at + 1]!.lower : "";
  if (FOREIGN.has(base.toLowerCase()))
    return {
      length: 1,
      doubt: TALK.has(after) || isAskedOf(words, at) ? "meant" : "beside",
    };
  if (/^[b-df-hj-np-tv-z]{3,5}$/.test(base) && /^(stock|ticker)$/.test(after) && !word.everyday)
    return { length: 1, doubt: "meant" };
  if (isField && /^[A-Za-z]{1,6}$/.test(base))
    return FUNCTION.has(lower) ? null : { length: 1, doubt: "meant" };
  if (!isTitle(word) || !small) return null;
  let length = 1;
  while (length < 3 && isNext(words[at + length]) && isTitle(words[at + length]!)) length++;
  const next = isNext(words[at + length]) ? words[at + length]!.lower : "";
  if (word.opens && length === 1 && !TRADED.has(next)) return null;
  const isCompany =
    /^(stock|share|shares|coin|token)$/.test(next) ||
    (isAskedOf(words, at) && (next === "" || ENDS.has(next))) ||
    isNewsOf(words, at, length);
  return { length, doubt: isCompany ? "meant" : "beside" };
}

/** Returns true for a capitalised word that is not a common one. */
function isTitle({ base, everyday }: Word): boolean {
  const lower = base.toLowerCase();
  if (everyday || base.length < 3 || !/^\p{Lu}[\p{L}\p{M}\p{N}'’&.-]*$/u.test(base) || !/\p{Ll}/u.test(base))
    return false;
  return !(
    ELSEWHERE.has(lower) ||
    FUNCTION.has(lower) ||
    MARKET.has(lower) ||
    TALK.has(lower) ||
    LEAD.has(lower)
  );
}
