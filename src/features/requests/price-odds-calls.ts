import { MAX_HORIZON } from "../../analytics/odds/paths.ts";
import type { SkillResult } from "../../domain/requests/interpretation.ts";
import { DEFAULT_HORIZON, daysUntil, horizonIn, type TextHorizon } from "../odds/horizon-in.ts";
import type { SymbolLevels } from "./details/price-odds.ts";
import { when } from "./sentences.ts";
import type { ParsedQuestion, SkillCall } from "./skill-calls.ts";

/** Odds are computed for at most 3 symbols. */
const MAX_SYMBOLS = 3;
/** Maximum number of levels of one symbol. */
const MAX_LEVELS = 6;

type OddsQuestion = Pick<ParsedQuestion, "priceOdds" | "timeframe" | "asOf" | "now">;

/** Returns the symbols whose odds a question asks for, each with the number of bars that it looks ahead. */
function oddsOf({ priceOdds, timeframe, asOf, now }: OddsQuestion) {
  const isPast = asOf !== null;
  return (priceOdds?.symbols ?? []).map(({ mention: { instrument }, ...levels }) => {
    const { symbol, asset_class: assetClass } = instrument;
    const horizon = horizonIn(priceOdds!.timeText, { assetClass, timeframe, now, isPast });
    return { symbol, assetClass, horizon, ...levels };
  });
}

/** Returns the get_odds calls of a question, with notes on what they do not cover. */
export function priceOddsCalls(question: OddsQuestion): {
  readonly calls: readonly SkillCall[];
  readonly notes: readonly string[];
} {
  const { priceOdds, timeframe, asOf } = question;
  if (priceOdds === null || priceOdds.symbols.length > MAX_SYMBOLS) return { calls: [], notes: [] };
  const planned = oddsOf(question);
  const some = (is: (horizon: TextHorizon) => boolean) => planned.some(({ horizon }) => is(horizon));
  return {
    calls: planned.map(({ symbol, horizon, levels, plan }) => {
      const length = horizon.timeframe ?? timeframe;
      const input = {
        symbol,
        ...(length !== null && { timeframe: length }),
        ...(horizon.bars !== null && { horizon: horizon.bars }),
        ...(levels.length > 0 && { levels: levels.slice(0, MAX_LEVELS) }),
        ...plan,
        ...(asOf !== null && { as_of: asOf }),
      };
      return { skill: "get_odds", symbol, input, part: priceOdds.topic };
    }),
    notes: [
      when(
        some(({ exceedsMax }) => exceedsMax),
        `The question asks for more than ${MAX_HORIZON} bars ahead; get_odds covers at most ${MAX_HORIZON}, so its odds are for ${MAX_HORIZON} bars`,
      ),
      when(
        some(({ isNotUnderstood }) => isNotUnderstood),
        `The time of the question was not understood; the odds are for the next ${DEFAULT_HORIZON} bars`,
      ),
      when(
        some(({ isOver }) => isOver),
        "No bar closes before the end of the question's time; the odds are for the next bar",
      ),
      when(
        priceOdds.isUntouched,
        "Odds of touching a level do not say whether the price stays on one side of it; this is the range of the close",
      ),
      when(
        planned.some(({ levels }) => levels.length > MAX_LEVELS),
        `The question names more than ${MAX_LEVELS} levels of a symbol; the odds are of the first ${MAX_LEVELS}`,
      ),
      when(
        priceOdds.isAtEnd,
        "The odds are of touching a level at any time within these bars, not of a close beyond it",
      ),
    ].flat(),
  };
}

/**
 * Returns notes on answers of get_odds that differ from what the question expects: a level on the other side of the
 * last close, and a date that is another number of bars after the last close.
 */
export function priceOddsNotes(question: OddsQuestion, results: readonly SkillResult[]): readonly string[] {
  const isDaily = question.timeframe === null || question.timeframe === "1d";
  return oddsOf(question).flatMap(({ symbol, assetClass, horizon: { until, exceedsMax }, sides }) => {
    const answer = results.find((result) => result.skill === "get_odds" && result.symbol === symbol);
    const { from, horizon, as_of: at } = answer?.figures ?? {};
    if (typeof from !== "number" || typeof at !== "string") return [];
    const left = until === null ? null : Math.ceil(daysUntil(until, Date.parse(at), assetClass));
    return [
      ...sideNotes(sides, { symbol, from }),
      ...when(
        isDaily && !exceedsMax && left !== null && left !== horizon,
        `The odds are for ${horizon} bars after the last close of ${symbol} at ${at}; the time of the question ends ${left} bars after it`,
      ),
    ];
  });
}

const sideNotes = (
  sides: SymbolLevels["sides"],
  { symbol, from }: { readonly symbol: string; readonly from: number },
): readonly string[] =>
  Object.entries(sides).flatMap(([level, side]) => {
    if (Number(level) === from || Number(level) > from === (side === "+")) return [];
    const [place, move] = side === "+" ? ["below", "fall"] : ["above", "rise"];
    return `${level} is ${place} the last close of ${symbol}, ${from}; the odds are of a ${move} to it`;
  });
