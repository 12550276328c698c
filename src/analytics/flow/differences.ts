import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import { momentOf, premiumOf, sessionDateOf } from "./contract.ts";

/** Trades of one contract between two snapshots, with the quotes of the later one. */
export interface Traded {
  readonly contract: OptionContract;
  /** Contracts. */
  readonly volume: number;
  /** Dollars, estimated; null without a price. */
  readonly premium: number | null;
}

export interface Difference {
  /** Moments the two snapshots are of, epoch ms; the earlier is null where the later is the first of its session. */
  readonly from: number | null;
  readonly to: number;
  /** Contracts that traded in between, the largest premium first. */
  readonly traded: readonly Traded[];
  /** Contracts whose volume went down, which a trade taken back explains; they are left out. */
  readonly corrected: number;
}

/**
 * What traded between two snapshots of one chain. Volumes count from each session's open, so a snapshot of an earlier
 * session counts as none. Snapshots do not show the aggressor side or the number of trades.
 * @throws RangeError on chains of two symbols, or in the wrong order
 */
export function differenceOf(earlier: OptionChain | null, later: OptionChain): Difference {
  const to = momentOf(later);
  if (earlier !== null && earlier.underlying.symbol !== later.underlying.symbol)
    throw new RangeError("differenceOf: chains of two symbols");
  if (earlier !== null && momentOf(earlier) > to)
    throw new RangeError("differenceOf: the earlier chain is the later one");
  const since = earlier !== null && sessionDateOf(earlier) === sessionDateOf(later) ? earlier : null;
  const before = new Map(since?.contracts.map(({ symbol, volume }) => [symbol, volume]));
  let corrected = 0;
  const traded = later.contracts.flatMap((contract): Traded[] => {
    const { symbol, volume } = contract;
    const was = before.get(symbol);
    // a contract not listed before starts at 0; one with unknown earlier volume cannot be compared
    if (volume === null || was === null) return [];
    const more = volume - (was ?? 0);
    if (more < 0) corrected++;
    return more > 0 ? [{ contract, volume: more, premium: premiumOf(contract, more) }] : [];
  });
  traded.sort(
    (a, b) =>
      (b.premium ?? -1) - (a.premium ?? -1) ||
      b.volume - a.volume ||
      (a.contract.symbol < b.contract.symbol ? -1 : 1),
  );
  return { from: since === null ? null : momentOf(since), to, traded, corrected };
}
