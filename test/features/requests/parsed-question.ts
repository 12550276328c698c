import { readRequestModels } from "../../../src/app/request-model.ts";
import type { Symbols } from "../../../src/domain/ports.ts";
import type { QuestionIntent } from "../../../src/domain/requests/interpretation.ts";
import { topicsOf } from "../../../src/features/requests/details/topics.ts";
import type { IntentClassifier } from "../../../src/features/requests/language/intent.ts";
import { readQuery } from "../../../src/features/requests/language/read-query.ts";
import { likeliestOf } from "../../../src/features/requests/model/model.ts";
import type { ParsedQuestion } from "../../../src/features/requests/skill-calls.ts";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";

/** Directory of the sample market. */
export const symbols = createDirectory({ members: LISTINGS.map(({ instrument }) => instrument) });

const classify = likeliestOf(readRequestModels().intents) as IntentClassifier;
/** Parses a question with the classifier of the last build. */
export const readQuestion = (query: string, market: Symbols = symbols) => readQuery(query, market, classify);

/** A parsed question about the present. */
export const parsedQuestion = (
  intent: QuestionIntent,
  query: string,
  more: Partial<ParsedQuestion> = {},
): ParsedQuestion => ({
  query,
  now: new Date("2026-11-20T15:00:00Z"),
  mentions: [],
  intent,
  definitions: null,
  isDefined: false,
  timeframe: null,
  symbols: [],
  unresolved: [],
  topics: topicsOf(query),
  oddsOn: more.symbols ?? [],
  priceOdds: null,
  excluded: [],
  past: null,
  asOf: null,
  ...more,
});
