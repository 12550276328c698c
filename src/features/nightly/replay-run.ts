import { createHash } from "node:crypto";
import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import { BENCHMARKS, type Instrument } from "../../domain/market/market.ts";
import { HORIZONS } from "../../domain/track-record/track.ts";
import type { ReplayedSignal, ReplayRequest } from "../../domain/track-record/track-port.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { type GatherPorts, type GatherRequest, gather } from "../signal/gather.ts";
import { digestOnce } from "../signal/inputs-hash.ts";
import { replayedSignal, SCORED_BARS } from "../signal/logged.ts";
import { outcomesOf } from "../track-record/outcomes.ts";
import { type PastSeries, pastBars, pastMoments, pastSeries } from "./past.ts";
import { pastRanks } from "./ranks.ts";
import { membersOf, noMembers } from "./universe.ts";

/** Maximum daily bars read per series, about 25 years. */
const MAX_BARS = 6_500;
/** Number of days from one close with odds to the next: odds take longer than the signal, and those of neighbouring closes are alike. */
export const FORECAST_DAYS = 5;
const CONCURRENCY = { live: 4, local: 8 } as const;
/** Number of signals of a part. */
const PART_SIZE = 2_000;
const DAY = 86_400_000;

/** Closes of a replay that one job computes and writes. */
export interface ClosesPart {
  /** First close, epoch ms. */
  readonly first: number;
  /** Last close, included, epoch ms. */
  readonly last: number;
  /** Number of closes. */
  readonly closes: number;
}

interface ComputeOptions {
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly onClose: (done: number) => void;
}

export type ReplayRun = Awaited<ReturnType<typeof openReplay>>;

/** Reads the series of a replay, which computes one part at a time. Rejects like `TrackRecordBuilder.replay`. */
export async function openReplay(
  request: ReplayRequest & { readonly signal: AbortSignal },
  ports: GatherPorts,
) {
  const { universe, from = Number.NEGATIVE_INFINITY, every = 1 } = request;
  const { symbols } = ports;
  const instruments = membersOf({ name: universe }, ports).flatMap(
    (symbol) => symbols.find(symbol)?.instrument ?? [],
  );
  if (instruments.length === 0) throw noMembers(universe);
  const { seriesBySymbol, failures } = await readAll(instruments, request, ports);
  const members = instruments.flatMap((one) => seriesBySymbol.get(one.symbol) ?? []);
  const { moments, includes } = pastMoments(members, { from, every });
  if (moments.length === 0)
    throw new ToolError("NOT_ENOUGH_DATA", nothingToReplay(universe, members, from), {
      hint: "Choose an earlier start, or add history.",
      data: { failures: failures.length },
    });

  const past = pastBars(seriesBySymbol);
  const ranks = pastRanks(instruments, { symbols, past });
  /** Number of signals at each close. */
  const sizes = new Map<number, number>();
  /** Closes with a forecast, by symbol. */
  const forecasts = new Map<string, ReadonlySet<number>>();
  for (const one of members) {
    const closes = one.closes.filter((_, index) => includes(one, index));
    for (const close of closes) sizes.set(close, (sizes.get(close) ?? 0) + 1);
    const hasForecast = (_: number, count: number) => count % Math.ceil(FORECAST_DAYS / every) === 0;
    forecasts.set(one.instrument.symbol, new Set(closes.filter(hasForecast)));
  }

  return {
    members,
    failures,
    /** Closes to replay, ascending, epoch ms; at least one. */
    moments,
    /** Identifies the model, the closes and the bars: replays with the same compute the same signals. */
    content: contentOf(moments, seriesBySymbol),
    /**
     * Splits the closes into parts of whole days, because the closes of a day share ranks. Each part but the last has at
     * least `size` signals. Default: 2,000.
     */
    parts(size = PART_SIZE): readonly ClosesPart[] {
      const parts: ClosesPart[] = [];
      let signals = 0;
      for (const moment of moments) {
        const part = parts.at(-1);
        if (part === undefined || (signals >= size && dayOf(part.last) < dayOf(moment))) {
          parts.push({ first: moment, last: moment, closes: 1 });
          signals = 0;
        } else parts[parts.length - 1] = { ...part, last: moment, closes: part.closes + 1 };
        signals += sizes.get(moment)!;
      }
      return parts;
    },
    /** Computes the signals at the closes of a part; `onClose` is called with the number of closes computed. */
    async compute(
      { first, last }: ClosesPart,
      { runId, signal, onClose }: ComputeOptions,
    ): Promise<readonly ReplayedSignal[]> {
      const replayed: ReplayedSignal[] = [];
      const due = moments.filter((moment) => first <= moment && moment <= last);
      for (const [done, moment] of due.entries()) {
        signal.throwIfAborted();
        past.setMoment(moment);
        const digest = digestOnce();
        for (const one of members) {
          const index = past.placeOf(one);
          if (one.closes[index] !== moment || !includes(one, index)) continue;
          const { instrument, closes, series, ranges } = one;
          const inputs: GatherRequest = {
            timeframe: "1d",
            asOf: moment,
            signal,
            ranks,
            cachedSeries: past.peek,
          };
          const gathered = await gather(instrument, inputs, { ...ports, bars: past });
          const withForecast = forecasts.get(instrument.symbol)!.has(moment);
          const origin = { origin: "replay", run_id: runId, withForecast } as const;
          const logged = replayedSignal(instrument, gathered, origin, digest);
          if (logged === null) continue;
          const closedAt = (bar: number) => new Date(closes[bar]!).toISOString();
          const request = { bars: series.bars, at: index, horizons: HORIZONS, atr: ranges, closedAt };
          replayed.push({ logged, outcomes: outcomesOf(logged, request) });
        }
        onClose(done + 1);
        await yieldToEventLoop();
      }
      return replayed;
    },
  };
}

