import type { SkillResult } from "../../domain/requests/interpretation.ts";
import { daysUntil, horizonIn } from "./details/horizon.ts";
import type { SymbolLevels } from "./details/price-odds.ts";
import { when } from "./sentences.ts";
import type { ParsedQuestion } from "./skill-calls.ts";

/**
 * Returns notes on answers of get_odds that differ from what the question expects: a level on the other side of the
 * last close, and a date that is another number of bars after the last close.
 */
export function priceOddsNotes(
  { priceOdds, timeframe, asOf, now }: Pick<ParsedQuestion, "priceOdds" | "timeframe" | "asOf" | "now">,
  results: readonly SkillResult[],
): readonly string[] {
  if (priceOdds === null) return [];
  const { symbols, timeText } = priceOdds;
  return symbols.flatMap(({ mention: { instrument }, sides }) => {
    const { symbol, asset_class: assetClass } = instrument;
    const figures =
      results.find((result) => result.skill === "get_odds" && result.symbol === symbol)?.figures ?? {};
    const { from, horizon, as_of: at } = figures;
    if (typeof from !== "number" || typeof horizon !== "number" || typeof at !== "string") return [];
    const { until, exceedsMax } = horizonIn(timeText, { assetClass, timeframe, now, isPast: asOf !== null });
    const isDaily = timeframe === null || timeframe === "1d";
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
  Object.entries(sides).flatMap(([level, side]) => [
    ...when(
      side === "+" && Number(level) < from,
      `${level} is below the last close of ${symbol}, ${from}; the odds are of a fall to it`,
    ),
    ...when(
      side === "-" && Number(level) > from,
      `${level} is above the last close of ${symbol}, ${from}; the odds are of a rise to it`,
    ),
  ]);
