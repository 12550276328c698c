import { BENCHMARKS, type Instrument, kindOf } from "../../domain/market/market.ts";
import type { Symbols } from "../../domain/ports.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { type CachedBars, isTransient } from "./cached-bars.ts";

/** Symbol that the daily index reads in addition to its members. */
const INDEX_SYMBOL = "TLT";
/** Number of consecutive failures after which the providers count as unavailable and no further series is requested. */
const MAX_CONSECUTIVE_FAILURES = 24;

interface ReadOptions {
  readonly cached: CachedBars;
  readonly symbols: Symbols;
  /** Number of series read concurrently. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called after each series with the number of series read and the total. */
  readonly progress: (read: number, of: number) => void;
}

/** Lists the series a run reads, each once: benchmarks first, then members, then their peers. */
export function seriesNeeded(due: readonly Instrument[], symbols: Symbols): readonly Instrument[] {
  const kinds = new Set(due.map(kindOf));
  const names = new Set<string>([...kinds].map((kind) => BENCHMARKS[kind]));
  if (kinds.has("stocks")) names.add(INDEX_SYMBOL);
  const first = symbols.members().filter(({ symbol }) => names.has(symbol));
  const all = [...first, ...due, ...due.flatMap((one) => symbols.peers(one))];
  return [...new Map(all.map((one) => [one.symbol, one])).values()];
}

/**
 * Reads the series that a run needs and retries transient failures once. Returns the members of `due` that cannot be
 * computed now because their own or their benchmark's series is unavailable. Any other failure is reported when the
 * member is computed.
 */
export async function readSeries(
  due: readonly Instrument[],
  { cached, symbols, concurrency, signal, progress }: ReadOptions,
): Promise<readonly Instrument[]> {
  const wanted = seriesNeeded(due, symbols);
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
  const once = await pass(wanted, () => progress(++read, wanted.length));
  const twice = new Set((await pass(once, () => undefined)).map(({ symbol }) => symbol));
  return due.filter((one) => twice.has(one.symbol) || twice.has(BENCHMARKS[kindOf(one)]));
}
