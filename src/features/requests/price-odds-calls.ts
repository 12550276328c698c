import { MAX_HORIZON } from "../../analytics/odds/paths.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import { horizonIn, type QuestionHorizon } from "./details/horizon.ts";
import { when } from "./sentences.ts";
import type { ParsedQuestion, SkillCall } from "./skill-calls.ts";

/** Odds are computed for at most 3 symbols. */
const MAX_SYMBOLS = 3;
/** Maximum number of levels of one symbol. */
const MAX_LEVELS = 6;
/** Default horizon of get_odds, in bars. */
const DEFAULT_HORIZON = 20;

/** Returns the get_odds calls of a question, with notes on what they do not cover. */
export function priceOddsCalls({
  priceOdds,
  timeframe,
  asOf,
  now,
}: Pick<ParsedQuestion, "priceOdds" | "timeframe" | "asOf" | "now">): {
  readonly calls: readonly SkillCall[];
  readonly notes: readonly string[];
} {
  if (priceOdds === null || priceOdds.symbols.length > MAX_SYMBOLS) return { calls: [], notes: [] };
  const { topic, symbols, isAtEnd, isUntouched, timeText } = priceOdds;
  const planned = symbols.map(({ mention: { instrument }, levels, plan }) => {
    const { symbol, asset_class: assetClass } = instrument;
    const horizon = horizonIn(timeText, { assetClass, timeframe, now, isPast: asOf !== null });
    const input = {
      symbol,
      ...barsOf(horizon, timeframe),
      ...(levels.length > 0 && { levels: levels.slice(0, MAX_LEVELS) }),
      ...plan,
      ...(asOf !== null && { as_of: asOf }),
    };
    return { horizon, call: { skill: "get_odds", symbol, input, part: topic } as const };
  });
  const some = (is: (horizon: QuestionHorizon) => boolean) => planned.some(({ horizon }) => is(horizon));
  return {
    calls: planned.map(({ call }) => call),
    notes: [
      ...when(
        some(({ exceedsMax }) => exceedsMax),
        `The question asks for more than ${MAX_HORIZON} bars ahead; get_odds covers at most ${MAX_HORIZON}, so its odds are for ${MAX_HORIZON} bars`,
      ),
      ...when(
        some(({ isNotUnderstood }) => isNotUnderstood),
        `The time of the question was not understood; the odds are for the next ${DEFAULT_HORIZON} bars`,
      ),
      ...when(
        some(({ isOver }) => isOver),
        "No bar closes before the end of the question's time; the odds are for the next bar",
      ),
      ...when(
        isUntouched,
        "Odds of touching a level do not say whether the price stays on one side of it; this is the range of the close",
      ),
      ...when(
        symbols.some(({ levels }) => levels.length > MAX_LEVELS),
        `The question names more than ${MAX_LEVELS} levels of a symbol; the odds are of the first ${MAX_LEVELS}`,
      ),
      ...when(
        isAtEnd,
        "The odds are of touching a level at any time within these bars, not of a close beyond it",
      ),
    ],
  };
}

/** Returns the fields of get_odds for a horizon and a bar length; without them it uses its defaults. */
function barsOf(horizon: QuestionHorizon, timeframe: Timeframe | null) {
  const length = horizon.timeframe ?? timeframe;
  return {
    ...(length !== null && { timeframe: length }),
    ...(horizon.bars !== null && { horizon: horizon.bars }),
  };
}
