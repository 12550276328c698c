import { barsPerYear } from "../../analytics/drivers/context.ts";
import { ODDS_BARS } from "../../analytics/odds/range-model.ts";
import type { ConsensusInput } from "../../analytics/score/consensus.ts";
import { MIN_SCORE_BARS } from "../../analytics/score/verdict.ts";
import { type Bars, sliceBars, type Timeframe } from "../../domain/market/bars.ts";
import { type BarSeries, BENCHMARKS, type Instrument, kindOf } from "../../domain/market/market.ts";
import type { PrintReach } from "../../domain/off-exchange/prints.ts";
import type { Ports, Symbols } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { missingDataError } from "./missing-data.ts";
import { optionalAnswer } from "./optional-answer.ts";
import { seriesOrNull } from "./series.ts";
import { type RankUniverse, rankUniverse, storedRank } from "./universe.ts";

/** Number of closed bars that a consensus reads: enough that grades do not depend on where the history starts. */
export const CONSENSUS_BARS = 500;
/** Minimum number of bars for the average true range and therefore for levels. */
const MIN_BARS = 15;
/** Number of bars over which sector peers are compared, with a margin for days without trading. */
const PEER_BARS = 80;

export interface GatherRequest {
  readonly timeframe: Timeframe;
  /** Epoch ms. Default: now. */
  readonly asOf?: number;
  readonly signal: AbortSignal;
  /**
   * Returns an already read series of `limit` bars as of `asOf`; null if it must be requested. Saves one call per
   * symbol for hundreds of symbols.
   */
  readonly cachedSeries?: (instrument: Instrument, limit: number) => BarSeries | null;
  /**
   * Returns the newest `limit` bars of each instrument if all were already read and end at `decidedAt`; else null. Saves
   * several calls for each of hundreds of peers.
   */
  readonly cachedBars?: (
    instruments: readonly Instrument[],
    limit: number,
    decidedAt: string,
  ) => readonly Bars[] | null;
  /** Returns the ranking universe of a day; null if there is none, undefined if it must be read. */
  readonly ranks?: (instrument: Instrument, time: number) => RankUniverse | null | undefined;
}
export type GatherPorts = Pick<Ports, "symbols" | "bars" | "prints" | "cache" | "market" | "engineRuns">;

export interface Gathered {
  readonly series: BarSeries;
  /** Close time of the decision bar, ISO 8601 UTC; no input is later. */
  readonly decidedAt: string;
  readonly input: ConsensusInput;
  /** Text on the part of the bars' period without prints, or why there are none. Omitted if coverage is complete. */
  readonly printsGap?: string;
  readonly printsReach?: PrintReach;
}

/**
 * Reads all inputs of a consensus as known at the close of the decision bar. Rejects with NOT_ENOUGH_DATA for fewer
 * than 15 bars.
 */
export async function gather(
  instrument: Instrument,
  { timeframe, asOf, signal, cachedSeries, cachedBars, ranks }: GatherRequest,
  ports: GatherPorts,
): Promise<Gathered> {
  const { bars, symbols } = ports;
  const request = { timeframe, signal, ...(asOf !== undefined && { asOf }) };
  const ownBars = bars.history(instrument, { ...request, limit: ODDS_BARS }).catch((cause: unknown) => {
    // a provider may have fewer bars than the odds read
    if (!(cause instanceof ToolError) || cause.code !== "UPSTREAM_UNAVAILABLE") throw cause;
    return bars.history(instrument, { ...request, limit: CONSENSUS_BARS });
  });
  const { isBenchmark, benchmark } = benchmarkOf(instrument, symbols);
  const peers = symbols.peers(instrument);
  const read = (one: Instrument | undefined, limit: number) => {
    const found = one === undefined ? null : cachedSeries?.(one, limit);
    if (found) return found;
    return awaitedLater(seriesOrNull(bars, one, { ...request, limit }));
  };
  const readPeers = () => peers.map((peer) => read(peer, PEER_BARS));
  // requested concurrently with the instrument's own series
  const benchmarkRead = read(benchmark, CONSENSUS_BARS);
  const earlyPeerReads = cachedBars === undefined ? readPeers() : null;
  const whole = await ownBars;
  const first = Math.max(0, whole.bars.time.length - CONSENSUS_BARS);
  const series = { ...whole, bars: sliceBars(whole.bars, first) };
  if (isBusy()) await yieldToEventLoop();
  const have = series.bars.time.length;
  if (series.as_of === null || have < MIN_BARS) throw tooFew(instrument, { have, timeframe }, symbols);
  const decidedAt = series.as_of;
  const known = { asOf: Date.parse(decidedAt), signal };
  const ranked = ranks?.(instrument, series.bars.time.at(-1)!);
  const inUniverse =
    ranked === undefined
      ? awaitedLater(ranksOf(instrument, timeframe, series, known, ports))
      : rankedIn(instrument, ranked);
  // a series that ends at another time is requested again as of the close of the decision bar
  const alignToDecision = (found: BarSeries | null, one: Instrument | undefined, limit: number) =>
    found === null || found.as_of === decidedAt
      ? found
      : awaitedLater(seriesOrNull(bars, one, { ...known, timeframe, limit }));
  const aligned = (found: ReturnType<typeof read>, one: Instrument | undefined, limit: number) =>
    found instanceof Promise
      ? awaitedLater(found.then((series) => alignToDecision(series, one, limit)))
      : alignToDecision(found, one, limit);
  const alignedBenchmark = aligned(benchmarkRead, benchmark, CONSENSUS_BARS);
  const cachedPeers = cachedBars?.(peers, PEER_BARS, decidedAt) ?? null;
  const alignedPeers =
    cachedPeers === null
      ? (earlyPeerReads ?? readPeers()).map((found, i) => aligned(found, peers[i], PEER_BARS))
      : [];
  if (isBusy()) await yieldToEventLoop();
  // without prints there is no conviction score
  const range = { from: series.bars.time[0]!, until: known.asOf, signal };
  const { answer: tape, unavailableReason } = await optionalAnswer(() =>
    ports.prints.tape(instrument, range),
  );
  const gap = tape?.gap ?? unavailableReason;
  const universe = await inUniverse;
  const [benchmarkSeries = null, ...peerSeries] = await settleAll([alignedBenchmark, ...alignedPeers]);
  return {
    series,
    decidedAt,
    ...(gap !== null && { printsGap: gap }),
    ...(tape?.reach && { printsReach: tape.reach }),
    input: {
      bars: series.bars,
      ...(first > 0 && { earlier: sliceBars(whole.bars, 0, first) }),
      assetClass: instrument.asset_class,
      benchmark: benchmarkSeries?.bars ?? null,
      isBenchmark,
      peers: cachedPeers ?? peerSeries.flatMap((one) => one?.bars ?? []),
      universe,
      ...(tape !== null && { prints: tape.prints, printsSource: tape.source }),
    },
  };
}

