import type { Timeframe } from "../../domain/market/bars.ts";
import { type Horizon, horizonIn } from "./details/horizon.ts";
import { when } from "./sentences.ts";
import type { ParsedQuestion, SkillCall } from "./skill-calls.ts";

/** Odds are computed for at most 3 symbols. */
const MAX_SYMBOLS = 3;

/** Returns the get_odds calls of a question, with notes on what they do not cover. */
export function oddsCalls(
  { priceOdds, timeframe, asOf }: Pick<ParsedQuestion, "priceOdds" | "timeframe" | "asOf">,
  now: Date,
): { readonly calls: readonly SkillCall[]; readonly notes: readonly string[] } {
  if (priceOdds === null || priceOdds.symbols.length > MAX_SYMBOLS) return { calls: [], notes: [] };
  const { part, symbols, isAtEnd, timeText } = priceOdds;
  const planned = symbols.map(({ mention: { instrument }, levels, plan }) => {
    const { symbol, asset_class: assetClass } = instrument;
    const horizon = horizonIn(timeText, { assetClass, timeframe, now, isPast: asOf !== null });
    const input = {
      symbol,
      ...barsOf(horizon, timeframe),
      ...(levels.length > 0 && { levels }),
      ...plan,
      ...(asOf !== null && { as_of: asOf }),
    };
    return { horizon, call: { skill: "get_odds", symbol, input, part } as const };
  });
  const some = (is: (horizon: Horizon) => boolean) => planned.some(({ horizon }) => is(horizon));
  return {
    calls: planned.map(({ call }) => call),
    notes: [
      ...when(
        some(({ isCut }) => isCut),
        "The question asks for more than 60 bars ahead; get_odds covers at most 60, so its odds are for 60 bars",
      ),
      ...when(
        some(({ isUnread }) => isUnread),
        "The time of the question was not understood; the odds are for the next 20 bars",
      ),
      ...when(
        isAtEnd,
        "The odds are of touching a level at any time within these bars, not of a close beyond it",
      ),
    ],
  };
}

/** Returns the fields of get_odds for a horizon and a bar length; without them it uses its defaults. */
function barsOf(horizon: Horizon, timeframe: Timeframe | null) {
  const length = horizon.timeframe ?? timeframe;
  return {
    ...(length !== null && { timeframe: length }),
    ...(horizon.bars !== null && { horizon: horizon.bars }),
  };
}
