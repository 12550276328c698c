import { when } from "./sentences.ts";
import {
  callsOf,
  maxOtherCalls,
  type ParsedQuestion,
  requestsData,
  type SkillCall,
  TRADING_HOURS,
} from "./skill-calls.ts";

const COMPARES = /\bcompar(e|es|ed|ing|ison)\b/i;
/** Matches a request for a list that follows another request. */
const LIST_TOO =
  /(?:\b(?:and|then|also|plus)\b|[,;?!&.])\s*(?:(?:what|what's|whats|are|is|the|show|me|list|give|tell|also|then|find|scan|for|your|us|and|a|of|my|top|\d+|three|five|ten) ){0,5}(?:top|best|strongest|weakest|worst|hottest|highest|lowest)(?: \S+){0,2} (?:stocks|shares|coins|cryptos?|tokens|etfs|funds|banks|names|companies|picks|setups|buys)\b|(?:\b(?:and|then|also|plus)\b|[,;?!&.])\s*(?:\S+ ){0,3}(?:top|best|strongest|weakest|worst|hottest) crypto\w*\b/i;

/**
 * Plans the calls besides the signals: `extra` first, then those of the intent that are wanted, then those of other
 * intents that the question combines with it.
 */
export function planOf(
  parsed: ParsedQuestion,
  request: { readonly extra: readonly SkillCall[]; readonly isWanted: (call: SkillCall) => boolean },
) {
  const { extra, isWanted } = request;
  const { intent, symbols, topics } = parsed;
  const isCombinable = requestsData(intent);
  const hasSymbols = symbols.length > 0;
  // for an odds question `callsOf` returns no flow calls, so flow topics other than Congress are added here
  const isOddsFirst = topics.odds !== null && topics.flow.some((topic) => topic !== "congress");
  const also = topics.also
    .filter((other) => isCombinable && (other !== intent || isOddsFirst))
    .map((other) => ({
      intent: other,
      calls: callsOf({ ...parsed, intent: other, topics: { ...topics, odds: null } }),
    }));
  const all = [
    ...extra,
    ...callsOf(parsed).filter(isWanted),
    ...(topics.odds !== null && hasSymbols && isCombinable ? callsOf({ ...parsed, intent: "signal" }) : []),
    ...(topics.hours && hasSymbols && isCombinable ? [TRADING_HOURS] : []),
    ...also.flatMap(({ calls }) => calls),
  ];
  const ordered = all.filter((call, i) => all.findIndex((one) => keyOf(one) === keyOf(call)) === i);
  const calls = ordered.slice(0, maxOtherCalls(symbols.length));
  const has = (call: SkillCall) => calls.some((one) => keyOf(one) === keyOf(call));
  return {
    calls,
    /** Number of calls left out because the answer would be too long. */
    omitted: ordered.length - calls.length,
    /** Further requests of the question that no call answers. */
    unanswered: [
      ...also.filter((other) => !other.calls.every(has)).map((other) => other.intent),
      ...(isCombinable ? otherRequests(parsed, calls) : []),
    ],
  };
}

const keyOf = ({ skill, symbol }: SkillCall): string => `${skill} ${symbol}`;

/** Returns the requests for odds, a list or a comparison that no call answers. */
function otherRequests(
  { query, intent, isDefined, symbols, topics, priceOdds }: ParsedQuestion,
  calls: readonly SkillCall[],
): readonly string[] {
  const has = (name: string) => calls.some(({ skill }) => skill === name);
  const hasOdds = has("get_prediction_markets") || has("get_odds");
  const lacksComparison = !["signal", "compare", "scan", "portfolio"].includes(intent);
  return [
    ...when(topics.odds !== null && !isDefined && !hasOdds, "odds of prediction markets"),
    ...when(priceOdds !== null && !has("get_odds"), "odds of prices"),
    ...when(symbols.length > 0 && LIST_TOO.test(query), "a list of the market"),
    ...when(symbols.length > 1 && lacksComparison && COMPARES.test(query), "a comparison"),
  ];
}
