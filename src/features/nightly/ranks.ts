import {
  type BarSeries,
  type Instrument,
  kindOf,
  type Market,
  type MarketKind,
} from "../../domain/market/market.ts";
import type { RunHead } from "../../domain/nightly/engine.ts";
import type { RunRepository } from "../../domain/nightly/run-repository-port.ts";
import type { BarHistory, Symbols } from "../../domain/ports.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { type RankUniverse, ranksAt } from "../signal/universe.ts";

/** Returns the universe an instrument is ranked in; undefined on a day other than the run's, where it must be computed. */
export type Ranks = (instrument: Instrument, time: number) => RankUniverse | undefined;

interface RanksOptions {
  readonly head: RunHead;
  readonly held: BarHistory;
  readonly symbols: Symbols;
  readonly market: Market;
  readonly repository: RunRepository;
  /** Series read at once. */
  readonly concurrency: number;
}

/**
 * Returns one rank universe per kind for the whole run, computed on the day on which most of its series end and stored with the
 * run; a resumed run reuses the stored one. Ranks the market's own universe, or else the members of the run.
 */
export async function ranksOf({
  head,
  held,
  symbols,
  repository,
  concurrency,
}: RanksOptions): Promise<Ranks> {
  const stored = await repository.ranks(head.run_id);
  const ranks = new Map<MarketKind, RankUniverse>(
    stored.map(({ kind, time, hash, returns }) => {
      const map = new Map(Object.entries(returns));
      return [kind, { time, hash, returns: map, values: [...map.values()] }];
    }),
  );
  if (stored.length === 0) {
    const ranked = rankedIn(head, symbols);
    const kinds = [...new Set(head.members.flatMap((symbol) => ranked.get(symbol) ?? []).map(kindOf))];
    for (const kind of kinds) {
      const series = await read(
        [...ranked.values()].filter((one) => kindOf(one) === kind),
        held,
        concurrency,
      );
      const time = commonEnd(series.map(([, { bars }]) => bars.time.at(-1)));
      if (time === null) continue;
      const assetClass = kind === "crypto" ? "crypto" : "equity";
      const universe = ranksAt(
        time,
        assetClass,
        series.map(([symbol, { bars }]) => [symbol, bars]),
      );
      ranks.set(kind, universe);
    }
    await repository.saveRanks(
      head.run_id,
      [...ranks].map(([kind, { time, hash, returns }]) => ({
        kind,
        time,
        hash,
        returns: Object.fromEntries(returns),
      })),
    );
  }
  return (instrument, time) => {
    const universe = ranks.get(kindOf(instrument));
    return universe?.time === time ? universe : undefined;
  };
}

function rankedIn({ members }: RunHead, symbols: Symbols): ReadonlyMap<string, Instrument> {
  const bulk = symbols.universe();
  const own = () => members.flatMap((symbol) => symbols.find(symbol)?.instrument ?? []);
  return new Map((bulk.length > 0 ? bulk : own()).map((one) => [one.symbol, one]));
}

/** Reads the available series; unavailable ones are not ranked. */
async function read(
  instruments: readonly Instrument[],
  held: BarHistory,
  concurrency: number,
): Promise<readonly (readonly [string, BarSeries])[]> {
  const found = new Map<string, BarSeries>();
  await forEachConcurrent(concurrency, instruments, async (instrument) => {
    const series = await held.history(instrument, { timeframe: "1d", limit: 500 }).catch(() => null);
    if (series !== null) found.set(instrument.symbol, series);
  });
  // in request order, regardless of which response came first
  return instruments.flatMap(({ symbol }) => {
    const series = found.get(symbol);
    return series === undefined ? [] : [[symbol, series] as const];
  });
}

/** Returns the last bar start that the most series share, the later one on a tie. */
function commonEnd(ends: readonly (number | undefined)[]): number | null {
  const counts = new Map<number, number>();
  for (const end of ends) if (end !== undefined) counts.set(end, (counts.get(end) ?? 0) + 1);
  const [best] = [...counts].sort(([a, n], [b, m]) => m - n || b - a);
  return best?.[0] ?? null;
}
