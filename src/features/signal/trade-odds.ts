import type { Side } from "../../analytics/levels/side.ts";
import { oddsBars, oddsFault, oddsOf } from "../../analytics/odds/odds.ts";
import type { PlanResults } from "../../analytics/sizing/odds-kelly.ts";
import { TIME_EXIT } from "../../analytics/track/outcome.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { PlanOdds } from "../../domain/odds/odds.ts";
import type { Ports } from "../../domain/ports.ts";
import { planOddsOf } from "./signal-odds.ts";

/** Odds of a trade with the results of its simulated paths, or the reason why there are none. */
export type TradeOdds =
  | { readonly odds: PlanOdds; readonly odds_reason: null; readonly results: PlanResults }
  | { readonly odds: null; readonly odds_reason: string; readonly results: null };

interface TradeOddsInput {
  /** Closed bars of the signal; the last one is the decision bar. */
  readonly bars: Bars;
  readonly instrument: Pick<Instrument, "symbol" | "asset_class">;
  /** Price at which the trade starts. */
  readonly price: number;
  readonly side: Side;
  readonly stop: number;
  readonly target: number;
}

/** Simulates 4,000 paths: about 10 ms. */
export const tradeOddsTask: ComputeTask<TradeOddsInput, TradeOdds> = {
  name: "trade odds",
  duration: "short",
  run({ bars, instrument: { symbol, asset_class: assetClass }, price, side, stop, target }) {
    const plan = { from: price, side, stop, target, bars: TIME_EXIT };
    const { odds, reason } = oddsOf({ bars, symbol, assetClass, horizons: [], plan });
    if (odds === null) return noTradeOdds(reason);
    const { expectedR, meanSquaredR } = odds.plan!;
    return {
      odds: planOddsOf(odds.plan!, odds),
      odds_reason: null,
      results: { paths: odds.paths, drift: odds.profile.yearlyDriftPercent, expectedR, meanSquaredR },
    };
  },
};

/**
 * Returns the odds of a trade over 20 bars from its price, or the reason why there are none: too few bars, a suspected
 * split, or a price that is not between stop and target.
 */
export async function tradeOdds(
  input: TradeOddsInput,
  { compute }: Pick<Ports, "compute">,
): Promise<TradeOdds> {
  const { bars, price, side, stop, target } = input;
  const fault = oddsFault(oddsBars(bars));
  if (fault !== null) return noTradeOdds(fault);
  const isBetween = side === "LONG" ? stop < price && price < target : target < price && price < stop;
  return isBetween
    ? compute.run(tradeOddsTask, input)
    : noTradeOdds(`The price ${price} is not between stop ${stop} and target ${target}`);
}

/** Returns a result without odds, with its reason. */
export const noTradeOdds = (odds_reason: string): TradeOdds => ({ odds: null, odds_reason, results: null });
