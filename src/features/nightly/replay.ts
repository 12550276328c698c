import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import { BENCHMARKS, type Instrument } from "../../domain/market/market.ts";
import { HORIZONS, type SignalOutcome } from "../../domain/track-record/track.ts";
import type {
  ForecastSignal,
  ReplayReport,
  ReplayRequest,
  TrackRepository,
} from "../../domain/track-record/track-port.ts";
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
/** Every nth daily close has odds: paths take longer than the signal, and neighbouring closes say the same. */
export const FORECAST_DAYS = 5;
const CONCURRENCY = { live: 4, local: 8 } as const;
/** Number of signals written in one batch. */
const BATCH_SIZE = 2_000;

export interface ReplayPorts extends GatherPorts {
  readonly repository: TrackRepository;
}

/** Result of a replay, without the track record built from it. */
export type ReplaySummary = Omit<ReplayReport, "record">;

/**
 * Computes the signals of a universe at its past closes, in order. Every input, including ranks, is as it
 * was known at that close; outcomes are computed from later bars. Rejects like `TrackRecordBuilder.replay`.
 */
export async function replayUniverse(
  request: ReplayRequest & { readonly runId: string; readonly signal: AbortSignal },
  ports: ReplayPorts,
): Promise<ReplaySummary> {
  const { universe, from = Number.NEGATIVE_INFINITY, every = 1, runId, signal } = request;
  const { symbols, repository } = ports;
  const instruments = membersOf({ name: universe }, ports).flatMap(
    (symbol) => symbols.find(symbol)?.instrument ?? [],
  );
  if (instruments.length === 0) throw noMembers(universe);
  const { seriesBySymbol, failures } = await readAll(instruments, request, ports);
  const members = instruments.flatMap((one) => seriesBySymbol.get(one.symbol) ?? []);
  const { moments, includes } = pastMoments(members, { from, every });
  const [first] = moments;
  const last = moments.at(-1);
  if (first === undefined || last === undefined)
    throw new ToolError("NOT_ENOUGH_DATA", nothingToReplay(universe, members, from), {
      hint: "Choose an earlier start, or add history.",
      data: { failures: failures.length },
    });

  const past = pastBars(seriesBySymbol);
  const ranks = pastRanks(instruments, { symbols, past });
  const origin = { origin: "replay", run_id: runId } as const;
  const replayedCloses = new Map<string, number>();
  const hasForecast = ({ symbol }: Instrument) => {
    const count = replayedCloses.get(symbol) ?? 0;
    replayedCloses.set(symbol, count + 1);
    return count % Math.ceil(FORECAST_DAYS / every) === 0;
  };
  let waiting: { readonly logged: ForecastSignal; readonly outcomes: readonly SignalOutcome[] }[] = [];
  let signals = 0;
  let outcomes = 0;
  const write = async () => {
    const ids = await repository.log(waiting.map(({ logged }) => logged));
    outcomes += await repository.score(
      waiting.flatMap((one, i) => one.outcomes.map((outcome) => ({ ...outcome, id: ids[i]! }))),
    );
    signals += waiting.length;
    waiting = [];
  };

  for (const [done, moment] of moments.entries()) {
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
      const withForecast = hasForecast(instrument);
      const logged = replayedSignal(instrument, gathered, { ...origin, withForecast }, digest);
      if (logged === null) continue;
      const closedAt = (bar: number) => new Date(closes[bar]!).toISOString();
      waiting.push({
        logged,
        outcomes: outcomesOf(logged, {
          bars: series.bars,
          at: index,
          horizons: HORIZONS,
          atr: ranges,
          closedAt,
        }),
      });
    }
    if (waiting.length >= BATCH_SIZE) await write();
    request.progress?.({ done: done + 1, total: moments.length, message: "closes replayed" });
    await yieldToEventLoop();
  }
  await write();
  return {
    run_id: runId,
    universe,
    model_version: MODEL_VERSION,
    moments: moments.length,
    from: new Date(first).toISOString(),
    until: new Date(last).toISOString(),
    symbols: members.length,
    signals,
    outcomes,
    failures,
  };
}

/**
 * Reads the series of members and of their peers, benchmarks and ranking universe. An unreadable member is reported as
 * a failure.
 */
async function readAll(
  members: readonly Instrument[],
  { signal, progress }: ReplayRequest & { readonly signal: AbortSignal },
  { symbols, bars, market }: ReplayPorts,
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
