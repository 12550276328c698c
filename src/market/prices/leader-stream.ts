import type { Instrument } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { QuoteStreamStatus } from "../../domain/market/quote-streams-port.ts";
import type { Peers } from "../../domain/peers-port.ts";
import type { Log } from "../../domain/ports.ts";

/** Minimum interval between two prices of a symbol sent to other processes, ms; the last price of an interval is sent. */
const SEND_INTERVAL_MS = 250;
/** Interval at which the leader asks the other processes which symbols they follow, ms. */
const POLL_MS = 2_000;
/** Time without a message of the leader after which its prices are no longer used, ms. */
const SILENCE_MS = 5_000;
/** Time for which the leader follows the symbols of a process that no longer responds, ms. */
const LEASE_MS = 10_000;
/** Pause in which further symbols are added to the same message to the leader, ms. */
const COLLECT_MS = 20;

/** Name of the stream of the leader among those of the providers. */
const LEADER = "leader";

/** New prices of symbols by the leader; null if there is no current price of it. Without prices, a sign of life. */
interface Prices {
  /** Chosen when a process becomes the leader. */
  readonly leader: string;
  /** Number of the message: the one after each is one higher. */
  readonly n: number;
  readonly quotes: readonly (readonly [symbol: string, quote: CachedQuote | null])[];
}

/** The symbols that a process follows. */
interface Followed {
  readonly process: string;
  readonly symbols: readonly string[];
}

/** The streams of providers in this process, as the leader reads them for the others. */
export interface LeaderHub {
  /** Follows a symbol until the returned function is called; null for a symbol that is not known. */
  follow(symbol: string): (() => void) | null;
  /** Returns the last price while it is current; else null. */
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
 * The prices that the leader of all processes passes on to the others, so that only its connections to the providers are
 * open. To a process that does not lead, it is a source of prices like a provider.
 */
export interface LeaderStream {
  symbolOf(instrument: Instrument): string;
  accepts(): boolean;
  add(symbol: string): void;
  remove(symbol: string): void;
  /** Returns true while the leader sends messages. */
  isOpen(): boolean;
  status(): QuoteStreamStatus;
  /** Makes this process the leader: it sends the others the prices that they follow. Returns a function that ends it. */
  lead(hub: LeaderHub): () => void;
  /** In the leader, sends a price to the processes that follow the symbol; null if the last one is no longer current. */
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
  /** Leaders that another one has followed; their last messages may still arrive. */
  const former = new Set<string>();
  let sending: ReturnType<typeof createSender> | null = null;
  let heard: { leader: string; n: number } | null = null;
  let messageAt: number | null = null;
  let losses = 0;
  let isDown = false;
  let silence: NodeJS.Timeout | undefined;
  let collecting: NodeJS.Timeout | undefined;

  const followed = (): Followed => ({ process: self, symbols: [...wanted] });
  /** Sends the leader the symbols that this process follows; it responds with their prices. */
  const requestPrices = (): void => {
    collecting ??= setTimeout(() => {
      collecting = undefined;
      if (sending === null && wanted.size > 0) void peers.request("stream_follow", followed());
    }, COLLECT_MS).unref();
  };

  function lose(): void {
    if (heard === null) return;
    heard = null;
    losses++;
    log.warn("stream_lost", { provider: LEADER, failure: "silent" });
    for (const symbol of wanted) onWithdrawn(symbol);
  }

  /** Waits for the next message of the leader while this process follows symbols. */
  function awaitMessage(): void {
    isDown = false;
    clearTimeout(silence);
    const fail = () => {
      isDown = true;
      lose();
    };
    silence = wanted.size === 0 ? undefined : setTimeout(fail, SILENCE_MS).unref();
  }

