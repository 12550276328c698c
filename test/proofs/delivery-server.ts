import { masterKeys } from "../../src/access/vault/master-key.ts";
import { createSecretStore } from "../../src/access/vault/secret-store.ts";
import type { AlertFired } from "../../src/domain/alerts/alerts.ts";
import type { SignalChange } from "../../src/domain/alerts/changes.ts";
import { secretNameOf } from "../../src/domain/alerts/receiver.ts";
import { type DeliveryWorker, startDeliveries } from "../../src/features/alerts/deliver.ts";
import { idDigits } from "../../src/lib/id-digits.ts";
import { changeRepository } from "../../src/store/alerts/changes.ts";
import { deliveryQueue } from "../../src/store/alerts/delivery-queue.ts";
import { subscriptionRepository } from "../../src/store/alerts/subscriptions.ts";
import { sealsIn } from "../../src/store/vault/seals.ts";
import { sealedSecrets } from "../../src/store/vault/secrets.ts";
import { allowList } from "../../src/transports/outbound/allow-list.ts";
import { createPost } from "../../src/transports/outbound/post.ts";
import { subscriptionOf, webhookAt } from "../support/alerts.ts";
import { collectingLog } from "../support/context.ts";
import { openStoreAt } from "./store-at.ts";

const HOSTS = 100;
const OF_ACCOUNT = 100;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
/** The product's own delays, shortened. */
export const PACE = {
  deadlineMs: 1_000,
  leaseMs: 2_500,
  retriesMs: [50, 100, 200, 400, 800],
} as const;

/** The nth subscription: one symbol, one of a hundred hosts, a hundred subscriptions per account. */
export const subscriber = (n: number) => ({
  id: `su_${idDigits(`subscription ${n}`)}`,
  account: `account-${Math.floor(n / OF_ACCOUNT)}`,
  host: `r${n % HOSTS}.lan`,
  symbol: `S${n}`,
});

/** Alert id of the nth change; changes rotate over the subscriptions. */
export const alertIdOf = (change: number): string => `al_${idDigits(`change ${change}`)}`;

/**
 * The real store, vault, worker and outbound client of a server with these settings; receiver hosts resolve to a local
 * port.
 */
export async function createDeliveryServer(env: Readonly<Record<string, string>>, port: number) {
  const clock = { now: () => new Date() };
  const { log, lines } = collectingLog();
  const store = await openStoreAt(env);
  const here = { db: store.db, market: "proof" };
  const { DATA_DIR = "", ...settings } = env;
  const { vault } = createSecretStore({
    keys: masterKeys({ ...settings, DATA_DIR }, log),
    seals: sealsIn(store.db, DATA_DIR),
  });
  const secrets = sealedSecrets({ db: store.db, vault });
  const rows = { ...changeRepository(here), ...subscriptionRepository(here) };
  const post = createPost({
    enabled: true,
    allow: allowList(Array.from({ length: HOSTS }, (_, n) => `r${n}.lan`)),
    clock,
    resolve: async () => ["127.0.0.1"],
    deadlineMs: PACE.deadlineMs,
  });
  let worker: DeliveryWorker | null = null;
  /** Starts the worker; returns a function that ends it. */
  const deliver = () => {
    const queue = deliveryQueue({ ...here, db: store.backgroundDb });
    const started = startDeliveries({ queue, post, secrets, clock, log, ...PACE });
    worker = started;
    return () => started.close();
  };
  let stop = async () => {};
  return {
    store,
    lines,
    /** Starts to deliver: at once, or with several servers once this one leads them. */
    begin() {
      stop = store.replicas === null ? deliver() : store.replicas.lead(deliver);
    },
    async subscribe(count: number) {
      for (let n = 0; n < count; n++) {
        const { id, account, host, symbol } = subscriber(n);
        await secrets.save(account, secretNameOf(id), webhookAt(`http://${host}:${port}/${n}`));
        await rows.add(account, {
          subscription: { ...subscriptionOf(id, "webhook", host), symbols: [symbol] },
          seen: {},
        });
      }
    },
    /** Writes a change with its alert, as the watcher does; returns false if it already exists. */
    async notice(n: number, subscriptions: number): Promise<boolean> {
      const who = n % subscriptions;
      const round = Math.floor(n / subscriptions);
      const { id, account, symbol } = subscriber(who);
      const change = changeOf(n, symbol, round);
      const { changed } = await rows.save({
        series: { symbol, timeframe: "1d" },
        at: Date.parse(change.noticed_at),
        state: {
          before: round === 0 ? null : JSON.stringify({ round: round - 1 }),
          now: JSON.stringify({ round }),
        },
        change,
        alerts: [{ account, alert: alertOf(n, id, change) }],
        seen: [],
      });
      worker?.wake();
      return changed;
    },
    /** Number of stored changes. */
    async written(): Promise<number> {
      const { count } = await store.db
        .selectFrom("signal_changes")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    /** Deliveries that are neither delivered nor given up. */
    async open(): Promise<number> {
      const { count } = await store.db
        .selectFrom("deliveries")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("state", "in", ["waiting", "sending"])
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    /** State of each alert. */
    async states(): Promise<
      readonly { readonly alert: string; readonly state: string; readonly attempts: number }[]
    > {
      return store.db
        .selectFrom("deliveries")
        .leftJoin("delivery_attempts", "delivery_attempts.delivery", "deliveries.id")
        .select(["deliveries.alert_id as alert", "deliveries.state"])
        .select(({ fn }) => fn.count<number>("delivery_attempts.number").as("attempts"))
        .groupBy(["deliveries.id", "deliveries.alert_id", "deliveries.state"])
        .execute();
    },
    async close() {
      await stop();
      await store.close();
    },
  };
}

const verdict = (round: number) => ({
  direction: round % 2 === 0 ? ("LONG" as const) : ("SHORT" as const),
  grade: null,
  score: 50,
});

function changeOf(n: number, symbol: string, round: number): SignalChange {
  return {
    change_id: `sc_${idDigits(`change ${n}`)}`,
    symbol,
    timeframe: "1d",
    noticed_at: new Date().toISOString(),
    decided_at: new Date(START + round * DAY_MS).toISOString(),
    changed: ["direction"],
    before: verdict(round + 1),
    after: verdict(round),
    drivers: [],
    price: 100,
    source: "proof",
    model_version: "proof",
  };
}

const alertOf = (n: number, subscription_id: string, change: SignalChange): AlertFired => ({
  alert_id: alertIdOf(n),
  subscription_id,
  symbol: change.symbol,
  timeframe: "1d",
  fired_at: change.noticed_at,
  as_of: change.decided_at,
  text: `The signal of ${change.symbol} turned.`,
  change,
  figures: {},
  source: "proof",
  market: "sample",
});
