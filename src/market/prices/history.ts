import { LRUCache } from "lru-cache";
import { TIMEFRAME_MS, type Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass, Instrument } from "../../domain/market/market.ts";
import type { CachedBars, MarketCache } from "../../domain/market/market-cache-port.ts";
import type { BarHistory, Clock } from "../../domain/ports.ts";
import { barCloseMs } from "../calendar/calendar.ts";
import { callWhenFree, withInteractiveReserve } from "../failover/background-calls.ts";
import { ChainFailure, callInOrder, type FirstAnswer } from "../failover/chain.ts";
import type { Guarded } from "../failover/guard.ts";
import { noProviderError } from "../failover/provider-errors.ts";
import { createSingleFlight } from "../failover/single-flight.ts";
import { baseOf, stepsTo } from "./aggregate.ts";
import { barDefects } from "./bar-defects.ts";
import { type CachedSeries, prepareBars, seriesOf, toCachedSeries } from "./cached-series.ts";
import { zoneFor } from "./sanitize-bars.ts";
import { isRegularSession, windowStart } from "./windows.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Bars fetched at once: what the longest question needs, so that one call serves every question of the next minutes. */
const FETCH_LIMIT = 510;
/** How long cached bars are returned without a request: while their market trades, and while it is closed. */
const CACHE_TTL_MS = { open: MINUTE, closed: 15 * MINUTE } as const;
const MAX_STALE_MS = 7 * DAY;
const MAX_ENTRIES = 2_000;
const MAX_PAST_WINDOWS = 200;
/** How long an unknown symbol is cached. */
const UNKNOWN_MS = MINUTE;
/** Least time between two requests to one provider, even if a bar has just closed. */
const MIN_CACHE_MS = 5_000;
/** How long background work uses cached bars that cover the requested moment. */
const BACKGROUND_TTL_MS = 12 * 60 * MINUTE;
/** Longer than any response takes: background work sends no hedged second request. */
const UNHEDGED_MS = 5_000;

export interface LiveHistoryOptions {
  readonly chain: (instrument: Instrument) => readonly Guarded[];
  readonly memory: MarketCache;
  readonly clock: Clock;
}

export interface LiveBars extends BarHistory {
  /**
   * The same bars for work that nobody waits for: a call waits for the budgets of the sources as long as its signal allows,
   * leaves people their share of them, and takes no stale bars for those of the moment asked about.
   */
  readonly background: BarHistory;
}

