import { type Instrument, kindOf, type MarketKind } from "../../domain/market/market.ts";
import type { Symbols } from "../../domain/ports.ts";
import { CONSENSUS_BARS } from "../signal/gather.ts";
import { type RankUniverse, ranksAt } from "../signal/universe.ts";
import type { PastBars } from "./past.ts";
import type { Ranks } from "./ranks.ts";

/** Ranks as of the moment of the bars, over the ranking universe of the market, or else over the members. */
export function pastRanks(
  members: readonly Instrument[],
  { symbols, past }: { readonly symbols: Symbols; readonly past: PastBars },
): Ranks {
  const bulk = symbols.universe();
  const ranked = bulk.length > 0 ? bulk : members;
  const newest = new Map<MarketKind, RankUniverse>();
  return (instrument, time) => {
    const kind = kindOf(instrument);
    const before = newest.get(kind);
    if (before?.time === time) return before;
    const series = ranked.flatMap((one) => {
      const found = kindOf(one) === kind ? past.peek(one, CONSENSUS_BARS) : null;
      return found === null ? [] : [[one.symbol, found.bars] as const];
    });
    const made = ranksAt(time, instrument.asset_class, series);
    newest.set(kind, made);
    return made;
  };
}
