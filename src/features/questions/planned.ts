import type { Intent } from "../../domain/questions/interpretation.ts";
import { type Ask, asksOf, roomFor, type Understood } from "./asks.ts";
import { LONGEST_READ } from "./language/longest-read.ts";

/** What is asked besides the signals and fits, the question itself before what else it asks; and what of that is not answered, in words of ours. */
export function plannedOf(
  understood: Understood,
  {
    symbols,
    asked,
    instead,
    query,
  }: {
    readonly symbols: number;
    readonly asked: readonly Ask[];
    readonly instead: boolean;
    readonly query: string;
  },
): {
  readonly besides: readonly Ask[];
  readonly wanted: readonly Ask[];
  readonly unanswered: readonly string[];
} {
  const { topics } = understood;
  // in flow the odds come in the place of trades, which are asked for too where more than Congress is named
  const isOfOddsFirst = topics.odds !== null && topics.flow.some((topic) => topic !== "congress");
  const first = [...asked, ...(instead ? [] : asksOf(understood))];
  const also = topics.also
    .filter((intent) => ASIDE.has(understood.intent) && (intent !== understood.intent || isOfOddsFirst))
    .map((intent) => ({
      intent,
      asks: asksOf({ ...understood, intent, topics: { ...topics, odds: null } }),
    }));
  const odds =
    topics.odds !== null && symbols > 0 && ASIDE.has(understood.intent)
      ? asksOf({ ...understood, intent: "signal" })
      : [];
  const hours: readonly Ask[] =
    topics.hours && symbols > 0 && ASIDE.has(understood.intent)
      ? [{ skill: "get_calendar", symbol: null, input: { limit: 1 }, side: "hours" }]
      : [];
  const seen = new Set<string>();
  const all = [...first, ...odds, ...hours, ...also.flatMap(({ asks }) => asks)].filter((ask) => {
    const key = `${ask.skill} ${ask.symbol}`;
    return !seen.has(key) && seen.add(key);
  });
  const wanted = all.slice(0, roomFor(symbols));
  const unanswered = also
    .filter(({ asks }) =>
      asks.some(({ skill, symbol }) => !wanted.some((one) => one.skill === skill && one.symbol === symbol)),
    )
    .map(({ intent }) => intent);
  return { besides: all, wanted, unanswered: [...unanswered, ...elseIn(query, understood, wanted)] };
}

const COMPARES = /\bcompar(e|es|ed|ing|ison)\b/i;
/** A list that is asked for after something else. */
const LIST_TOO =
  /(?:\b(?:and|then|also|plus)\b|[,;?!&.])\s*(?:(?:what|what's|whats|are|is|the|show|me|list|give|tell|also|then|find|scan|for|your|us|and|a|of|my|top|\d+|three|five|ten) ){0,5}(?:top|best|strongest|weakest|worst|hottest|highest|lowest)(?: \S+){0,2} (?:stocks|shares|coins|cryptos?|tokens|etfs|funds|banks|names|companies|picks|setups|buys)\b|(?:\b(?:and|then|also|plus)\b|[,;?!&.])\s*(?:\S+ ){0,3}(?:top|best|strongest|weakest|worst|hottest) crypto\w*\b/i;

/** What is asked besides and no tool is asked for: odds, a list, a comparison. */
function elseIn(
  query: string,
  { intent, isDefined, symbols, topics }: Understood,
  wanted: readonly Ask[],
): readonly string[] {
  if (!ASIDE.has(intent)) return [];
  const has = (skill: Ask["skill"]) => wanted.some((one) => one.skill === skill);
  const text = query.slice(0, LONGEST_READ);
  return [
    ...(topics.odds !== null && !isDefined && !has("get_prediction_markets")
      ? ["odds of prediction markets"]
      : []),
    ...(symbols.length > 0 && LIST_TOO.test(text) ? ["a list of the market"] : []),
    ...(symbols.length > 1 &&
    COMPARES.test(text) &&
    (intent === "news" || intent === "earnings" || intent === "flow")
      ? ["a comparison"]
      : []),
  ];
}

/** Whether news or flow is only how a question sounds that asks for something else by name. */
export const isOnlySaid = ({ intent, topics }: Understood): boolean =>
  (intent === "news" || (intent === "flow" && topics.flow.length === 0)) && !topics.also.includes(intent);

/** Intents beside which another is asked for in the same words. */
const ASIDE: ReadonlySet<Intent> = new Set([
  "signal",
  "compare",
  "news",
  "earnings",
  "flow",
  "portfolio",
  "scan",
]);
