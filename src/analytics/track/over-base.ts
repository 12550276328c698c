import type { ROverBase, ScoredSignal } from "../../domain/track-record/track.ts";
import type { Side } from "../levels/side.ts";

type Group = Pick<ScoredSignal, "asset_class" | "grade"> & { readonly direction: Side };
type Comparison = Pick<ROverBase, "n" | "mean_r" | "base_r" | "over_base" | "interval" | "reason">;

/** Results of trades against the base of their symbols. */
export interface OverBaseFold {
  /**
   * Adds the 20-bar outcome of the next signal, in order of decision, WAIT too; outcomes without a base are ignored.
   * Throws RangeError for one of an earlier calendar quarter.
   */
  add(signal: ScoredSignal): void;
  /** Groups with trades, in the order in which they were added. */
  groups(): readonly Group[];
  /** Compares the trades of the groups that match with the base of their symbols; without any: null with a reason. */
  compare(matches: (group: Group) => boolean): Comparison;
}

/** Results in R of one symbol: their number and sum in all, and by calendar quarter from the first of the record. */
interface Results {
  n: number;
  sum: number;
  readonly counts: number[];
  readonly sums: number[];
}
interface TradeGroup {
  readonly group: Group;
  readonly symbols: Map<string, Results>;
}

/** Minimum number of calendar quarters with trades for an interval. */
const MIN_QUARTERS = 8;
const NO_BASE = "No trade has a base: outcomes of earlier versions get theirs when history is replayed again";
const FEW_QUARTERS = `No interval: the trades lie in fewer than ${MIN_QUARTERS} calendar quarters`;

/**
 * Collects results in R by symbol and calendar quarter. The base of a trade is the mean result of the usual plan in its
 * direction at every close of its symbol that the record covers.
 */
export function overBaseFold(): OverBaseFold {
  const bases = new Map<string, Results>();
  const trades = new Map<string, TradeGroup>();
  let first: number | undefined;
  let quarters = 0;

  return {
    add({ at, symbol, base, direction, grade, asset_class, r }) {
      if (symbol === undefined || base === undefined) return;
      first ??= quarterOf(at);
      const quarter = quarterOf(at) - first;
      if (quarter < 0) throw new RangeError("Signals must be added in order of decision");
      quarters = Math.max(quarters, quarter + 1);
      const { long, short } = base;
      if (long !== null) addTo(bases, nameOf("LONG", asset_class, symbol), quarter, long);
      if (short !== null) addTo(bases, nameOf("SHORT", asset_class, symbol), quarter, short);
      if (direction === "WAIT" || r === null) return;
      const name = `${asset_class}|${direction}|${grade}`;
      const own = trades.get(name) ?? { group: { asset_class, direction, grade }, symbols: new Map() };
      trades.set(name, own);
      addTo(own.symbols, nameOf(direction, asset_class, symbol), quarter, r);
    },
    groups: () => [...trades.values()].map(({ group }) => group),
    compare: (matches) =>
      comparisonOf(
        [...trades.values()].filter(({ group }) => matches(group)),
        { bases, quarters },
      ),
  };
}

/**
 * Compares the trades of each symbol with its base. The interval is that of the mean difference, linearized, with errors
 * clustered by calendar quarter over all symbols, since symbols and neighbouring bars share most of their outcome.
 * @see W. G. Cochran, "Sampling Techniques", 1977: ratio estimates over clusters
 */
function comparisonOf(
  groups: readonly TradeGroup[],
  { bases, quarters }: { readonly bases: ReadonlyMap<string, Results>; readonly quarters: number },
): Comparison {
  let [n, sum, baseSum] = [0, 0, 0];
  const countBySymbol = new Map<Results, number>();
  const errors = new Float64Array(quarters);
  const traded = new Float64Array(quarters);
  for (const { symbols } of groups)
    for (const [name, own] of symbols) {
      const base = bases.get(name);
      if (base === undefined) continue;
      const mean = base.sum / base.n;
      n += own.n;
      sum += own.sum;
      baseSum += own.n * mean;
      countBySymbol.set(base, (countBySymbol.get(base) ?? 0) + own.n);
      for (let quarter = 0; quarter < own.counts.length; quarter++) {
        const count = own.counts[quarter]!;
        errors[quarter]! += own.sums[quarter]! - mean * count;
        traded[quarter]! += count;
      }
    }
  if (n === 0) return { n, mean_r: null, base_r: null, over_base: null, interval: null, reason: NO_BASE };
  for (const [base, count] of countBySymbol) {
    const mean = base.sum / base.n;
    const weight = count / base.n;
    for (let quarter = 0; quarter < base.counts.length; quarter++)
      errors[quarter]! -= weight * (base.sums[quarter]! - mean * base.counts[quarter]!);
  }
  const over = (sum - baseSum) / n;
  const head = { n, mean_r: sum / n, base_r: baseSum / n, over_base: over };
  const count = traded.filter((trades) => trades > 0).length;
  if (count < MIN_QUARTERS) return { ...head, interval: null, reason: FEW_QUARTERS };
  const squares = errors.reduce((all, error, quarter) => all + (error - over * traded[quarter]!) ** 2, 0);
  const half = (studentQuantile(count - 1) * Math.sqrt((squares * count) / (count - 1))) / n;
  return { ...head, interval: { low: over - half, high: over + half }, reason: null };
}

const nameOf = (side: Side, assetClass: string, symbol: string): string => `${side}|${assetClass}|${symbol}`;

function addTo(all: Map<string, Results>, name: string, quarter: number, r: number): void {
  const results = all.get(name) ?? { n: 0, sum: 0, counts: [], sums: [] };
  all.set(name, results);
  results.n++;
  results.sum += r;
  for (let next = results.counts.length; next <= quarter; next++) {
    results.counts.push(0);
    results.sums.push(0);
  }
  results.counts[quarter]!++;
  results.sums[quarter]! += r;
}

function quarterOf(at: number): number {
  const day = new Date(at);
  return day.getUTCFullYear() * 4 + Math.floor(day.getUTCMonth() / 3);
}

const Z = 1.959963984540054; // 97.5% quantile of the normal distribution

/**
 * Returns the 97.5% quantile of Student's t distribution, to .4 % from 7 degrees of freedom.
 * @see M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions", 1964, 26.7.5
 */
const studentQuantile = (degrees: number): number =>
  Z + (Z ** 3 + Z) / (4 * degrees) + (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * degrees ** 2);
