import { afterAll, onTestFinished } from "vitest";
import type { Condition, Subscription } from "../../src/domain/alerts/alerts.ts";
import type { OutboundClient } from "../../src/domain/alerts/outbound-client-port.ts";
import type { Bars } from "../../src/domain/market/bars.ts";
import type { Ports } from "../../src/domain/ports.ts";
import { createChangeFeed } from "../../src/features/alerts/change-feed.ts";
import { createSubscriptions } from "../../src/features/alerts/subscriptions.ts";
import { createWatcher } from "../../src/features/alerts/watcher.ts";
import { changeRepository } from "../../src/store/alerts/changes.ts";
import { deliveryLog } from "../../src/store/alerts/delivery-log.ts";
import { deliveryQueue } from "../../src/store/alerts/delivery-queue.ts";
import { subscriptionRepository } from "../../src/store/alerts/subscriptions.ts";
import { watchlists } from "../../src/store/alerts/watchlists.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createMailer } from "../../src/transports/outbound/mail.ts";
import { collectingLog, countingIds } from "./context.ts";
import { climbingBars, type FakeMarket, marketOf, quote, smallMarket } from "./market.ts";
import { memorySecrets } from "./memory-secrets.ts";
import { movingClock, openMemoryStore } from "./store.ts";

export const DAY = 86_400_000;
/** First check of the watcher: a minute after the 300th bar of `turningBars` has closed. */
export const START = new Date(Date.UTC(2025, 10, 21) + 60_000);

/** Daily bars around the clock that rise a dollar a day for 300 days and then fall four dollars a day for 100 days. */
export function turningBars(): Bars {
  const all = climbingBars({ count: 400, zone: "UTC", end: Date.UTC(2025, 10, 20) + 100 * DAY });
  const close = all.time.map((_, i) => (i < 300 ? 100 + i : 399 - 4 * (i - 299)) + 200);
  return {
    ...all,
    close,
    open: close.map((at, i) => close[i - 1] ?? at),
    high: close.map((at, i) => Math.max(at, close[i - 1] ?? at) + 0.5),
    low: close.map((at, i) => Math.min(at, close[i - 1] ?? at) - 0.5),
  };
}

/** Accepts any URL and sends nothing. */
export const anyPost: Pick<OutboundClient, "check"> = { check: async () => {} };

interface Watched extends Partial<FakeMarket> {
  readonly dataDir?: string;
  readonly clock?: ReturnType<typeof movingClock>;
  readonly over?: Partial<Ports>;
  readonly post?: Pick<OutboundClient, "check">;
  readonly market?: string;
  readonly entitled?: (account: string) => Promise<boolean>;
  /** The market to watch. Default: a market of these bars. */
  readonly base?: ReturnType<typeof marketOf>;
  /** Registers the function that closes the fixture. Default: it is called at the end of the test. */
  readonly ending?: (close: () => Promise<void>) => void;
}

/** A small market with the alert tools, over a real store that is closed after the file's tests. */
export async function alertMarket() {
  const clock = movingClock();
  const quotes = { AAPL: quote({ price: 138 }), "BTC-USD": quote({ price: 138 }) };
  return alertRunFixture({
    clock,
    base: smallMarket({ clock, quotes }),
    ending: (close) => afterAll(close),
  });
}

/**
 * A process that watches a small market. With `dataDir` it opens a store there, which other processes can open too.
 * Default: an in-memory store.
 */
export async function alertRunFixture({
  dataDir,
  clock = movingClock(START),
  over = {},
  post = anyPost,
  market: id = "test",
  entitled = async () => true,
  base: given,
  ending = onTestFinished,
  ...fake
}: Watched = {}) {
  const bars = fake.bars ?? { "BTC-USD": turningBars() };
  const { ports: base, requests } = given ?? marketOf({ ...fake, bars, clock });
  const store = dataDir === undefined ? await openMemoryStore() : await openStore({ dataDir, clock });
  const here = { db: store.db, market: id };
  const { log, lines } = collectingLog();
  const rows = { ...changeRepository(here), ...subscriptionRepository(here) };
  const changes = createChangeFeed({ rows, log });
  const secrets = memorySecrets();
  const subscriptions = createSubscriptions({
    rows,
    ...deliveryLog(here),
    secrets,
    post,
    mailer: createMailer({ url: undefined, from: undefined, allowed: [] }),
  });
  const ports = {
    ...base,
    market: { mode: "sample", id } as const,
    log,
    changes,
    subscriptions,
    ids: countingIds(),
    watchlists: watchlists(here),
    ...over,
  };
  const watcher = createWatcher({ ...ports, repository: rows, changes, hasActiveEntitlement: entitled });
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await watcher.close();
    await changes.close();
    await store.close();
  };
  ending(close);
  return {
    ports,
    rows,
    changes,
    watcher,
    subscriptions,
    queue: deliveryQueue(here),
    store,
    clock,
    requests,
    lines,
    secrets,
    stored: secrets.stored,
    close,
  };
}

export const SIGNAL: Condition = {
  on: "signal",
  changes: ["direction", "grade"],
  above: null,
  below: null,
  rule: null,
};
export const priceAt = (levels: Partial<Pick<Condition, "above" | "below">>): Condition => ({
  ...SIGNAL,
  on: "price",
  changes: [],
  ...levels,
});
export const ruleThat = (rule: string): Condition => ({ ...SIGNAL, on: "rule", changes: [], rule });

/** The nth subscription. Default: to the signal of bitcoin. */
export const subscribed = (n: number, over: Partial<Subscription> = {}): Subscription => ({
  subscription_id: `sb_${String(n).padStart(20, "0")}`,
  name: null,
  symbols: ["BTC-USD"],
  watchlist: null,
  timeframe: "1d",
  condition: SIGNAL,
  channel: "none",
  target: null,
  created_at: START.toISOString(),
  state: "active",
  reason: null,
  ...over,
});

export const NO_RECEIVER = { url: null, bot_token: null, chat_id: null };
