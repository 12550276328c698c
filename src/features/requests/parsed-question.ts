import type { QuestionIntent } from "../../domain/requests/interpretation.ts";
import { MAX_SYMBOLS } from "../../domain/requests/task.ts";
import { definitionsIn } from "./define.ts";
import { namedWithOdds } from "./details/odds.ts";
import { pastIn, unusableDayIn } from "./details/past.ts";
import { priceOddsIn } from "./details/price-odds.ts";
import { intentWithTopics, type Topics } from "./details/topics.ts";
import type { ParsedQuery } from "./language/read-query.ts";
import type { ParsedQuestion } from "./skill-calls.ts";

/** Intents that can be answered for a past day. */
const WITH_PAST: ReadonlySet<QuestionIntent> = new Set(["signal", "compare"]);

/** Parses the details of a question whose intent and names are known. */
export function parsedQuestionOf(
  query: string,
  { reading, topics }: { readonly reading: ParsedQuery; readonly topics: Topics },
  now: Date,
) {
  const mentions = reading.mentions.slice(0, MAX_SYMBOLS);
  const priceOdds = priceOddsIn(query, mentions);
  const intent = intentWithTopics(reading.intent, topics, priceOdds?.topic ?? null);
  const definitions = intent === "definition" ? definitionsIn(query) : null;
  const past = pastIn(query, now, intent);
  const parsed: ParsedQuestion = {
    query,
    now,
    mentions,
    intent,
    definitions,
    isDefined: definitions?.exact ?? false,
    timeframe: reading.timeframe,
    symbols: mentions.map(({ instrument }) => instrument.symbol),
    unresolved: reading.unresolved,
    topics,
    oddsOn: namedWithOdds(query, mentions).map(({ instrument }) => instrument.symbol),
    priceOdds,
    excluded: reading.excluded.map(({ instrument }) => instrument.symbol),
    past,
    asOf: WITH_PAST.has(intent) ? (past?.day ?? null) : null,
  };
  const isOfNow = past === null && priceOdds === null && topics.odds === null;
  return {
    parsed,
    /** First named day that is after today or not on the calendar; null for none, or if a day does not matter. */
    unusableDay: isOfNow && WITH_PAST.has(intent) && mentions.length > 0 ? unusableDayIn(query, now) : null,
  };
}
