import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { QuoteStreams } from "../../domain/market/quote-streams-port.ts";
import { noPeers, type Peers } from "../../domain/peers-port.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import type { ProviderQuote } from "../../domain/providers/price-provider.ts";
import type { QuoteStreamProvider } from "../../domain/providers/quote-stream.ts";
import type { WebSocketConstructor } from "../../lib/websocket.ts";
import { withDayFigures } from "./day-figures.ts";
import { createLeaderStream, type LeaderStream } from "./leader-stream.ts";
import { createStreamConnection, type StreamConnection } from "./stream-connection.ts";
import { streamedQuote, validateQuote } from "./validate-quote.ts";
import type { Witness } from "./witness.ts";

/** Time for which a symbol without listeners stays subscribed, ms. */
const IDLE_MS = 60_000;
/** Interval at which symbols without a stream are tried again, ms. */
const RETRY_MS = 60_000;
/** Age above which a streamed price is no longer used, ms; the price is requested instead. */
const MAX_AGE_MS = 60_000;

export interface QuoteHubOptions {
  /** Providers in order of preference. */
  readonly providers: readonly QuoteStreamProvider[];
  readonly WebSocket: WebSocketConstructor;
  readonly clock: Clock;
  readonly log: Log;
  /** Knows the prices that were confirmed; without it, none of the streamed prices is called live. */
  readonly witness: Pick<Witness, "isWitnessed">;
  /** Other processes, among which only the leader connects to the providers and passes the prices on. Default: none. */
  readonly peers?: Peers;
  /** Returns the instrument of a symbol that another process follows; null for an unknown one. */
  readonly find?: (symbol: string) => Instrument | null;
  /** Replace the defaults above, ms. */
  readonly idleMs?: number;
  readonly retryMs?: number;
  /** Pauses before a new connection, ms. */
  readonly firstPauseMs?: number;
  readonly rejectedPauseMs?: number;
}

/**
 * Streams of all providers. Each symbol is subscribed once, however many listeners it has. With peers, the leader has the
 * only connections, and the other processes receive its prices.
 */
export interface QuoteHub extends QuoteStreams {
  /**
   * Returns the last streamed price while its stream is open and the price is live; null otherwise, and if `requested`,
   * the last requested quote, is of a later trade. Day figures that the stream lacks are taken from that quote; null if
   * it is too old.
   */
  latest(instrument: Instrument, requested: CachedQuote | undefined): CachedQuote | null;
  /** Connects to the providers for all processes. Returns a function that ends it. No effect without peers. */
  lead(): () => void;
  /** Closes all connections and clears all timers. */
  close(): void;
}

type Source = StreamConnection | LeaderStream;

interface StreamedSymbol {
  readonly instrument: Instrument;
  readonly listeners: Set<(quote: Quote) => void>;
  /** Providers that do not stream it. */
  readonly refusedBy: Set<Source>;
  /** Null while no provider streams it. */
  source: { readonly connection: Source; readonly symbol: string } | null;
  quote: CachedQuote | null;
  idle?: NodeJS.Timeout | undefined;
}

