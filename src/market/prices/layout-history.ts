import type { BarTimeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CachedBars } from "../../domain/market/market-cache-port.ts";
import type { BarLayout } from "../../domain/market/trading-hours.ts";
import type { BarHistory } from "../../domain/ports.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { callWhenFree, withInteractiveReserve } from "../failover/background-calls.ts";
import { ChainFailure, type ChainResult, callInOrder } from "../failover/chain.ts";
import type { Guarded } from "../failover/guard.ts";
import { noProviderError } from "../failover/provider-errors.ts";
import { createSingleFlight } from "../failover/single-flight.ts";
import { baseOf } from "./aggregate.ts";
import { barDefects } from "./bar-defects.ts";
import { type CachedSeries, prepareBars, seriesOf, toCachedSeries } from "./cached-series.ts";
import { orderedProviders, type PriceDeps } from "./provider-order.ts";
import { isSeriesFresh } from "./series-freshness.ts";
import { fetchLimit, reachStart, windowStart } from "./windows.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const MAX_STALE_MS = 7 * DAY;
const MAX_ENTRIES = 2_000;
const MAX_PAST_WINDOWS = 200;
/** Time for which an unknown symbol is cached, ms. */
const UNKNOWN_MS = MINUTE;
/** Time for which cached bars that were fetched after a past time answer requests as of that time, ms. */
const PAST_TTL_MS = 12 * 60 * MINUTE;
/** Hedge delay of background work, ms; longer than any response takes, so that no second request is sent. */
const UNHEDGED_MS = 5_000;

export interface LiveBars extends BarHistory {
  /**
   * The same bars for background work: waits for call budgets until its signal aborts, leaves the interactive share of
   * the budgets, and never returns stale bars.
   */
  readonly background: BarHistory;
}

export interface LiveBarsOptions extends PriceDeps {
  /** Returns how the operator gets a second provider of these bars; null if there are several. Default: null. */
  readonly barsAdvice?: (instrument: Instrument, timeframe: BarTimeframe) => string | null;
}

