import { barsPerYear } from "../../analytics/drivers/context.ts";
import { ranksThrough } from "../../analytics/score/ranks-through.ts";
import { TAPE_BARS, type TapeInput, tapeWriter } from "../../analytics/score/tape.ts";
import type { SignalTape } from "../../analytics/score/tape-columns.ts";
import { analyzeWyckoff } from "../../analytics/wyckoff/analysis.ts";
import { type Bars, sliceBars } from "../../domain/market/bars.ts";
import { type Instrument, kindOf, type MarketKind } from "../../domain/market/market.ts";
import type { Ports, Symbols } from "../../domain/ports.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { benchmarkOf } from "../signal/gather.ts";
import { seriesOrNull } from "../signal/series.ts";
import { MAX_BARS, type SymbolHistory } from "./histories.ts";
import type { StrategyPlan } from "./plan.ts";

const MAX_CONCURRENT = 4;
/** Bars processed between yields to the event loop. */
const BARS_PER_STEP = 25;

/** The series that a replay of signals reads, as plain data. */
export interface Companions {
  /** Bars by symbol, those of the run included. */
  readonly bars: Readonly<Record<string, Bars>>;
  /** Symbols with which each symbol of the run is compared. */
  readonly comparedWith: Readonly<
    Record<
      string,
      { readonly isBenchmark: boolean; readonly benchmark: string | null; readonly peers: readonly string[] }
    >
  >;
  /** Symbols among which each kind of instruments is ranked. */
  readonly ranked: Readonly<Partial<Record<MarketKind, readonly string[]>>>;
}

interface TapeRequest {
  readonly read: readonly SymbolHistory[];
  readonly companions: Companions;
  readonly needs: StrategyPlan["needs"];
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
}

export interface SignalTapes {
  readonly of: (symbol: string) => SignalTape | undefined;
  /** Bars of benchmarks, peers and ranked members. */
  readonly companions: readonly Bars[];
  /** Computes the tape of a symbol at one bar only, from data up to that bar. */
  readonly endedAt: (symbol: string, bar: number) => SignalTape;
}

/** Replays the signal of each symbol at the close of every daily bar, from data known at that close. */
export async function computeTapes({
  read,
  companions,
  needs,
  signal,
  progress,
}: TapeRequest): Promise<SignalTapes> {
  const company = comparisonInputsFor(companions);
  const total = read.reduce((sum, { series }) => sum + series.bars.time.length, 0);
  const tapes = new Map<string, SignalTape>();
  let done = 0;
  for (const { instrument, series } of read) {
    const { bars } = series;
    const writer = tapeWriter({ bars, ...company(instrument) }, { drivers: needs.drivers });
    const phase = needs.phase ? Array<string | null>(bars.time.length).fill(null) : [];
    for (let at = 0; at < bars.time.length; at += BARS_PER_STEP) {
      signal.throwIfAborted();
      writer.step(BARS_PER_STEP);
      for (let bar = at; bar < Math.min(at + BARS_PER_STEP, phase.length); bar++)
        phase[bar] = phaseAt(bars, bar);
      progress(done + Math.min(bars.time.length, at + BARS_PER_STEP), total);
      await yieldToEventLoop();
    }
    done += bars.time.length;
    tapes.set(instrument.symbol, needs.phase ? { ...writer.tape, phase } : writer.tape);
  }
  const endedAt = (symbol: string, bar: number): SignalTape => {
    const { instrument, series } = read.find((one) => one.instrument.symbol === symbol)!;
    const end = series.bars.time[bar]!;
    const cut = Object.entries(companions.bars).map(([name, bars]) => [name, newestUpTo(bars, end)] as const);
    const own = sliceBars(series.bars, 0, bar + 1);
    const writer = tapeWriter(
      { bars: own, ...comparisonInputsFor({ ...companions, bars: Object.fromEntries(cut) })(instrument) },
      { drivers: needs.drivers, from: bar },
    );
    writer.step(Number.POSITIVE_INFINITY);
    if (!needs.phase) return writer.tape;
    return { ...writer.tape, phase: [...Array<null>(bar).fill(null), phaseAt(own, bar)] };
  };
  const own = new Set(read.map(({ instrument }) => instrument.symbol));
  const others = Object.keys(companions.bars).filter((symbol) => !own.has(symbol));
  return {
    of: (symbol) => tapes.get(symbol),
    companions: others.sort().map((symbol) => companions.bars[symbol]!),
    endedAt,
  };
}