/** Creates the streams over the given providers. No connection is opened before the first listener. */
export function createQuoteHub({
  providers,
  WebSocket,
  clock,
  log,
  witness,
  peers = noPeers,
  find = () => null,
  idleMs = IDLE_MS,
  retryMs = RETRY_MS,
  ...pauses
}: QuoteHubOptions): QuoteHub {
  const now = () => clock.now().getTime();
  const streamed = new Map<string, StreamedSymbol>();
  const bySource = new Map<Source, Map<string, StreamedSymbol>>();
  let retrying: NodeJS.Timeout | undefined;
  let isClosed = false;

  for (const provider of providers) {
    const { name } = provider;
    const symbols = new Map<string, StreamedSymbol>();
    const connection: StreamConnection = createStreamConnection(provider, {
      ...pauses,
      WebSocket,
      now,
      onOpen: () => log.info("stream_opened", { provider: name }),
      onQuote: (symbol, quote) => receive(symbols.get(symbol), provider, quote),
      onWithdrawn: (symbol) => setQuote(symbols.get(symbol), null),
      onRefused(refused) {
        for (const symbol of refused) {
          const entry = symbols.get(symbol);
          if (entry === undefined) continue;
          entry.refusedBy.add(connection);
          detach(entry);
          assign(entry);
        }
      },
      onLost(failure, isDown) {
        log.warn("stream_lost", { provider: name, failure });
        for (const entry of [...symbols.values()]) {
          setQuote(entry, null);
          if (isDown) move(entry);
        }
      },
    });
    bySource.set(connection, symbols);
  }
  const providerSources: readonly Source[] = [...bySource.keys()];
  const leader = peers === noPeers ? null : followLeader(peers);
  /** Current sources of prices: in the leader the providers, in the other processes the leader. */
  let sources = leader === null ? providerSources : [leader];

  function followLeader(others: Peers): LeaderStream {
    const symbols = new Map<string, StreamedSymbol>();
    const stream = createLeaderStream({
      peers: others,
      now,
      log,
      onQuote: (symbol, quote) => accept(symbols.get(symbol), quote),
      onWithdrawn: (symbol) => setQuote(symbols.get(symbol), null),
    });
    bySource.set(stream, symbols);
    return stream;
  }

  function setQuote(entry: StreamedSymbol | undefined, quote: CachedQuote | null): void {
    if (entry === undefined || entry.quote === quote) return;
    entry.quote = quote;
    leader?.publish(entry.instrument.symbol, quote);
  }

  function receive(entry: StreamedSymbol | undefined, provider: QuoteStreamProvider, quote: ProviderQuote) {
    let validated: CachedQuote;
    try {
      validated = validateQuote(quote, provider, now());
    } catch {
      return;
    }
    accept(entry, validated);
  }

  /** Stores a price unless it is older than the last one, and calls the listeners. */
  function accept(entry: StreamedSymbol | undefined, quote: CachedQuote): void {
    if (entry === undefined || (entry.quote !== null && quote.tradedAt < entry.quote.tradedAt)) return;
    setQuote(entry, quote);
    const { listeners, instrument } = entry;
    if (listeners.size === 0) return;
    const answer = streamedQuote(instrument, quote, { now: now(), isWitnessed: witness.isWitnessed });
    for (const listener of [...listeners])
      try {
        listener(answer);
      } catch (cause) {
        log.error("stream_listener", { cause });
      }
  }

  /** Finds another connection that streams the instrument; null without one. */
  function sourceOf({ instrument, refusedBy, source }: StreamedSymbol): StreamedSymbol["source"] {
    for (const connection of sources) {
      if (connection === source?.connection || refusedBy.has(connection)) continue;
      const symbol = connection.symbolOf(instrument);
      if (symbol !== null && connection.accepts()) return { connection, symbol };
    }
    return null;
  }

  function attach(entry: StreamedSymbol, source: NonNullable<StreamedSymbol["source"]>): void {
    entry.source = source;
    bySource.get(source.connection)!.set(source.symbol, entry);
    source.connection.add(source.symbol);
  }

  function detach(entry: StreamedSymbol): void {
    const { source } = entry;
    entry.source = null;
    setQuote(entry, null);
    if (source === null) return;
    bySource.get(source.connection)!.delete(source.symbol);
    source.connection.remove(source.symbol);
  }

  function assign(entry: StreamedSymbol): void {
    if (isClosed) return;
    const source = sourceOf(entry);
    if (source !== null) attach(entry, source);
    else retrying ??= setTimeout(assignAll, retryMs).unref();
  }

  function assignAll(): void {
    retrying = undefined;
    for (const entry of streamed.values()) {
      entry.refusedBy.clear();
      if (entry.source === null) assign(entry);
    }
  }

  /** Moves a symbol to another provider; it stays where it is without one. */
  function move(entry: StreamedSymbol): void {
    const source = sourceOf(entry);
    if (source === null) return;
    detach(entry);
    attach(entry, source);
  }

  /** Moves every symbol to these sources; connections without symbols are closed. */
  function moveAll(next: readonly Source[]): void {
    sources = next;
    for (const entry of streamed.values()) {
      detach(entry);
      entry.refusedBy.clear();
    }
    for (const entry of streamed.values()) assign(entry);
  }

  function release(entry: StreamedSymbol): void {
    streamed.delete(entry.instrument.symbol);
    detach(entry);
    if (streamed.size > 0) return;
    clearTimeout(retrying);
    retrying = undefined;
  }

  const hub: QuoteHub = {
    subscribe(instrument, callback) {
      if (isClosed) return () => {};
      const { symbol } = instrument;
      const entry: StreamedSymbol = streamed.get(symbol) ?? {
        instrument,
        listeners: new Set(),
        refusedBy: new Set(),
        source: null,
        quote: null,
      };
      // a wrapper per call, so that a listener registered twice is removed once
      const listener = (quote: Quote) => callback(quote);
      entry.listeners.add(listener);
      clearTimeout(entry.idle);
      const isNew = !streamed.has(symbol);
      streamed.set(symbol, entry);
      if (isNew) assign(entry);
      return () => {
        if (!entry.listeners.delete(listener) || entry.listeners.size > 0 || isClosed) return;
        entry.idle = setTimeout(() => release(entry), idleMs).unref();
      };
    },

    latest({ symbol, asset_class }, requested) {
      const entry = streamed.get(symbol);
      const quote = entry?.quote ?? null;
      if (quote === null || entry?.source?.connection.isOpen() !== true) return null;
      const age = now() - quote.fetchedAt;
      const sinceTrade = Math.abs(now() - quote.tradedAt);
      if (age < 0 || age > MAX_AGE_MS || sinceTrade > quote.liveWithinMs) return null;
      if (requested !== undefined && requested.tradedAt > quote.tradedAt) return null;
      return withDayFigures(quote, requested, { assetClass: asset_class, now: now() });
    },

    lead() {
      if (leader === null || isClosed) return () => {};
      moveAll(providerSources);
      const end = leader.lead({
        follow(symbol) {
          const instrument = find(symbol);
          return instrument === null ? null : hub.subscribe(instrument, () => {});
        },
        current: (symbol) => streamed.get(symbol)?.quote ?? null,
      });
      return () => {
        if (isClosed) return;
        end();
        moveAll([leader]);
      };
    },

    status: () => [...bySource.keys()].map((connection) => connection.status()),

    close() {
      isClosed = true;
      clearTimeout(retrying);
      for (const { idle } of streamed.values()) clearTimeout(idle);
      for (const connection of bySource.keys()) connection.close();
      streamed.clear();
    },
  };
  return hub;
}