/** Mode of a request; `background`: true if it waits for call budgets. */
interface CallMode {
  readonly background: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Serves the bars of one layout, like `liveHistory`, with a cache of their own. */
export function layoutHistory(
  { chain, memory, clock, barsAdvice = () => null }: LiveBarsOptions,
  layout: BarLayout,
): LiveBars {
  const series = createBoundedCache<string, CachedSeries>({ name: "bars", max: MAX_ENTRIES });
  const pastWindows = createBoundedCache<string, CachedSeries>({ name: "past bars", max: MAX_PAST_WINDOWS });
  const unknown = createBoundedCache<string, number>({ name: "symbols without bars", max: MAX_ENTRIES });
  const flight = createSingleFlight<CachedSeries>();
  const now = () => clock.now().getTime();

  const outage = (instrument: Instrument, timeframe: BarTimeframe, { tried }: ChainFailure) =>
    noProviderError(instrument, {
      tried,
      guards: chain(instrument),
      now: now(),
      timeframe,
      extendedHours: layout !== "regular",
      advice: barsAdvice(instrument, timeframe),
    });

  async function fetched(
    instrument: Instrument,
    { timeframe, needed, from, at, actions = false }: Window & { readonly at: number },
    { background, signal }: CallMode & { readonly signal: AbortSignal },
  ): Promise<ChainResult<CachedBars>> {
    const assetClass = instrument.asset_class;
    const usable = chain(instrument).filter(({ provider }) => !actions || provider.hasActions === true);
    const providers = orderedProviders(usable, timeframe, {
      needed: now() - needed,
      end: now() - at,
    });
    const call = (guards: readonly Guarded[]) =>
      callInOrder(
        guards,
        async ({ provider, state }, stop) => {
          const base = baseOf(timeframe, provider.reaches)!;
          const start = Math.max(from, reachStart(provider.reaches[base]!, now(), timeframe, assetClass));
          const response = await provider.history!(instrument, {
            timeframe: base,
            from: start,
            until: at,
            ...(layout !== "regular" && { extendedHours: true }),
            signal: stop,
          });
          const request = { assetClass, timeframe, base, from: start, at, now: now(), layout };
          return prepareBars(response, provider, { ...request, skewMs: state().skewMs ?? 0 });
        },
        {
          signal,
          best: (bars) => barDefects(bars, timeframe, assetClass) === 0,
          better: (bars, other) =>
            barDefects(bars, timeframe, assetClass) < barDefects(other, timeframe, assetClass),
          ...(background && { hedgeMs: UNHEDGED_MS }),
        },
      );
    return background ? callWhenFree(providers.map(withInteractiveReserve), signal, call) : call(providers);
  }

  /**
   * Fetches a window, once for concurrent requests, and passes it to `save`. Resolves with null if no provider knows
   * the symbol, which is then cached for a minute. Rejects with ChainFailure if no provider responds.
   */
  async function load(
    instrument: Instrument,
    window: Window,
    {
      key,
      mode,
      save,
    }: {
      readonly key: string;
      readonly mode: CallMode;
      readonly save: (entry: CachedSeries, answer: CachedBars) => void;
    },
  ): Promise<CachedSeries | null> {
    const { symbol, asset_class: assetClass } = instrument;
    const { timeframe, needed } = window;
    const since = unknown.get(symbol);
    if (since !== undefined && Math.abs(now() - since) < UNKNOWN_MS) return null;
    const work = async (stop: AbortSignal) => {
      const { answer, tried } = await fetched(
        instrument,
        { ...window, at: window.at ?? now() },
        { ...mode, signal: stop },
      );
      const entry = toCachedSeries(answer, { timeframe, assetClass, tried, servedFrom: "provider", needed });
      save(entry, answer);
      return entry;
    };
    try {
      return await sharedCall(key, needed, work, mode);
    } catch (cause) {
      if (!(cause instanceof ChainFailure && cause.unknown)) throw cause;
      unknown.set(symbol, now());
      return null;
    }
  }

  /**
   * Shares one call among concurrent requests. A request for a longer window than the shared one makes another call.
   */
  async function sharedCall(
    key: string,
    needed: number,
    work: (stop: AbortSignal) => Promise<CachedSeries>,
    { background, signal }: CallMode,
  ): Promise<CachedSeries> {
    // interactive requests do not join a background call
    const own = background ? `${key}|background` : key;
    const shared = await flight(own, work, signal);
    return shared.coversFrom <= needed ? shared : flight(`${own}|${needed}`, work, signal);
  }

  /**
   * Returns the newest bars; requests them if the cached ones are too old or too few. `at`: time as of which they are
   * requested, epoch ms.
   */
  async function newest(
    instrument: Instrument,
    {
      timeframe,
      limit,
      at,
      actions = false,
    }: Pick<Window, "timeframe" | "at" | "actions"> & { readonly limit: number },
    mode: CallMode,
  ) {
    const { symbol, asset_class: assetClass } = instrument;
    const key = `${symbol}|${timeframe}`;
    const needed = windowStart(timeframe, limit, now(), assetClass);
    const last = series.get(key) ?? (await storedSeries(instrument, timeframe));
    // an entry from the future was cached while the clock was wrong
    const isUnusable =
      last !== null &&
      (last.metadata.fetchedAt > now() + MINUTE || (actions && last.metadata.actions === null));
    const cached = isUnusable ? null : last;
    // closed bars change only if a split is adjusted for
    const coversPast = ({ metadata }: CachedSeries) =>
      at !== undefined && metadata.at >= at && Math.abs(now() - metadata.fetchedAt) < PAST_TTL_MS;
    if (
      cached !== null &&
      cached.coversFrom <= needed &&
      (coversPast(cached) || isSeriesFresh(cached.metadata, { timeframe, assetClass, layout }, now()))
    ) {
      const entry: CachedSeries =
        cached.servedFrom === "provider" ? { ...cached, servedFrom: "memory" } : cached;
      series.set(key, entry);
      return { entry, stale: false };
    }
    const from = windowStart(timeframe, Math.max(limit, fetchLimit(timeframe)), now(), assetClass);
    const save = (entry: CachedSeries, answer: CachedBars) => {
      series.set(key, entry);
      memory.saveBars(symbol, timeframe, answer);
    };
    try {
      const window = { timeframe, needed, from, actions };
      const call = actions ? `${key}|actions` : key;
      return { entry: await load(instrument, window, { key: call, mode, save }), stale: false };
    } catch (cause) {
      if (!(cause instanceof ChainFailure)) throw cause;
      const isUsable = (entry: CachedSeries) =>
        entry.coversFrom <= needed && now() - entry.metadata.fetchedAt <= MAX_STALE_MS;
      if (mode.background || cached === null || !isUsable(cached)) throw outage(instrument, timeframe, cause);
      const servedFrom = cached.servedFrom === "provider" ? "memory" : cached.servedFrom;
      return { entry: { ...cached, servedFrom, tried: cause.tried }, stale: true };
    }
  }

  /** Returns bars as of a past time, taken from the newest bars if these reach back far enough. */
  async function past(
    instrument: Instrument,
    {
      timeframe,
      limit,
      at,
    }: { readonly timeframe: BarTimeframe; readonly limit: number; readonly at: number },
    mode: CallMode,
  ) {
    const { symbol, asset_class: assetClass } = instrument;
    const from = windowStart(timeframe, limit, at, assetClass);
    const size = fetchLimit(timeframe);
    if (from >= windowStart(timeframe, size, now(), assetClass))
      return newest(instrument, { timeframe, limit: size, at }, mode);
    const key = `${symbol}|${timeframe}|${at}`;
    const cached = pastWindows.get(key);
    if (cached !== undefined && cached.coversFrom <= from)
      return { entry: { ...cached, servedFrom: "memory" } as CachedSeries, stale: false };
    const start = windowStart(timeframe, Math.max(limit, fetchLimit(timeframe)), at, assetClass);
    const save = (entry: CachedSeries) => void pastWindows.set(key, entry);
    try {
      const window = { timeframe, needed: from, from: start, at };
      return { entry: await load(instrument, window, { key, mode, save }), stale: false };
    } catch (cause) {
      throw cause instanceof ChainFailure ? outage(instrument, timeframe, cause) : cause;
    }
  }

  async function storedSeries(instrument: Instrument, timeframe: BarTimeframe): Promise<CachedSeries | null> {
    const stored = await memory.bars(instrument.symbol, timeframe);
    if (stored === null) return null;
    const assetClass = instrument.asset_class;
    return toCachedSeries(stored, { timeframe, assetClass, tried: [], servedFrom: "store" });
  }

  const history =
    (background: boolean): BarHistory["history"] =>
    async (instrument, { timeframe, limit, asOf, actions = false, signal }) => {
      signal?.throwIfAborted();
      const mode = { background, signal };
      const isPast = asOf !== undefined && asOf < now();
      const { entry, stale } = isPast
        ? await past(instrument, { timeframe, limit, at: asOf }, mode)
        : await newest(instrument, { timeframe, limit, actions }, mode);
      return seriesOf(entry, { instrument, timeframe, limit, at: isPast ? asOf : null, stale, layout });
    };
  return { history: history(false), background: { history: history(true) } };
}

interface Window {
  readonly timeframe: BarTimeframe;
  /** Start of the requested bars, epoch ms. */
  readonly needed: number;
  /** Start of the bars to fetch, epoch ms; may be earlier than `needed`. */
  readonly from: number;
  /** End of the window, epoch ms. Default: the time at which the fetch starts. */
  readonly at?: number;
  /** True requests the bars of a provider whose bars carry splits and dividends. Default: false. */
  readonly actions?: boolean;
}
