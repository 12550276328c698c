import { ExponentialBackoff, type IBackoff } from "cockatiel";
import type { Instrument } from "../../domain/market/market.ts";
import type { QuoteStreamStatus } from "../../domain/market/quote-streams-port.ts";
import type { ProviderQuote } from "../../domain/providers/price-provider.ts";
import type { QuoteStreamProvider, StreamEvent, StreamFailure } from "../../domain/providers/quote-stream.ts";
import { MAX_MESSAGE_BYTES, type Socket, type WebSocketConstructor } from "../../lib/websocket.ts";

/** Pause before a new connection, ms: grows exponentially with jitter up to the maximum. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Pause after a rejected key or a connection that another program uses, ms. */
const REJECTED_PAUSE_MS = 15 * 60_000;
/** Number of consecutive failures after which a provider counts as down. */
const MAX_FAILURES = 3;
/** Minimum interval between changes of the subscription, ms; providers limit the messages of a client. */
const SUBSCRIBE_INTERVAL_MS = 500;

export interface StreamConnectionOptions {
  readonly WebSocket: WebSocketConstructor;
  /** Epoch ms. */
  readonly now: () => number;
  /** Called with every symbol that the provider names, even one that was not added; so are the next two. */
  readonly onQuote: (symbol: string, quote: ProviderQuote) => void;
  readonly onWithdrawn: (symbol: string) => void;
  /** The provider does not stream these symbols on this connection; they are removed already. */
  readonly onRefused: (symbols: readonly string[]) => void;
  readonly onOpen: () => void;
  /** The connection is lost; `isDown` if further attempts are unlikely to succeed soon. */
  readonly onLost: (failure: StreamFailure, isDown: boolean) => void;
  /** Pauses before a new connection, ms. */
  readonly firstPauseMs?: number;
  readonly rejectedPauseMs?: number;
}

/** The only connection to a provider that streams prices. It is open while it has symbols. */
export interface StreamConnection {
  /** Returns the provider's name of an instrument; null if it is not streamed. */
  symbolOf(instrument: Instrument): string | null;
  /** Returns true if another symbol may be added. */
  accepts(): boolean;
  add(symbol: string): void;
  remove(symbol: string): void;
  /** Returns true while prices can arrive. */
  isOpen(): boolean;
  status(): QuoteStreamStatus;
  /** Closes the connection and clears all timers. */
  close(): void;
}

