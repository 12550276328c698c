import { casesOf, formatPlanOdds } from "../../domain/odds/odds.text.ts";
import type { OddsChange, OddsExplanation } from "../../domain/odds/odds-changes.ts";
import { formatPrice } from "../../lib/format-price.ts";

const CHANGES: Readonly<Record<OddsChange["change"], string>> = {
  stop_farther: "with the stop 0.5 ATR farther",
  stop_nearer: "with the stop 0.5 ATR nearer",
  target_nearer: "with target 1 at two thirds of its distance",
  low_volatility: "at a low volatility, the 10th percentile of 250 bars",
  high_volatility: "at a high volatility, the 90th percentile of 250 bars",
  no_drift: "without the assumed drift",
};

/** Formats the odds of the levels, and one line for each change; or why there are no odds. */
export function formatOddsExplanation(odds: OddsExplanation | null, reason: string | null): string[] {
  if (odds === null) return [`no odds: ${reason}`];
  return [
    `odds of the levels: ${formatPlanOdds(odds, "target 1")}`,
    ...odds.changes.map((change) => formatChange(change, odds)),
  ];
}

function formatChange(
  { change, price, volatility_percent, stop_first, target_first, neither, base, reason }: OddsChange,
  current: Pick<OddsExplanation, "volatility_percent">,
): string {
  const value =
    price !== null
      ? ` (${formatPrice(price)})`
      : typeof volatility_percent === "number"
        ? ` (${volatility_percent.toFixed(0)}% annualized for the next bar, now ${current.volatility_percent.toFixed(0)}%)`
        : "";
  const rates =
    base === null
      ? ""
      : ` (base rates: ${casesOf(base.stop_first)}, ${casesOf(base.target_first)}, ${casesOf(base.neither)})`;
  const odds =
    stop_first === null || target_first === null || neither === null
      ? `no odds: ${reason}`
      : `stop first in ${casesOf(stop_first)} of 100, target 1 first in ${casesOf(target_first)}, neither in ${casesOf(neither)}${rates}`;
  return `${CHANGES[change]}${value}: ${odds}`;
}