/** Who waits for an answer. */
interface CallMode {
  readonly patient: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Bars of real sources: cleaned, closed as of the moment asked about, whole windows from one source. Kept until a
 * bar closes or a minute passes; when no source answers, the last known bars are told as stale.
 */
export function liveHistory({ chain, memory, clock }: LiveHistoryOptions): LiveBars {
  const shelves = new LRUCache<string, CachedSeries>({ max: MAX_ENTRIES });
  const moments = new LRUCache<string, CachedSeries>({ max: MAX_PAST_WINDOWS });
  const unknown = new LRUCache<string, number>({ max: MAX_ENTRIES });
  const flight = createSingleFlight<CachedSeries>();
  const now = () => clock.now().getTime();

  async function fetched(
    instrument: Instrument,
    { timeframe, needed, from, at }: Window,
    { patient, signal }: CallMode & { readonly signal: AbortSignal },
  ): Promise<FirstAnswer<CachedBars>> {
    const assetClass = instrument.asset_class;
    const sources = orderedProviders(chain(instrument), timeframe, {
      needed: now() - needed,
      end: now() - at,
    });
    const ask = (guards: readonly Guarded[]) =>
      callInOrder(
        guards,
        async ({ provider: source, state }, stop) => {
          const base = baseOf(timeframe, source.reaches)!;
          const start = Math.max(from, reachOf(source.reaches[base]!, timeframe, assetClass));
          const said = await source.history!(instrument, {
            timeframe: base,
            from: start,
            until: at,
            signal: stop,
          });
          const skewMs = state().skewMs ?? 0;
          return prepareBars(said, source, {
            assetClass,
            timeframe,
            base,
            from: start,
            at,
            now: now(),
            skewMs,
          });
        },
        {
          signal,
          best: (kept) => barDefects(kept, timeframe, assetClass) === 0,
          better: (kept, other) =>
            barDefects(kept, timeframe, assetClass) < barDefects(other, timeframe, assetClass),
          ...(patient && { hedgeMs: UNHEDGED_MS }),
        },
      );
    return patient ? callWhenFree(sources.map(withInteractiveReserve), signal, ask) : ask(sources);
  }

  /** One call for everybody who asks meanwhile, and one more for those whose window is longer than that of the first. */
  async function together(
    key: string,
    needed: number,
    work: (stop: AbortSignal) => Promise<CachedSeries>,
    { patient, signal }: CallMode,
  ): Promise<CachedSeries> {
    // nobody who waits joins a call that does not hurry
    const own = patient ? `${key}|unhurried` : key;
    const shelf = await flight(own, work, signal);
    return shelf.coversFrom <= needed ? shelf : flight(`${own}|${needed}`, work, signal);
  }

  /** The first whole bar that a source can give that reaches so many days back; a session is whole from its open. */
  function reachOf(days: number, timeframe: Timeframe, assetClass: AssetClass): number {
    const whole = assetClass === "crypto" ? TIMEFRAME_MS[timeframe] : DAY;
    return Math.ceil((now() - days * DAY) / whole) * whole;
  }

  /** The newest bars there are, asked for where what is held is too old or too short; `at`: the moment that matters, epoch ms. */
  async function newest(
    instrument: Instrument,
    { timeframe, limit, at }: { readonly timeframe: Timeframe; readonly limit: number; readonly at?: number },
    how: CallMode,
  ) {
    const { symbol, asset_class: assetClass } = instrument;
    const key = `${symbol}|${timeframe}`;
    const wanted = windowStart(timeframe, limit, now(), assetClass);
    const last = shelves.get(key) ?? (await remembered(instrument, timeframe));
    // what a wrong clock kept is of a time that has not been
    const held = last !== null && last.metadata.fetchedAt > now() + MINUTE ? null : last;
    const spares = ({ metadata: kept }: CachedSeries) =>
      how.patient &&
      at !== undefined &&
      kept.at >= at &&
      Math.abs(now() - kept.fetchedAt) < BACKGROUND_TTL_MS;
    if (
      held !== null &&
      held.coversFrom <= wanted &&
      (spares(held) || isFresh(held.metadata, timeframe, assetClass, now()))
    ) {
      const shelf: CachedSeries = held.place === "asked" ? { ...held, place: "memory" } : held;
      shelves.set(key, shelf);
      return { shelf, stale: false };
    }
    if (isUnknown(symbol)) return { shelf: null, stale: false };
    try {
      const from = windowStart(timeframe, Math.max(limit, FETCH_LIMIT), now(), assetClass);
      const work = async (stop: AbortSignal) => {
        const window = { timeframe, needed: wanted, from, at: now() };
        const { answer, tried } = await fetched(instrument, window, { ...how, signal: stop });
        const shelf = toCachedSeries(answer, {
          timeframe,
          assetClass,
          tried,
          place: "asked",
          needed: wanted,
        });
        shelves.set(key, shelf);
        memory.saveBars(symbol, timeframe, answer);
        return shelf;
      };
      return { shelf: await together(key, wanted, work, how), stale: false };
    } catch (cause) {
      if (!(cause instanceof ChainFailure)) throw cause;
      if (cause.unknown) return nothing(symbol);
      if (how.patient) throw noProviderError(instrument, cause.tried, timeframe);
      if (held === null || held.coversFrom > wanted || now() - held.metadata.fetchedAt > MAX_STALE_MS)
        throw noProviderError(instrument, cause.tried, timeframe);
      return { shelf: { ...held, tried: cause.tried }, stale: true };
    }
  }

  /** Bars as they stood at a moment that has passed: cut from the newest ones where these reach so far back. */
  async function past(
    instrument: Instrument,
    { timeframe, limit, at }: { readonly timeframe: Timeframe; readonly limit: number; readonly at: number },
    how: CallMode,
  ) {
    const { symbol, asset_class: assetClass } = instrument;
    const from = windowStart(timeframe, limit, at, assetClass);
    if (from >= windowStart(timeframe, FETCH_LIMIT, now(), assetClass))
      return newest(instrument, { timeframe, limit: FETCH_LIMIT, at }, how);
    if (isUnknown(symbol)) return { shelf: null, stale: false };
    const key = `${symbol}|${timeframe}|${at}`;
    const held = moments.get(key);
    if (held !== undefined && held.coversFrom <= from)
      return { shelf: { ...held, place: "memory" } as CachedSeries, stale: false };
    try {
      const start = windowStart(timeframe, Math.max(limit, FETCH_LIMIT), at, assetClass);
      const work = async (stop: AbortSignal) => {
        const { answer, tried } = await fetched(
          instrument,
          { timeframe, needed: from, from: start, at },
          { ...how, signal: stop },
        );
        const shelf = toCachedSeries(answer, { timeframe, assetClass, tried, place: "asked", needed: from });
        moments.set(key, shelf);
        return shelf;
      };
      return { shelf: await together(key, from, work, how), stale: false };
    } catch (cause) {
      if (!(cause instanceof ChainFailure)) throw cause;
      if (cause.unknown) return nothing(symbol);
      throw noProviderError(instrument, cause.tried, timeframe);
    }
  }

  const isUnknown = (symbol: string): boolean => {
    const since = unknown.get(symbol);
    return since !== undefined && Math.abs(now() - since) < UNKNOWN_MS;
  };
  const nothing = (symbol: string) => {
    unknown.set(symbol, now());
    return { shelf: null, stale: false };
  };

  async function remembered(instrument: Instrument, timeframe: Timeframe): Promise<CachedSeries | null> {
    const kept = await memory.bars(instrument.symbol, timeframe);
    if (kept === null) return null;
    return toCachedSeries(kept, { timeframe, assetClass: instrument.asset_class, tried: [], place: "store" });
  }

  const history =
    (patient: boolean): BarHistory["history"] =>
    async (instrument, { timeframe, limit, asOf, signal }) => {
      signal?.throwIfAborted();
      const how = { patient, signal };
      const looksBack = asOf !== undefined && asOf < now();
      const { shelf, stale } = looksBack
        ? await past(instrument, { timeframe, limit, at: asOf }, how)
        : await newest(instrument, { timeframe, limit }, how);
      return seriesOf(shelf, { instrument, timeframe, limit, at: looksBack ? asOf : null, stale });
    };
  return { history: history(false), background: { history: history(true) } };
}

interface Window {
  readonly timeframe: Timeframe;
  /** Start of the bars that somebody waits for, epoch ms. */
  readonly needed: number;
  /** Start of those asked for, which may be more. */
  readonly from: number;
  /** The moment they are to end at. */
  readonly at: number;
}

/**
 * Sources that can give these bars: those that reach back far enough first, among them those that have the length
 * itself, then those it is made of with the fewest bars.
 */
function orderedProviders(
  guards: readonly Guarded[],
  timeframe: Timeframe,
  /** How far back the window begins and ends, ms. */
  back: { readonly needed: number; readonly end: number },
): readonly Guarded[] {
  const reach = ({ provider: source }: Guarded) =>
    (source.reaches[baseOf(timeframe, source.reaches)!] ?? 0) * DAY;
  const able = guards.filter(
    (guarded) =>
      guarded.provider.history !== undefined &&
      baseOf(timeframe, guarded.provider.reaches) !== null &&
      reach(guarded) > back.end,
  );
  const isShort = (guarded: Guarded) => Number(reach(guarded) < back.needed);
  const steps = ({ provider: source }: Guarded) => stepsTo(timeframe, source.reaches);
  return able.toSorted((a, b) => isShort(a) - isShort(b) || steps(a) - steps(b));
}

function isFresh(
  kept: CachedSeries["metadata"],
  timeframe: Timeframe,
  assetClass: AssetClass,
  now: number,
): boolean {
  const open = isRegularSession(assetClass, now);
  if (open !== isRegularSession(assetClass, kept.fetchedAt)) return false;
  const { forming, fetchedAt, at } = kept;
  const age = now - fetchedAt;
  if (age < 0) return false; // a clock that was set back makes nothing fresh
  // the source can have seen the end of the bar in the making as late as it lags
  const seen =
    forming === null
      ? null
      : barCloseMs(forming.time, timeframe, zoneFor(assetClass)) + Math.max(0, fetchedAt - at);
  if (seen !== null && seen <= now && age >= MIN_CACHE_MS) return false;
  return age < (open ? CACHE_TTL_MS.open : CACHE_TTL_MS.closed);
}
