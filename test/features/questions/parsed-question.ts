import type { QuestionIntent } from "../../../src/domain/questions/interpretation.ts";
import { topicsOf } from "../../../src/features/questions/details/topics.ts";
import type { ParsedQuestion } from "../../../src/features/questions/skill-calls.ts";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";

/** Directory of the sample market. */
export const symbols = createDirectory({ members: LISTINGS.map(({ instrument }) => instrument) });

/** A parsed question about the present. */
export const parsedQuestion = (
  intent: QuestionIntent,
  query: string,
  more: Partial<ParsedQuestion> = {},
): ParsedQuestion => ({
  intent,
  isDefined: false,
  timeframe: null,
  symbols: [],
  unresolved: [],
  topics: topicsOf(query),
  oddsOn: more.symbols ?? [],
  priceOdds: null,
  excluded: [],
  asOf: null,
  ...more,
});
