import type { Instrument } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { QuoteStreamStatus } from "../../domain/market/quote-streams-port.ts";
import type { Peers } from "../../domain/peers-port.ts";
import type { Log } from "../../domain/ports.ts";

/** Minimum interval between two prices of a symbol sent to other processes, ms; the last price of an interval is sent. */
const SEND_INTERVAL_MS = 250;
/** Interval at which the leader requests the symbols that the other processes follow, ms. */
const POLL_MS = 2_000;
/** Time without a message of the leader after which its prices are no longer used, ms. */
const MESSAGE_TIMEOUT_MS = 5_000;
/** Time for which the leader follows the symbols of a process that no longer responds, ms. */
const LEASE_MS = 10_000;
/** Pause in which further symbols are added to the same message to the leader, ms. */
const COLLECT_MS = 20;

/** Name of the leader's stream in the status and the log, where other streams have the name of a provider. */
const LEADER = "leader";

/** New prices from the leader; null for a symbol without a current price. Without prices, it shows that the leader runs. */
interface Prices {
  /** Chosen when a process becomes the leader. */
  readonly leader: string;
  /** Number of the message, one higher than that of the message before it. */
  readonly number: number;
  readonly quotes: readonly (readonly [symbol: string, quote: CachedQuote | null])[];
}

/** The symbols that a process follows. */
interface Followed {
  readonly process: string;
  readonly symbols: readonly string[];
  /** Symbols whose prices are requested. */
  readonly awaited?: readonly string[];
}

/** The provider streams of the leader, from which it sends prices to the others. */
export interface LeaderHub {
  /** Follows a symbol until the returned function is called; null for an unknown symbol. */
  follow(symbol: string): (() => void) | null;
  /** Returns the last price while it is current; otherwise null. */
  current(symbol: string): CachedQuote | null;
}

export interface LeaderStreamOptions {
  readonly peers: Peers;
  /** Epoch ms. */
  readonly now: () => number;
  readonly log: Log;
  readonly onQuote: (symbol: string, quote: CachedQuote) => void;
  /** The last price is no longer current. */
  readonly onWithdrawn: (symbol: string) => void;
}

/**
 * The prices that the leader passes on to the other processes, so that only the leader connects to the providers. In a
 * process that does not lead, it is a source of prices like a provider.
 */
export interface LeaderStream {
  symbolOf(instrument: Instrument): string;
  accepts(): boolean;
  add(symbol: string): void;
  remove(symbol: string): void;
  /** Returns true while the leader sends messages. */
  isOpen(): boolean;
  status(): QuoteStreamStatus;
  /** Makes this process the leader, which sends the others the prices of their symbols. Returns a function that ends it. */
  lead(hub: LeaderHub): () => void;
  /** In the leader, sends a new price of a followed symbol to the other processes; null: the last one is no longer current. */
  publish(symbol: string, quote: CachedQuote | null): void;
  close(): void;
}

export function createLeaderStream({
  peers,
  now,
  log,
  onQuote,
  onWithdrawn,
}: LeaderStreamOptions): LeaderStream {
  const self = crypto.randomUUID();
  const wanted = new Set<string>();
  /** Symbols whose prices the next message to the leader requests. */
  const awaited = new Set<string>();
  /** By symbol, the last price of the leader as JSON: a price that another process requested is no new one. */
  const received = new Map<string, string>();
  /** Id of the leader before this one, whose last messages may arrive after the first one of this leader. */
  let former: string | null = null;
  let sending: ReturnType<typeof createSender> | null = null;
  let lastMessage: { leader: string; number: number } | null = null;
  let messageAt: number | null = null;
  let losses = 0;
  let isDown = false;
  let timeout: NodeJS.Timeout | undefined;
  let collecting: NodeJS.Timeout | undefined;

  const followed = (): Followed => ({ process: self, symbols: [...wanted] });
  /** Sends the leader the symbols that this process follows; the leader then sends the prices of these to all processes. */
  const requestPrices = (symbols: Iterable<string>): void => {
    for (const symbol of symbols) awaited.add(symbol);
    collecting ??= setTimeout(() => {
      collecting = undefined;
      const request: Followed = { ...followed(), awaited: [...awaited] };
      awaited.clear();
      if (sending === null && wanted.size > 0) void peers.request("stream_follow", request);
    }, COLLECT_MS).unref();
  };

  function lose(): void {
    if (lastMessage === null) return;
    lastMessage = null;
    received.clear();
    losses++;
    log.warn("stream_lost", { provider: LEADER, failure: "silent" });
    for (const symbol of wanted) onWithdrawn(symbol);
  }

  /** Starts the timeout of the next message of the leader, if this process follows symbols. */
  function awaitMessage(): void {
    isDown = false;
    clearTimeout(timeout);
    const fail = () => {
      isDown = true;
      former = null;
      lose();
    };
    timeout = wanted.size === 0 ? undefined : setTimeout(fail, MESSAGE_TIMEOUT_MS).unref();
  }

  /** Passes on the prices of a message. After a lost message, requests all prices, because one may have been withdrawn. */
  function receive({ leader, number, quotes }: Prices): void {
    if (sending !== null || leader === former) return;
    messageAt = now();
    awaitMessage();
    if (lastMessage !== null && lastMessage.leader !== leader) {
      former = lastMessage.leader;
      lose();
    }
    if (lastMessage === null && wanted.size > 0) log.info("stream_opened", { provider: LEADER });
    if (lastMessage === null || number !== lastMessage.number + 1) requestPrices(wanted);
    if (lastMessage !== null && number <= lastMessage.number) return;
    lastMessage = { leader, number };
    for (const [symbol, quote] of quotes) if (wanted.has(symbol)) passOn(symbol, quote);
  }

  function passOn(symbol: string, quote: CachedQuote | null): void {
    if (quote === null) {
      received.delete(symbol);
      onWithdrawn(symbol);
      return;
    }
    const text = JSON.stringify(quote);
    if (received.get(symbol) === text) return;
    received.set(symbol, text);
    // the clock of the leader may be ahead
    onQuote(symbol, { ...quote, fetchedAt: Math.min(quote.fetchedAt, now()) });
  }

  peers.onRequest("stream_prices", receive);
  peers.onRequest("stream_poll", (message: Prices) => {
    receive(message);
    return followed();
  });
  peers.onRequest("stream_follow", (request: Followed) => sending?.follow(request));

  return {
    symbolOf: ({ symbol }) => symbol,
    accepts: () => true,
    isOpen: () => lastMessage !== null,
    status: () => ({
      provider: LEADER,
      state: wanted.size === 0 ? "idle" : lastMessage !== null ? "open" : isDown ? "down" : "connecting",
      symbols: wanted.size,
      last_message_at: messageAt === null ? null : new Date(messageAt).toISOString(),
      losses,
    }),
    add(symbol) {
      wanted.add(symbol);
      if (wanted.size === 1) awaitMessage();
      requestPrices([symbol]);
    },
    remove(symbol) {
      wanted.delete(symbol);
      received.delete(symbol);
      if (wanted.size === 0) awaitMessage();
    },
    lead(hub) {
      const sender = createSender(peers, hub);
      sending = sender;
      lastMessage = null;
      received.clear();
      return () => {
        sender.close();
        if (sending === sender) sending = null;
      };
    },
    publish: (symbol, quote) => sending?.publish([[symbol, quote]]),
    close() {
      wanted.clear();
      clearTimeout(timeout);
      clearTimeout(collecting);
      sending?.close();
      sending = null;
    },
  };
}