/** Returns a promise whose failure before it is awaited does not end the process. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Awaits the values only if one of them is a promise. */
const settleAll = async <T>(all: readonly (T | Promise<T>)[]): Promise<readonly T[]> =>
  all.some((one) => one instanceof Promise) ? Promise.all(all) : (all as readonly T[]);

function tooFew(
  instrument: Instrument,
  { have, timeframe }: { readonly have: number; readonly timeframe: Timeframe },
  symbols: Symbols,
): ToolError {
  const { symbol } = instrument;
  const { message, hint } = missingDataError(symbols, instrument) ?? {
    message: `${symbol} has ${have} closed ${timeframe} bars; a signal needs ${MIN_BARS}, a score ${MIN_SCORE_BARS}`,
    hint: "Request another timeframe, a later time or another symbol.",
  };
  return new ToolError("NOT_ENOUGH_DATA", message, {
    hint,
    data: { symbol, available: have, required: MIN_BARS },
  });
}

/**
 * Finds the benchmark: SPY, or BTC-USD for crypto. Undefined if the market lacks it or if the instrument is the
 * benchmark itself.
 */
export function benchmarkOf(instrument: Instrument, symbols: Symbols) {
  const name = BENCHMARKS[kindOf(instrument)];
  const isBenchmark = instrument.symbol === name;
  const benchmark = isBenchmark ? undefined : symbols.members().find((one) => one.symbol === name);
  return { isBenchmark, benchmark };
}

/**
 * Returns the instrument's momentum rank. Ranks use daily bars: other timeframes use the newest daily bar closed by
 * then. A market whose bars are read one symbol per call has the ranks of its newest nightly run. Null without ranks or
 * a daily bar.
 */
async function ranksOf(
  instrument: Instrument,
  timeframe: Timeframe,
  series: BarSeries,
  known: { readonly asOf: number; readonly signal: AbortSignal },
  ports: GatherPorts,
): Promise<ConsensusInput["universe"]> {
  const kind = kindOf(instrument);
  const isStored = ports.symbols.universe().length === 0;
  // without stored ranks, no daily bars are requested
  if (isStored && (await ports.engineRuns.ranks(kind, known.asOf)) === null) return null;
  const limit = isStored ? barsPerYear(instrument.asset_class) + 1 : 1;
  const daily =
    timeframe === "1d"
      ? series
      : await seriesOrNull(ports.bars, instrument, { ...known, timeframe: "1d", limit });
  const time = daily?.bars.time.at(-1);
  if (time === undefined || daily === null || daily.as_of === null) return null;
  if (isStored) {
    const ranks = await ports.engineRuns.ranks(kind, time);
    return ranks && storedRank(instrument, daily.bars, ranks);
  }
  const asOf = Date.parse(daily.as_of);
  return rankedIn(instrument, await rankUniverse(instrument, { time, asOf }, ports));
}

const rankedIn = ({ symbol }: Instrument, ranks: RankUniverse | null): ConsensusInput["universe"] =>
  ranks && {
    returns: ranks.values,
    own: ranks.returns.get(symbol) ?? null,
    hash: ranks.hash,
    time: ranks.time,
  };