  /** Passes on the prices of a message. After a gap, as when the listener was lost for a moment, all prices are requested. */
  function receive({ leader, n, quotes }: Prices): void {
    if (sending !== null || former.has(leader)) return;
    messageAt = now();
    awaitMessage();
    if (heard !== null && heard.leader !== leader) {
      former.add(heard.leader);
      lose();
    }
    if (heard === null && wanted.size > 0) log.info("stream_opened", { provider: LEADER });
    if (heard === null || n !== heard.n + 1) requestPrices();
    if (heard !== null && n <= heard.n) return;
    heard = { leader, n };
    for (const [symbol, quote] of quotes)
      if (!wanted.has(symbol)) continue;
      else if (quote === null) onWithdrawn(symbol);
      // the clock of the leader may be ahead
      else onQuote(symbol, { ...quote, fetchedAt: Math.min(quote.fetchedAt, now()) });
  }

  peers.onRequest("stream_prices", receive);
  peers.onRequest("stream_poll", (message: Prices) => {
    receive(message);
    return followed();
  });
  peers.onRequest("stream_follow", (request: Followed) => sending?.follow(request, { isRequested: true }));

  return {
    symbolOf: ({ symbol }) => symbol,
    accepts: () => true,
    isOpen: () => heard !== null,
    status: () => ({
      provider: LEADER,
      state: wanted.size === 0 ? "idle" : heard !== null ? "open" : isDown ? "down" : "connecting",
      symbols: wanted.size,
      last_message_at: messageAt === null ? null : new Date(messageAt).toISOString(),
      losses,
    }),
    add(symbol) {
      wanted.add(symbol);
      if (wanted.size === 1) awaitMessage();
      requestPrices();
    },
    remove(symbol) {
      wanted.delete(symbol);
      if (wanted.size === 0) awaitMessage();
    },
    lead(hub) {
      const sender = createSender(peers, hub);
      sending = sender;
      heard = null;
      return () => {
        sender.close();
        if (sending === sender) sending = null;
      };
    },
    publish: (symbol, quote) => sending?.publish([[symbol, quote]]),
    close() {
      wanted.clear();
      clearTimeout(silence);
      clearTimeout(collecting);
      sending?.close();
      sending = null;
    },
  };
}

/** The leader's side: follows what the other processes follow, and sends them the prices. */
function createSender(peers: Peers, hub: LeaderHub) {
  const leader = crypto.randomUUID();
  const processes = new Map<string, { readonly symbols: ReadonlySet<string>; readonly at: number }>();
  const leaves = new Map<string, () => void>();
  const pending = new Map<string, CachedQuote | null>();
  let n = 0;
  let isClosed = false;
  let pausing: NodeJS.Timeout | undefined;

  const message = (quotes: Prices["quotes"]): Prices => ({ leader, n: ++n, quotes });

  function send(): void {
    pausing = undefined;
    if (pending.size === 0) return;
    const quotes = [...pending];
    pending.clear();
    pausing = setTimeout(send, SEND_INTERVAL_MS).unref();
    void peers.request("stream_prices", message(quotes));
  }

  function publish(quotes: Prices["quotes"]): void {
    for (const [symbol, quote] of quotes) if (leaves.has(symbol)) pending.set(symbol, quote);
    if (pausing === undefined) send();
  }

  /** Follows exactly what a process follows. */
  function update(): void {
    const union = new Set([...processes.values()].flatMap(({ symbols }) => [...symbols]));
    for (const [symbol, leave] of leaves)
      if (!union.has(symbol)) {
        leaves.delete(symbol);
        leave();
      }
    for (const symbol of union)
      if (!leaves.has(symbol)) {
        const leave = hub.follow(symbol);
        if (leave !== null) leaves.set(symbol, leave);
      }
  }

  function follow(
    { process, symbols }: Followed,
    { isRequested = false }: { readonly isRequested?: boolean } = {},
  ): void {
    if (isClosed) return;
    const before = processes.get(process)?.symbols;
    processes.set(process, { symbols: new Set(symbols), at: performance.now() });
    update();
    const awaited = symbols.filter((symbol) => isRequested || before?.has(symbol) !== true);
    publish(awaited.map((symbol) => [symbol, hub.current(symbol)]));
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
