import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import { premiumOf, quoteTime, sessionDateOf } from "./contract.ts";

/** Trades of one contract between two snapshots, with the quotes of the later one. */
export interface Traded {
  readonly contract: OptionContract;
  /** Number of contracts. */
  readonly volume: number;
  /** Estimated dollars; null without a price. */
  readonly premium: number | null;
}

export interface Difference {
  /** Times of the two snapshots, epoch ms; `from` is null if the later one is the first of its session. */
  readonly from: number | null;
  readonly to: number;
  /** Contracts that traded in between, largest premium first. */
  readonly traded: readonly Traded[];
  /** Number of contracts whose volume decreased, as after a cancelled trade; they are omitted. */
  readonly corrected: number;
}

/**
 * Returns the trades between two snapshots of one chain. Volumes count from each session's open, so an earlier
 * snapshot of another session is ignored. Snapshots do not show the aggressor side or the number of trades.
 * @throws RangeError if the chains have different symbols or are in the wrong order
 */
export function differenceOf(earlier: OptionChain | null, later: OptionChain): Difference {
  const to = quoteTime(later);
  if (earlier !== null && earlier.underlying.symbol !== later.underlying.symbol)
    throw new RangeError("differenceOf: the chains have different symbols");
  if (earlier !== null && quoteTime(earlier) > to)
    throw new RangeError("differenceOf: the chains are in the wrong order");
  const since = earlier !== null && sessionDateOf(earlier) === sessionDateOf(later) ? earlier : null;
  const before = new Map(since?.contracts.map(({ symbol, volume }) => [symbol, volume]));
  let corrected = 0;
  const traded = later.contracts.flatMap((contract): Traded[] => {
    const { symbol, volume } = contract;
    const was = before.get(symbol);
    // a contract that was not listed before starts at 0; one with unknown earlier volume cannot be compared
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
  return { from: since === null ? null : quoteTime(since), to, traded, corrected };
}
