import type { Bars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { Side } from "../levels/side.ts";
import { ODDS_VERSION, oddsModelOf, PATHS } from "./odds.ts";
import { type PathBars, type PathEnds, simulatePaths } from "./paths.ts";
import type { InstrumentKind } from "./profile.ts";

/** An order that waits for a price, with the exits of its trade. All prices are above 0. */
export interface EntryPlan {
  readonly side: Side;
  /**
   * `now` has filled, `limit` fills at its price or a better one, `stop` once its price trades, at that price or a worse
   * one.
   */
  readonly kind: "now" | "limit" | "stop";
  /** Price of the fill, limit of a limit order, trigger of a stop order. */
  readonly entry: number;
  /** Worst price of a stop order; null: any. Default: null. */
  readonly limit?: number | null;
  /** Exits; null without one. */
  readonly stop: number | null;
  readonly target: number | null;
  /** Bars from now after which the order and the trade end. */
  readonly bars: number;
}

/** Counts of windows by how an order ended. */
export interface EntryOutcomes {
  readonly windows: number;
  readonly filled: number;
  /** Of the filled ones: stopped, at the target, and at neither within the window. */
  readonly stop: number;
  readonly target: number;
  readonly neither: number;
  /** Sum of the losses of the stopped ones, as shares of the fill price. */
  readonly stopLosses: number;
}

export interface EntryOddsRequest {
  /** Closed bars, as for `oddsOf`. */
  readonly bars: Bars;
  readonly symbol: string;
  readonly assetClass: AssetClass;
  /** Current price, from which the paths start. */
  readonly from: number;
  readonly plan: EntryPlan;
}

export type EntryOddsOutcome =
  | {
      readonly version: typeof ODDS_VERSION;
      readonly paths: EntryOutcomes;
      /** The same order at the same percent distances in the past windows of the symbol. */
      readonly past: EntryOutcomes;
      /** Ends of the paths after all bars, and the kind of the instrument. */
      readonly ends: PathEnds;
      readonly kind: InstrumentKind;
      readonly reason: null;
    }
  | { readonly paths: null; readonly reason: string };

/** Returns how an order ends on the paths of `oddsOf` and in the past windows, or the reason why there are none. */
export function entryOddsOf({ from, plan, ...request }: EntryOddsRequest): EntryOddsOutcome {
  const found = oddsModelOf(request);
  if (found.model === null) return { paths: null, reason: found.reason };
  const logPlan = logsOf(plan, from);
  const { bars, model, profile, random } = found;
  const options = { paths: PATHS, drift: profile.drift, random, horizons: [plan.bars], withBars: true };
  const simulated = simulatePaths(model, options);
  return {
    version: ODDS_VERSION,
    paths: entryOutcomes(simulated.bars!, PATHS, logPlan),
    past: entryOutcomes(...pastBars(bars, plan.bars), logPlan),
    ends: simulated.ends[0]!,
    kind: profile.kind,
    reason: null,
  };
}

/** Returns how an order ended in the bars after the first one of these, which starts at a price. */
export const entryOutcomesAt = (bars: Bars, from: number, plan: EntryPlan): EntryOutcomes =>
  entryOutcomes(...pastBars(bars, plan.bars), logsOf(plan, from));

/** Prices of an order as logs of their ratio to the price from which its windows start. */
type LogPlan = Omit<EntryPlan, "bars" | "limit"> & { readonly limit: number | null };

function logsOf({ limit = null, ...plan }: EntryPlan, from: number): LogPlan {
  const log = (price: number | null) => (price === null ? null : Math.log(price / from));
  return {
    ...plan,
    entry: log(plan.entry)!,
    limit: log(limit),
    stop: log(plan.stop),
    target: log(plan.target),
  };
}

/** Returns the bars of all past windows of a length, as logs of the ratio to the close before them, and their number. */
function pastBars({ open, high, low, close }: Bars, length: number): [PathBars, number] {
  const count = Math.max(0, close.length - length);
  const column = () => new Float64Array(count * length);
  const bars = { length, open: column(), high: column(), low: column() };
  for (let from = 0, place = 0; from < count; from++) {
    const start = close[from]!;
    for (let bar = from + 1; bar <= from + length; bar++, place++) {
      bars.open[place] = Math.log(open[bar]! / start);
      bars.high[place] = Math.log(high[bar]! / start);
      bars.low[place] = Math.log(low[bar]! / start);
    }
  }
  return [bars, count];
}

/**
 * Counts how an order ends in windows of bars. It fills when its price trades, at an open beyond that price. After the
 * bar of the fill it exits as in `simulatePaths`. Inside the bar of a limit fill only the stop counts, inside that of a
 * stop fill neither exit, because the order of its high and low is unknown. A stop order that its limit keeps from
 * filling waits at the limit from the next bar on.
 */
export function entryOutcomes(
  { length, open, high, low }: PathBars,
  windows: number,
  plan: LogPlan,
): EntryOutcomes {
  const away = plan.side === "LONG" ? 1 : -1;
  const stop = plan.stop === null ? Number.NEGATIVE_INFINITY : away * plan.stop;
  const target = plan.target === null ? Number.POSITIVE_INFINITY : away * plan.target;
  const limit = plan.limit === null ? Number.POSITIVE_INFINITY : away * plan.limit;
  const entry = away * plan.entry;
  const count = { filled: 0, stop: 0, target: 0 };
  let stopLosses = 0;
  for (let window = 0; window < windows; window++) {
    let kind = plan.kind;
    let at = entry;
    let fill: number | null = kind === "now" ? entry : null;
    if (fill !== null) count.filled++;
    for (let place = window * length; place < (window + 1) * length; place++) {
      const from = away * open[place]!;
      const best = away * (away > 0 ? high[place]! : low[place]!);
      const worst = away * (away > 0 ? low[place]! : high[place]!);
      if (fill === null) {
        if (kind === "limit" ? worst > at : best < at) continue;
        const price = kind === "limit" ? Math.min(from, at) : Math.max(from, at);
        if (price > limit) {
          kind = "limit";
          at = limit;
          continue;
        }
        fill = price;
        count.filled++;
        if (kind === "stop" || worst > stop) continue;
        count.stop++;
        stopLosses += lossOf(fill, Math.min(fill, stop), away);
        break;
      }
      if (from <= stop || (from < target && worst <= stop)) {
        count.stop++;
        stopLosses += lossOf(fill, Math.min(from, stop), away);
        break;
      }
      if (best < target) continue;
      count.target++;
      break;
    }
  }
  return { windows, ...count, neither: count.filled - count.stop - count.target, stopLosses };
}

/** Returns the loss from a fill to an exit as a share of the fill price; both are logs times the sign of the side. */
const lossOf = (fill: number, exit: number, away: number): number => -away * Math.expm1(away * (exit - fill));
