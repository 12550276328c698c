import { isJudged } from "./judged.ts";
import { ACRONYMS } from "./ordinary.ts";
import { goesOn, isNext } from "./span.ts";
import { CAPITAL_WORDS, ELSEWHERE, FUNCTION, LEAD, MARKET, TALK, TRADED } from "./talk.ts";
import type { Word } from "./words.ts";

const OF = /^(of|on|for|about|in|at)$/;
/** What is asked of something traded: `the price of X`. */
const ASKED =
  /^(signals?|chart|shares?|stock|make|think|outlook|analysis|verdict|price|quote|word|opinion|view|tell|position|sentiment|ratings?)$/;
/** What the whole market has too, so that a name missed in `prints in X` would be answered with all of it. */
const FLOWS =
  /^(prints?|activity|flows?|interest|options|calls|puts|sweeps?|blocks?|trades?|volume|earnings|eps|results|report|guidance|news|headlines|buying|selling|insiders?|filings?|bets|positioning)$/;
const NEWS =
  /^(news|headlines|earnings|eps|results|guidance|options|flow|calls|puts|dark|darkpool|congress)$/;
/** What ends a question after a name. */
export const ENDS =
  /^(now|today|tomorrow|yesterday|right|here|stock|shares|coin|token|and|or|before|yet|rn|asap|immediately|lately|recently|please|this|last|next)$/;
const VERB = /^(buy|sell|short|purchase|buying|selling|shorting)$/;
const ASKER = /^(i|we|to|please|you|worth|about|consider|now|just|can|go|should)$/;
const TRADES =
  /^(buy|sell|buying|selling|bought|sold|purchased?|trade|trades|trading|traded|own|owns|hold|holds|dump|dumped|dumping)$/;
const TRADERS =
  /^(congress|congressm[ae]n|senate|senators?|house|representatives?|politicians?|lawmakers?|members?|democrats?|republicans?|pelosi|whales?|insiders?|institutions?|funds?|anyone|anybody|somebody|who)$/;
const REPORTS =
  /^(report|reports|reported|reporting|announce|announces|beat|beats|miss|missed|post|posted|guide|guided)$/;
const REPORTING = /^(does|do|did|has|will|is|was|would|when)$/;
/** What stands where a name might, and is none. */
const NO_NAME =
  /^(something|anything|everything|nothing|someone|somebody|anybody|crypto|cryptos|cryptocurrency|bonds?|insurance|house|houses|property|estate|commodities|treasuries|forex|leaps?|spreads?|strangles?|straddles?|condors?|contracts?|futures|derivatives|these|those|yours|mine|ours|myself|itself|waiting|there|here|later|soon|again|because|before|during|after|since|might|never|always|really|anyone|everyone|everybody|nobody|people|others?|both|neither|either|half|quickly|immediately|aggressively|calls?|puts?|premium|volatility|weakness|strength|order|orders|signals?|today|tonight|tomorrow|yesterday|together|whom|whose|themselves|companies|names|energy|healthcare|biotech|pharma|defense|retail|semis)$/;
/** Endings that many a small word has and few a name. */
const WORDLIKE =
  /(ing|ed|est|al|ic|ive|ous|ish|y|ent|ant|ance|ence|ness|ion|ism|age|ure|able|ible|er|or|ar|le|ne|re|se|ch|sh|th|ge|te|ht|[^s]s)$/;
/** Small words of other endings that describe what is asked, or are of whole markets. */
const NO_SMALL =
  /^(month|quarter|season|weekend|noon|midday|income|margin|money|crude|retail|pharma|fintech|semis|index|market|premarket|whole|max|min|net|odd|weird|gross|whale|call|put|total|actual|major|huge|stock|term|firm|fund|block|group|growth|value|wall|street|fed|ipo|etf|etfs|europe|recap|dark|pool|congress|average|spot|zero|dte|otm|itm|weekly|beat|win|expert|analyst|result|consensus|fiscal|mega|small|micro|large|mid|cap|multi|inverse|both|each|another)$/;

/** Whether a figure, news or an opinion is asked of the word at a place: `signal on X`, `prints in X`. */
export function isAskedOf(words: readonly Word[], at: number): boolean {
  const what = words[at - 2]?.lower ?? "";
  return goesOn(words[at]) && OF.test(words[at - 1]?.lower ?? "") && (ASKED.test(what) || FLOWS.test(what));
}

/** Whether a name written large has news or figures after it in small letters: `and Zorbex news`. */
export function isNewsOf(words: readonly Word[], at: number, length: number): boolean {
  const next = words[at + length];
  const before = words[at - 1]?.text ?? "";
  return isNext(next) && NEWS.test(next.text) && !/^\p{Lu}/u.test(before);
}

/** A word in the place of what is traded: `is xyzcorp a good buy`, `buy EVILCOIN now`, `prints in zorbex`, `xyzcorp vs apple`. */
export function soughtAt(words: readonly Word[], at: number): "meant" | "beside" | null {
  const word = words[at]!;
  const name = word.base.toLowerCase();
  if (word.everyday || !/^[\p{L}][\p{L}\p{N}]{2,19}$/u.test(word.base) || NO_NAME.test(name)) return null;
  if (FUNCTION.has(name) || MARKET.has(name) || TALK.has(name) || LEAD.has(name) || TRADED.has(name))
    return null;
  if (ACRONYMS.has(word.base) || CAPITAL_WORDS.has(word.base.toUpperCase()) || ELSEWHERE.has(name))
    return null;
  const lead = goesOn(word) ? (words[at - 1]?.lower ?? "") : "";
  const next = isNext(words[at + 1]) ? words[at + 1]!.lower : "";
  const ends = next === "" || ENDS.test(next);
  if (isJudged(words, at)) return "meant";
  if (VERB.test(lead) && (at === 1 || ASKER.test(words[at - 2]?.lower ?? "")) && ends) return "meant";
  if (isLikeAName(word) && isOfTrade(words, at, lead, next, ends)) return "meant";
  const rival = /^(vs|versus)$/;
  return rival.test(lead) || rival.test(next) ? "beside" : null;
}

/** Whether it is what a question is asked of that the whole market could be asked too. */
function isOfTrade(words: readonly Word[], at: number, lead: string, next: string, ends: boolean): boolean {
  const asked = FLOWS.test(words[at - 2]?.lower ?? "") && isAskedOf(words, at);
  const some = /^(any|some|more)$/.test(lead) ? 1 : 0;
  const traded =
    TRADES.test(words[at - 1 - some]?.lower ?? "") && TRADERS.test(words[at - 2 - some]?.lower ?? "");
  const reports = REPORTING.test(lead) && REPORTS.test(next);
  return reports || (ends && (asked || traded)) || (at === 0 && NEWS.test(next));
}

/** Whether a word may be a name: small letters, and a sentence's first word, only if no word of talk looks so. */
function isLikeAName({ base, opens }: Word): boolean {
  const small = /^\p{Ll}/u.test(base) || opens;
  const name = base.toLowerCase();
  return !small || !(WORDLIKE.test(name) || NO_SMALL.test(name));
}