/** Creates what the leader runs: it follows the symbols of the other processes, and sends them the prices. */
function createSender(peers: Peers, hub: LeaderHub) {
  const leader = crypto.randomUUID();
  const processes = new Map<string, { readonly symbols: ReadonlySet<string>; readonly at: number }>();
  /** By followed symbol, the function that ends following it. */
  const unfollow = new Map<string, () => void>();
  /** Last prices that were not sent yet; `isWithdrawn`: one before it is no longer current, also if it was traded later. */
  const pending = new Map<string, { readonly quote: CachedQuote | null; readonly isWithdrawn: boolean }>();
  let number = 0;
  let isClosed = false;
  let pausing: NodeJS.Timeout | undefined;

  const message = (quotes: Prices["quotes"]): Prices => ({ leader, number: ++number, quotes });

  function send(): void {
    pausing = undefined;
    if (pending.size === 0) return;
    const quotes = [...pending].flatMap(([symbol, { quote, isWithdrawn }]) => [
      ...(isWithdrawn ? [[symbol, null] as const] : []),
      ...(quote === null ? [] : [[symbol, quote] as const]),
    ]);
    pending.clear();
    pausing = setTimeout(send, SEND_INTERVAL_MS).unref();
    void peers.request("stream_prices", message(quotes));
  }

  function publish(quotes: Prices["quotes"]): void {
    for (const [symbol, quote] of quotes) {
      const isWithdrawn = quote === null || pending.get(symbol)?.isWithdrawn === true;
      if (unfollow.has(symbol)) pending.set(symbol, { quote, isWithdrawn });
    }
    if (pausing === undefined) send();
  }

  /** Follows the symbols that at least one process follows, and no others. */
  function update(): void {
    const union = new Set([...processes.values()].flatMap(({ symbols }) => [...symbols]));
    for (const [symbol, end] of unfollow)
      if (!union.has(symbol)) {
        unfollow.delete(symbol);
        end();
      }
    for (const symbol of union)
      if (!unfollow.has(symbol)) {
        const end = hub.follow(symbol);
        if (end !== null) unfollow.set(symbol, end);
      }
  }

  function follow({ process, symbols, awaited = [] }: Followed): void {
    if (isClosed) return;
    const before = processes.get(process)?.symbols;
    processes.set(process, { symbols: new Set(symbols), at: performance.now() });
    update();
    const due = new Set([...awaited, ...symbols.filter((symbol) => before?.has(symbol) !== true)]);
    publish([...due].map((symbol) => [symbol, hub.current(symbol)]));
  }

  async function poll(): Promise<void> {
    const responses = (await peers.request("stream_poll", message([]))) as readonly Followed[];
    for (const response of responses) follow(response);
    for (const [process, { at }] of processes)
      if (performance.now() - at > LEASE_MS) processes.delete(process);
    update();
  }

  const polling = setInterval(() => void poll(), POLL_MS).unref();
  void poll();

  return {
    publish,
    follow,
    close() {
      isClosed = true;
      clearInterval(polling);
      clearTimeout(pausing);
      processes.clear();
      update();
    },
  };
}
