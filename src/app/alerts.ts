import type { Clock, Ids, Log, Ports } from "../domain/ports.ts";
import type { Secrets } from "../domain/vault/secrets-port.ts";
import { createChangeFeed } from "../features/alerts/change-feed.ts";
import { startDeliveries } from "../features/alerts/deliver.ts";
import { createSubscriptions } from "../features/alerts/subscriptions.ts";
import { createWatcher, type WatcherOptions } from "../features/alerts/watcher.ts";
import { changeRows } from "../store/alerts/changes.ts";
import { deliveryLog } from "../store/alerts/delivery-log.ts";
import { deliveryQueue } from "../store/alerts/delivery-queue.ts";
import { subscriptionRows } from "../store/alerts/subscriptions.ts";
import { watchlists } from "../store/alerts/watchlists.ts";
import type { Store } from "../store/open-store.ts";
import type { A2aPushDeps } from "../transports/a2a/push.ts";
import { allowList } from "../transports/outbound/allow-list.ts";
import { createPost } from "../transports/outbound/post.ts";
import type { Config } from "./config.ts";

interface AlertsOptions {
  readonly config: Pick<Config, "WEBHOOKS" | "WEBHOOK_ALLOW">;
  readonly db: Store["db"];
  readonly market: string;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Whether an account has alerts now. */
  readonly hasActiveEntitlement: (account: string) => Promise<boolean>;
}

/** What is watched and told in one market, and the only way to addresses that clients choose. */
export interface OpenAlerts {
  readonly ports: Pick<Ports, "changes" | "watchlists" | "subscriptions">;
  /** Whom other agents want told of their tasks; null where nothing is sent to addresses of clients. */
  a2aPush(): Promise<A2aPushDeps | null>;
  /** From now on what is followed is looked at, by these ports. */
  watch(ports: Omit<WatcherOptions, "repository" | "changes" | "onAlerts" | "hasActiveEntitlement">): {
    /** From now on subscriptions are too, and their alerts are sent. */
    start(): void;
    close(): Promise<void>;
  };
}

/** Joins the store of alerts, who watches and who sends. */
export function openAlerts({
  config,
  db,
  market,
  secrets,
  clock,
  ids,
  log,
  hasActiveEntitlement,
}: AlertsOptions): OpenAlerts {
  const here = { db, market };
  const on = config.WEBHOOKS === "on";
  const allow = allowList(config.WEBHOOK_ALLOW);
  const newPost = () => createPost({ enabled: on, allow, clock });
  const post = newPost();
  const rows = { ...changeRows(here), ...subscriptionRows(here) };
  const changes = createChangeFeed({ rows, log });
  return {
    ports: {
      changes,
      watchlists: watchlists(here),
      subscriptions: createSubscriptions({ rows, ...deliveryLog(here), secrets, post }),
    },

    async a2aPush() {
      if (!on) return null;
      // of its own: neither waits for the turns of the other
      // loaded when a server needs it: no command uses the library behind it
      const { a2aPush } = await import("../store/alerts/a2a-push.ts");
      return { configs: a2aPush({ ...here, secrets, clock, ids }), post: newPost() };
    },

    watch(ports) {
      let deliveries: ReturnType<typeof startDeliveries> | null = null;
      const watcher = createWatcher({
        ...ports,
        repository: rows,
        changes,
        hasActiveEntitlement,
        onAlerts: () => deliveries?.wake(),
      });
      return {
        start() {
          watcher.start();
          deliveries ??= startDeliveries({
            queue: deliveryQueue(here),
            post,
            secrets,
            clock,
            log,
            hasActiveEntitlement,
          });
        },
        async close() {
          await Promise.all([watcher.close(), deliveries?.close()]);
          await changes.close();
        },
      };
    },
  };
}
