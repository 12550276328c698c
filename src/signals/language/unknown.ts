import type { Setting } from "./mentions.ts";
import { ACRONYMS } from "./ordinary.ts";
import { goesOn, isNext } from "./span.ts";
import { ABSENT, CAPITAL_WORDS, ELSEWHERE, FOREIGN, FUNCTION, LEAD, MARKET, TALK, TRADED } from "./talk.ts";
import type { Word } from "./words.ts";

const PAIR = /^[A-Za-z0-9]{2,10}[-/_]USD[TC]?$|^[A-Z0-9]{2,10}USD[TC]$/;
const MONEY = /^(EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|XAU|XAG|USD|US)/i;
const KEY = /[=:]["'[({\s]{0,4}$/;
const FIELD = /^(symbols?|tickers?|sym|coin|asset|instrument)$/;
const ASKED = /^(of|on|for|about|in)$/;
const ASKS =
  /^(signals?|chart|shares?|stock|make|think|outlook|analysis|verdict|earnings|news|price|quote|word|opinion|view|calls|puts|tell)$/;

/** How an unknown name is read: as meaning an instrument, as one beside another that is known, or as none. */
export interface Unknown {
  readonly length: number;
  readonly doubt: "meant" | "beside";
}

/** Whether words that nothing here is called mean an instrument: `GME stock`, `symbol=ZZZQ`, `Nestlé` beside a known one. */
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
  const isField = FIELD.test(words[at - 1]?.lower ?? "") && KEY.test(word.gap);
  if (/^[A-Z]{2,5}$/.test(base)) {
    if (ACRONYMS.has(base) || CAPITAL_WORDS.has(base) || word.everyday || symbols.find(base) !== null)
      return null;
    const next = isNext(words[at + 1]) ? words[at + 1]!.lower : "";
    const asked = ASKED.test(lead) && ASKS.test(words[at - 2]?.lower ?? "");
    if (isField || words.length === 1) return { length: 1, doubt: "meant" };
    if (!small) return null;
    const isMeant = TRADED.has(next) || TALK.has(next) || LEAD.has(lead) || asked || lead === "about";
    return { length: 1, doubt: isMeant ? "meant" : "beside" };
  }
  const after = isNext(words[at + 1]) ? words[at + 1]!.lower : "";
  if (FOREIGN.has(base.toLowerCase()))
    return {
      length: 1,
      doubt:
        TALK.has(after) || (ASKED.test(lead) && ASKS.test(words[at - 2]?.lower ?? "")) ? "meant" : "beside",
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
  const asked = ASKED.test(lead) && ASKS.test(words[at - 2]?.lower ?? "");
  const isCompany = /^(stock|share|shares|coin|token)$/.test(next) || (asked && next === "");
  return { length, doubt: isCompany ? "meant" : "beside" };
}

const JUDGES = /^(is|was|are|would)$/;
const VERB = /^(buy|sell|short|purchase|buying|selling|shorting)$/;
const ASKER = /^(i|we|to|please|you|worth|about|consider|now|just|can|go|should)$/;
const END = /^(now|today|tomorrow|right|here|stock|shares|coin|token|or|before|yet|rn|asap|immediately)$/;
const QUALITY = /^(good|great|bad|strong|solid|decent|smart|safe|nice|better|best|worthwhile|wise)$/;
const TRADE = /^(buy|sell|short|long|hold|investment|bet|stock|pick|trade|play)$/;
/** What stands where a name might, and is none. */
const NO_NAME =
  /^(something|anything|everything|nothing|someone|crypto|cryptos|cryptocurrency|bonds?|insurance|house|houses|property|estate|commodities|treasuries|forex|leaps?|spreads?|strangles?|straddles?|condors?|contracts?|futures|derivatives|these|those|yours|mine|ours|myself|itself|waiting|there|here|later|soon|again|because|before|during|might|never|always|really|anyone|everyone|people|others?|both|neither|either|half|quickly|immediately|aggressively|calls?|puts?|premium|volatility|weakness|strength|order|orders|signals?)$/;

/** A word in the place of what is traded: `is xyzcorp a good buy`, `buy EVILCOIN now`, `xyzcorp vs apple`. */
function soughtAt(words: readonly Word[], at: number): Unknown["doubt"] | null {
  const word = words[at]!;
  const name = word.base.toLowerCase();
  if (word.everyday || !/^[\p{L}][\p{L}\p{N}]{2,19}$/u.test(word.base) || NO_NAME.test(name)) return null;
  if (FUNCTION.has(name) || MARKET.has(name) || TALK.has(name) || LEAD.has(name) || TRADED.has(name))
    return null;
  if (ACRONYMS.has(word.base) || CAPITAL_WORDS.has(word.base.toUpperCase()) || ELSEWHERE.has(name))
    return null;
  const lead = goesOn(word) ? (words[at - 1]?.lower ?? "") : "";
  const after = (ahead: number) => (isNext(words[at + ahead]) ? words[at + ahead]!.lower : "");
  if (JUDGES.test(lead) && /^an?$/.test(after(1)))
    return TRADE.test(after(2)) || (QUALITY.test(after(2)) && TRADE.test(after(3))) ? "meant" : null;
  if (JUDGES.test(lead) && after(1) === "worth" && VERB.test(after(2))) return "meant";
  const asked = at === 1 || ASKER.test(words[at - 2]?.lower ?? "");
  if (VERB.test(lead) && asked && (after(1) === "" || END.test(after(1)))) return "meant";
  const rival = /^(vs|versus)$/;
  return rival.test(lead) || rival.test(after(1)) ? "beside" : null;
}

/** A name's capital, of a word that is no other. */
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