/** Creates the connection of a provider; it reconnects and subscribes again by itself. */
export function createStreamConnection(
  provider: QuoteStreamProvider,
  options: StreamConnectionOptions,
): StreamConnection {
  const { WebSocket, now, firstPauseMs = FIRST_PAUSE_MS, rejectedPauseMs = REJECTED_PAUSE_MS } = options;
  const wanted = new Set<string>();
  const subscribed = new Set<string>();
  const firstPause = new ExponentialBackoff({ initialDelay: firstPauseMs, maxDelay: MAX_PAUSE_MS });
  let pause: IBackoff<unknown> | null = null;
  let limit = provider.maxSymbols;
  let batch: readonly string[] = [];
  let socket: Socket | null = null;
  let isReady = false;
  let isHeard = false;
  let isProbed = false;
  let isClosed = false;
  let failures = 0;
  let losses = 0;
  let messageAt: number | null = null;
  let connectAt = 0;
  let flushAt = 0;
  let connecting: NodeJS.Timeout | undefined;
  let flushing: NodeJS.Timeout | undefined;
  let listening: NodeJS.Timeout | undefined;

  /** Milliseconds until a time; limited in case the clock was set back. */
  const pauseUntil = (at: number) => Math.min(Math.max(0, at - now()), rejectedPauseMs);

  function connectWhenDue(): void {
    if (isClosed || socket !== null || connecting !== undefined || wanted.size === 0) return;
    connecting = setTimeout(connect, pauseUntil(connectAt)).unref();
  }

  function connect(): void {
    connecting = undefined;
    if (isClosed || wanted.size === 0) return;
    const { greeting = [] } = provider;
    const parse = provider.createParser();
    let current: Socket;
    try {
      current = new WebSocket(provider.url);
    } catch {
      lose("down");
      return;
    }
    socket = current;
    const isCurrent = () => socket === current;
    current.addEventListener("open", () => {
      if (!isCurrent()) return;
      for (const message of greeting) current.send(message);
      if (greeting.length === 0) becomeReady();
    });
    current.addEventListener("message", ({ data }) => {
      if (!isCurrent()) return;
      isHeard = true;
      messageAt = now();
      if (typeof data !== "string" || data.length > MAX_MESSAGE_BYTES) return;
      for (const event of parse(data)) if (isCurrent()) receive(event);
    });
    for (const end of ["error", "close"] as const)
      current.addEventListener(end, () => {
        if (isCurrent()) lose("down");
      });
    isHeard = false;
    isProbed = false;
    listening = setInterval(checkSilence, provider.silenceMs).unref();
  }

  function becomeReady(): void {
    isReady = true;
    options.onOpen();
    flushSoon();
  }

  function receive(event: StreamEvent): void {
    if (event.kind === "ready") {
      if (!isReady) becomeReady();
    } else if (event.kind === "closing") lose(event.reason);
    else if (event.kind === "full") refuseBatch();
    else if (event.kind === "refused") refuse([event.symbol]);
    else if (event.kind === "withdrawn") options.onWithdrawn(event.symbol);
    else options.onQuote(event.symbol, event.quote);
  }

  /** Removes the symbols of the last subscription and lowers the limit, so that the next attempt adds half as many. */
  function refuseBatch(): void {
    const rejected = batch.filter((symbol) => wanted.has(symbol));
    const accepted = wanted.size - rejected.length;
    limit = Math.max(1, accepted + Math.floor(rejected.length / 2));
    refuse(rejected);
  }

  function refuse(symbols: readonly string[]): void {
    for (const symbol of symbols) {
      wanted.delete(symbol);
      subscribed.delete(symbol);
    }
    if (symbols.length > 0) options.onRefused(symbols);
    closeIfUnused();
  }

  function checkSilence(): void {
    if (isHeard) {
      if (isReady) {
        failures = 0;
        pause = null;
      }
      isHeard = false;
      isProbed = false;
      return;
    }
    if (isProbed || !isReady) {
      lose("silent");
      return;
    }
    isProbed = true;
    if (provider.probe !== undefined) socket?.send(provider.probe);
  }

  function lose(failure: StreamFailure): void {
    disconnect();
    losses++;
    failures = failure === "rejected" ? MAX_FAILURES : failures + 1;
    pause = pause === null ? firstPause.next() : pause.next(undefined);
    connectAt = now() + (failure === "rejected" ? rejectedPauseMs : pause.duration);
    options.onLost(failure, failures >= MAX_FAILURES);
    connectWhenDue();
  }

  function disconnect(): void {
    const old = socket;
    socket = null;
    isReady = false;
    subscribed.clear();
    batch = [];
    clearInterval(listening);
    clearTimeout(flushing);
    flushing = undefined;
    old?.close();
  }

  function closeIfUnused(): void {
    if (wanted.size > 0) return;
    clearTimeout(connecting);
    connecting = undefined;
    if (socket !== null) disconnect();
  }

  function flushSoon(): void {
    if (!isReady || flushing !== undefined) return;
    flushing = setTimeout(flush, pauseUntil(flushAt)).unref();
  }

  function flush(): void {
    flushing = undefined;
    if (socket === null || !isReady) return;
    flushAt = now() + SUBSCRIBE_INTERVAL_MS;
    const gone = [...subscribed].filter((symbol) => !wanted.has(symbol));
    const added = [...wanted].filter((symbol) => !subscribed.has(symbol));
    if (gone.length > 0) for (const message of provider.unsubscribe(gone)) socket.send(message);
    if (added.length > 0) {
      batch = added;
      for (const message of provider.subscribe(added)) socket.send(message);
    }
    for (const symbol of gone) subscribed.delete(symbol);
    for (const symbol of added) subscribed.add(symbol);
  }

  return {
    symbolOf: (instrument) =>
      provider.serves.has(instrument.asset_class) ? provider.symbolOf(instrument) : null,
    accepts: () => !isClosed && wanted.size < limit && (failures < MAX_FAILURES || now() >= connectAt),
    isOpen: () => isReady,
    status: () => ({
      provider: provider.name,
      state: isReady ? "open" : wanted.size === 0 ? "idle" : failures >= MAX_FAILURES ? "down" : "connecting",
      symbols: subscribed.size,
      last_message_at: messageAt === null ? null : new Date(messageAt).toISOString(),
      losses,
    }),
    add(symbol) {
      wanted.add(symbol);
      flushSoon();
      connectWhenDue();
    },
    remove(symbol) {
      wanted.delete(symbol);
      flushSoon();
      closeIfUnused();
    },
    close() {
      isClosed = true;
      wanted.clear();
      closeIfUnused();
    },
  };
}
