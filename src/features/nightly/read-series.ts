import { BENCHMARKS, type Instrument, kindOf } from "../../domain/market/market.ts";
import type { Symbols } from "../../domain/ports.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { type CachedBars, isTransient } from "./cached-bars.ts";

/** Symbol that the daily index reads in addition to its members. */
const INDEX_SYMBOL = "TLT";
/** Number of consecutive failures after which the providers count as unavailable and no further series is requested. */
const MAX_CONSECUTIVE_FAILURES = 24;

interface ReadOptions {
  /** Series to read, see `seriesNeeded`. */
  readonly needed: readonly Instrument[];
  readonly cached: CachedBars;
  /** Number of series read concurrently. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called after each series with the number of series read. */
  readonly progress: (read: number) => void;
}

/** Lists the series a run reads, each once: benchmarks first, then members, then their peers. */
export function seriesNeeded(due: readonly Instrument[], symbols: Symbols): readonly Instrument[] {
  const kinds = new Set(due.map(kindOf));
  const names = new Set<string>([...kinds].map((kind) => BENCHMARKS[kind]));
  if (kinds.has("stocks")) names.add(INDEX_SYMBOL);
  const first = symbols.members().filter(({ symbol }) => names.has(symbol));
  const needed = new Map([...first, ...due].map((one) => [one.symbol, one]));
  for (const one of due)
    for (const peer of symbols.peers(one)) if (!needed.has(peer.symbol)) needed.set(peer.symbol, peer);
  return [...needed.values()];
}

/**
 * Reads the series that a run needs and retries transient failures once. Returns the members of `due` that cannot be
 * computed now because their own or their benchmark's series is unavailable. Any other failure is reported when the
 * member is computed.
 */
export async function readSeries(
  due: readonly Instrument[],
  { needed, cached, concurrency, signal, progress }: ReadOptions,
): Promise<readonly Instrument[]> {
  let read = 0;
  let consecutive = 0;
  const pass = async (instruments: readonly Instrument[], done: () => void) => {
    const lost: Instrument[] = [];
    await forEachConcurrent(concurrency, instruments, async (instrument) => {
      signal.throwIfAborted();
      try {
        if (consecutive >= MAX_CONSECUTIVE_FAILURES) lost.push(instrument);
        else await cached.history(instrument, { timeframe: "1d", limit: 1 });
        if (consecutive < MAX_CONSECUTIVE_FAILURES) consecutive = 0;
      } catch (cause) {
        signal.throwIfAborted();
        if (isTransient(cause)) {
          lost.push(instrument);
          consecutive++;
        }
      }
      done();
    });
    return lost;
  };
  const once = await pass(needed, () => progress(++read));
  const twice = new Set((await pass(once, () => undefined)).map(({ symbol }) => symbol));
  return due.filter((one) => twice.has(one.symbol) || twice.has(BENCHMARKS[kindOf(one)]));
}