/** Returns the day whose bars close at a time, in days since 1970; a day of crypto ends at midnight. */
const dayOf = (close: number): number => Math.floor((close - 1) / DAY);

function contentOf(moments: readonly number[], seriesBySymbol: ReadonlyMap<string, PastSeries>): string {
  const hash = createHash("sha256").update(`${MODEL_VERSION}\n`).update(Float64Array.from(moments));
  const sorted = [...seriesBySymbol].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [symbol, { series, closes }] of sorted) {
    const { open, high, low, close, volume } = series.bars;
    hash.update(`${symbol}\n`);
    for (const column of [closes, open, high, low, close, volume]) hash.update(column);
  }
  return hash.digest("hex").slice(0, 32);
}

/**
 * Reads the series of members and of their peers, benchmarks and ranking universe. An unreadable member is reported as
 * a failure.
 */
async function readAll(
  members: readonly Instrument[],
  { signal, progress }: ReplayRequest & { readonly signal: AbortSignal },
  { symbols, bars, market }: GatherPorts,
) {
  const names: readonly string[] = Object.values(BENCHMARKS);
  const benchmarks = symbols.members().filter(({ symbol }) => names.includes(symbol));
  const companions = [...symbols.universe(), ...members.flatMap((one) => symbols.peers(one)), ...benchmarks];
  const wanted = new Map([...members, ...companions].map((one) => [one.symbol, one]));
  const own = new Set(members.map(({ symbol }) => symbol));
  const seriesBySymbol = new Map<string, PastSeries>();
  const failures: { readonly symbol: string; readonly message: string }[] = [];
  let read = 0;
  await forEachConcurrent(
    market.mode === "live" ? CONCURRENCY.live : CONCURRENCY.local,
    wanted.values(),
    async (instrument) => {
      signal.throwIfAborted();
      const { symbol } = instrument;
      try {
        const series = await bars.history(instrument, { timeframe: "1d", limit: MAX_BARS, signal });
        seriesBySymbol.set(symbol, pastSeries(instrument, series));
      } catch (cause) {
        signal.throwIfAborted();
        const { message } = asToolError(cause);
        if (own.has(symbol)) failures.push({ symbol, message });
      }
      progress?.({ done: ++read, total: wanted.size, message: "bars read" });
    },
  );
  return { seriesBySymbol, failures: failures.sort((a, b) => (a.symbol < b.symbol ? -1 : 1)) };
}

/** Formats the reason why there is no close to replay. */
function nothingToReplay(universe: string, members: readonly PastSeries[], from: number): string {
  const newest = Math.max(...members.map(({ closes }) => closes.at(-1) ?? Number.NEGATIVE_INFINITY));
  return newest < from && Number.isFinite(newest)
    ? `No bar of ${universe} has closed since ${isoOf(from)}; the newest close is ${isoOf(newest)}`
    : `No member of ${universe} has ${SCORED_BARS} daily bars before a close to replay`;
}

const isoOf = (epochMs: number): string => new Date(epochMs).toISOString();