/** Returns the market phase at the close of a bar. */
const phaseAt = (bars: Bars, bar: number): string | null => {
  const { phase } = analyzeWyckoff(sliceBars(bars, Math.max(0, bar + 1 - TAPE_BARS), bar + 1));
  return phase === "Undetermined" ? null : phase;
};

/** Returns the newest bars up to a time, at most as many as a signal reads. */
function newestUpTo(bars: Bars, time: number): Bars {
  const after = bars.time.findIndex((at) => at > time);
  const end = after === -1 ? bars.time.length : after;
  return sliceBars(bars, Math.max(0, end - TAPE_BARS), end);
}

const rankedIn = (symbols: Symbols, kind: MarketKind) =>
  symbols.universe().filter((one) => kindOf(one) === kind);

/**
 * Reads the bars of the benchmarks, peers and rank universes of symbols; each series once. Bars that closed after
 * `asOf` (epoch ms, default now) are not read.
 */
export async function readCompanions(
  read: readonly SymbolHistory[],
  { asOf, signal }: { readonly asOf?: number | undefined; readonly signal: AbortSignal },
  { symbols, bars }: Pick<Ports, "symbols" | "bars">,
): Promise<Companions> {
  const found = new Map(read.map(({ instrument, series }) => [instrument.symbol, series.bars]));
  const wanted = new Map<string, Instrument>();
  const comparedWith: Record<string, Companions["comparedWith"][string]> = {};
  const ranked: Partial<Record<MarketKind, readonly string[]>> = {};
  for (const { instrument } of read) {
    const { isBenchmark, benchmark } = benchmarkOf(instrument, symbols);
    const peers = symbols.peers(instrument);
    const among = rankedIn(symbols, kindOf(instrument));
    comparedWith[instrument.symbol] = {
      isBenchmark,
      benchmark: benchmark?.symbol ?? null,
      peers: peers.map(({ symbol }) => symbol),
    };
    ranked[kindOf(instrument)] = among.map(({ symbol }) => symbol);
    for (const one of [benchmark, ...peers, ...among])
      if (one !== undefined && !found.has(one.symbol)) wanted.set(one.symbol, one);
  }
  const until = asOf === undefined ? {} : { asOf };
  const request = { timeframe: "1d", limit: MAX_BARS.daily, signal, ...until } as const;
  await forEachConcurrent(MAX_CONCURRENT, wanted.values(), async (one) => {
    const series = await seriesOrNull(bars, one, request);
    if (series !== null) found.set(one.symbol, series.bars);
  });
  return { bars: Object.fromEntries(found), comparedWith, ranked };
}

/** Returns a function that selects the benchmark, peers and ranks of a symbol of the run. */
function comparisonInputsFor({
  bars,
  comparedWith,
  ranked,
}: Companions): (instrument: Instrument) => Omit<TapeInput, "bars"> {
  const ranksOf = (kind: MarketKind, year: number) => {
    const members = (ranked[kind] ?? []).flatMap((symbol) => {
      const had = bars[symbol];
      return had === undefined ? [] : [[symbol, had] as const];
    });
    return members.length === 0 ? null : ranksThrough(members, year);
  };
  const ranks = new Map<MarketKind, ReturnType<typeof ranksOf>>();
  return (instrument) => {
    const kind = kindOf(instrument);
    const { isBenchmark, benchmark, peers } = comparedWith[instrument.symbol]!;
    const among = ranks.has(kind) ? ranks.get(kind)! : ranksOf(kind, barsPerYear(instrument.asset_class));
    ranks.set(kind, among);
    return {
      assetClass: instrument.asset_class,
      benchmark: (benchmark === null ? undefined : bars[benchmark]) ?? null,
      isBenchmark,
      peers: peers.flatMap((symbol) => bars[symbol] ?? []),
      universeAt: among?.(instrument.symbol) ?? (() => null),
    };
  };
}
