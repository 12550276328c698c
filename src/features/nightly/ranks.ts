import type { Bars } from "../../domain/market/bars.ts";
import { type Instrument, kindOf, type MarketKind } from "../../domain/market/market.ts";
import type { RunHead } from "../../domain/nightly/engine.ts";
import type { RunRepository } from "../../domain/nightly/run-repository-port.ts";
import type { BarHistory, Symbols } from "../../domain/ports.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { CONSENSUS_BARS } from "../signal/gather.ts";
import { type RankUniverse, ranksAt } from "../signal/universe.ts";
import type { PastBars } from "./past.ts";

/** Returns the rank universe of an instrument at a bar start; undefined when the ranks of the run are for another bar. */
export type Ranks = (instrument: Instrument, time: number) => RankUniverse | undefined;

interface RanksOptions {
  readonly head: RunHead;
  readonly cached: BarHistory;
  readonly symbols: Symbols;
  readonly repository: RunRepository;
  /** Number of series read concurrently. */
  readonly concurrency: number;
}

/**
 * Returns one rank universe per market kind for the run, computed for the day on which most series end and stored with
 * the run; a resumed run reuses it. Ranks the universe of the market or, without one, the members of the run.
 */
export async function ranksOf(options: RanksOptions): Promise<Ranks> {
  const { head, cached, symbols, repository, concurrency } = options;
  const ranks = await readRanks(head, repository);
  if (ranks.size === 0) {
    const bulk = symbols.universe();
    const own = () => head.members.flatMap((symbol) => symbols.find(symbol)?.instrument ?? []);
    const ranked = new Map((bulk.length > 0 ? bulk : own()).map((one) => [one.symbol, one]));
    const kinds = new Set(head.members.flatMap((symbol) => ranked.get(symbol) ?? []).map(kindOf));
    for (const kind of kinds) {
      const members = [...ranked.values()].filter((one) => kindOf(one) === kind);
      const series = await read(members, cached, concurrency);
      const time = commonEnd(series.map(([, { time }]) => time.at(-1)));
      if (time !== null) ranks.set(kind, ranksAt(time, kind === "crypto" ? "crypto" : "equity", series));
    }
    const rows = [...ranks].map(([kind, { time, hash, returns }]) => {
      return { kind, time, hash, returns: Object.fromEntries(returns) };
    });
    await repository.saveRanks(head.run_id, rows);
  }
  return ranksIn(ranks);
}

/** Returns the ranks that are stored with a run, as another process has computed them. */
export const storedRanks = async (head: RunHead, repository: RunRepository): Promise<Ranks> =>
  ranksIn(await readRanks(head, repository));

async function readRanks(
  { run_id }: RunHead,
  repository: RunRepository,
): Promise<Map<MarketKind, RankUniverse>> {
  const stored = await repository.ranks(run_id);
  return new Map(
    stored.map(({ kind, time, hash, returns }) => {
      const map = new Map(Object.entries(returns));
      return [kind, { time, hash, returns: map, values: [...map.values()] }];
    }),
  );
}

const ranksIn =
  (ranks: ReadonlyMap<MarketKind, RankUniverse>): Ranks =>
  (instrument, time) => {
    const universe = ranks.get(kindOf(instrument));
    return universe?.time === time ? universe : undefined;
  };

/** Returns the ranks as of the current time of `past`, over the universe of the market or, without one, the members. */
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
    const computed = ranksAt(time, instrument.asset_class, series);
    newest.set(kind, computed);
    return computed;
  };
}

/** Reads the available series in the order of the instruments; omits unavailable ones. */
async function read(
  instruments: readonly Instrument[],
  cached: BarHistory,
  concurrency: number,
): Promise<readonly (readonly [string, Bars])[]> {
  const found: (readonly [string, Bars])[] = [];
  await forEachConcurrent(concurrency, instruments.entries(), async ([place, instrument]) => {
    const series = await cached.history(instrument, { timeframe: "1d", limit: 500 }).catch(() => null);
    if (series !== null) found[place] = [instrument.symbol, series.bars];
  });
  return found.filter((one) => one !== undefined);
}

/** Returns the most common start of the newest bars of series; on a tie, the later one. null for none. */
function commonEnd(ends: readonly (number | undefined)[]): number | null {
  const counts = new Map<number, number>();
  for (const end of ends) if (end !== undefined) counts.set(end, (counts.get(end) ?? 0) + 1);
  const [best] = [...counts].sort(([a, n], [b, m]) => m - n || b - a);
  return best?.[0] ?? null;
}
