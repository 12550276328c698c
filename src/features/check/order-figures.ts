import { type PriceRange, priceRangeOf, rangeIn } from "../../analytics/check/price-range.ts";
import { type EntryOutcomes, type EntryPlan, entryOddsOf } from "../../analytics/odds/entry-odds.ts";
import { oddsBars } from "../../analytics/odds/odds.ts";
import { pastWindows } from "../../analytics/odds/past-windows.ts";
import { wholePercents } from "../../analytics/odds/percents.ts";
import type { CheckOdds, CheckRange } from "../../domain/check/check.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";

export interface OrderFiguresInput {
  readonly bars: Bars;
  readonly instrument: Pick<Instrument, "symbol" | "asset_class">;
  readonly price: number;
  readonly horizon: number;
  /** The order and its exits; null: only the range. */
  readonly plan: Omit<EntryPlan, "bars"> | null;
}

export interface OrderFigures {
  readonly odds: CheckOdds | null;
  readonly range: CheckRange | null;
  /** Why there is no range, or no odds after the fill; null if neither is missing. */
  readonly reason: string | null;
}

/** Minimum number of filled cases: with fewer, the standard error of odds of 50 % after a fill exceeds 5 points. */
const MIN_FILLED = 100;

/** Odds and range of an order from one simulation: about 20 ms. */
export const orderFiguresTask: ComputeTask<OrderFiguresInput, OrderFigures> = {
  name: "order check",
  duration: "short",
  run({ bars, instrument: { symbol, asset_class: assetClass }, price, horizon, plan }) {
    const request = { bars, symbol, assetClass, from: price, horizon };
    if (plan === null) {
      const { range, reason } = priceRangeOf(request);
      return { odds: null, range: range && rangeFields(range), reason };
    }
    const found = entryOddsOf({ bars, symbol, assetClass, from: price, plan: { ...plan, bars: horizon } });
    if (found.paths === null) return { odds: null, range: null, reason: found.reason };
    const { paths, past, ends, kind } = found;
    const windows = { paths: ends, past: pastWindows(oddsBars(bars), horizon), kind, reason: null };
    const waits = plan.kind !== "now";
    const isRare = paths.filled < MIN_FILLED;
    const hasExit = plan.stop !== null || plan.target !== null;
    return {
      odds: {
        bars: horizon,
        from: plan.entry,
        fill: waits ? paths.filled / paths.windows : null,
        fill_base: waits && past.windows > 0 ? past.filled / past.windows : null,
        ...(isRare || !hasExit ? {} : outcomesOf(paths, plan)),
        ...(isRare || !hasExit || past.filled === 0
          ? {}
          : { base: baseOf(past, plan), windows: past.filled }),
      },
      range: rangeFields(rangeIn(windows, request)),
      reason:
        isRare && hasExit ? `odds after a fill: it fills in ${paths.filled} of ${paths.windows} cases` : null,
    };
  },
};

type Exits = Pick<EntryPlan, "entry" | "stop" | "target">;

function outcomesOf(outcomes: EntryOutcomes, plan: Exits) {
  const { stop, stopLosses } = outcomes;
  const distance = plan.stop === null ? null : Math.abs(plan.entry - plan.stop) / plan.entry;
  return {
    ...baseOf(outcomes, plan),
    mean_loss_r: distance === null || distance === 0 || stop === 0 ? null : stopLosses / stop / distance,
  };
}

/** Returns the shares of the three outcomes in whole percents; that of an exit which the order lacks is null. */
function baseOf({ filled, stop, target, neither }: EntryOutcomes, plan: Exits) {
  const [stopped, reached, rest] = wholePercents([stop / filled, target / filled, neither / filled]);
  return {
    stop_first: plan.stop === null ? null : stopped!,
    target_first: plan.target === null ? null : reached!,
    neither: rest!,
  };
}

export const rangeFields = ({ bars, p5, p95, base, pastCover90 }: PriceRange): CheckRange => ({
  bars,
  p5,
  p95,
  base_p5: base.p5,
  base_p95: base.p95,
  past_cover_90: pastCover90,
});
