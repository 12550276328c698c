import type { AlertFired } from "../domain/alerts/alerts.ts";
import type { Peers } from "../domain/peers-port.ts";
import type { Clock, Ids, Log } from "../domain/ports.ts";
import type { Tracer } from "../domain/tracing-port.ts";
import type { Secrets } from "../domain/vault/secrets-port.ts";
import { createChangeFeed } from "../features/alerts/change-feed.ts";
import { createConfirmationNotices } from "../features/alerts/confirmation-notices.ts";
import { startDeliveries } from "../features/alerts/deliver.ts";
import { createSubscriptions } from "../features/alerts/subscriptions.ts";
import { createWatcher, type WatcherOptions } from "../features/alerts/watcher.ts";
import { changeRepository } from "../store/alerts/changes.ts";
import { alertQueue } from "../store/alerts/deliveries.ts";
import { deliveryLog } from "../store/alerts/delivery-log.ts";
import { deliveryQueue } from "../store/alerts/delivery-queue.ts";
import { subscriptionRepository } from "../store/alerts/subscriptions.ts";
import { watchlists } from "../store/alerts/watchlists.ts";
import type { Store } from "../store/store.ts";
import type { A2aPushDeps } from "../transports/a2a/push.ts";
import { allowList } from "../transports/outbound/allow-list.ts";
import { createMailer } from "../transports/outbound/mail.ts";
import { createPost } from "../transports/outbound/post.ts";
import type { Config } from "./config.ts";
import { followPeers } from "./processes/follow-peers.ts";

interface AlertsOptions {
  readonly config: Pick<Config, "WEBHOOKS" | "WEBHOOK_ALLOW" | "SMTP_URL" | "SMTP_FROM" | "SMTP_TO">;
  readonly db: Store["db"];
  /** For what the watcher writes. */
  readonly backgroundDb: Store["db"];
  readonly market: string;
  readonly peers: Peers;
  readonly mode: AlertFired["market"];
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly tracer?: Tracer | undefined;
  /** Returns true if the plan of an account includes alerts now. */
  readonly hasActiveEntitlement: (account: string) => Promise<boolean>;
}

/** Connects the alert repositories, the watcher and the delivery queue of one market. */
export function openAlerts({
  config,
  db,
  backgroundDb,
  market,
  peers,
  mode,
  secrets,
  clock,
  ids,
  log,
  tracer,
  hasActiveEntitlement,
}: AlertsOptions) {
  const scope = { db, market };
  const backgroundScope = { db: backgroundDb, market };
  const enabled = config.WEBHOOKS === "on";
  const allow = allowList(config.WEBHOOK_ALLOW);
  const newPost = () => createPost({ enabled, allow, clock });
  const post = newPost();
  const mailer = createMailer({ url: config.SMTP_URL, from: config.SMTP_FROM, allowed: config.SMTP_TO });
  const rows = { ...changeRepository(scope), ...subscriptionRepository(scope) };
  const changes = createChangeFeed({ rows, log });
  const following = followPeers(changes, peers);
  peers.onRequest("deliveries", () => deliveries?.wake());
  let deliveries: ReturnType<typeof startDeliveries> | null = null;
  const wake = () => {
    if (deliveries === null) void peers.request("deliveries", null);
    else deliveries.wake();
  };
  return {
    ports: {
      changes,
      watchlists: watchlists(scope),
      subscriptions: createSubscriptions({ rows, ...deliveryLog(scope), secrets, post, mailer }),
    },

    /** Notifies the people of an account that something waits for their confirmation. Logs a failure. */
    notify: createConfirmationNotices({
      subscriptions: rows,
      alerts: alertQueue(scope),
      wake,
      clock,
      ids,
      log,
      market: mode,
    }),

    /** Push notifications of A2A tasks; null if WEBHOOKS=off. */
    async a2aPush(): Promise<A2aPushDeps | null> {
      if (!enabled) return null;
      // loaded when a server needs it: no command uses the A2A library
      const { a2aPush } = await import("../store/alerts/a2a-push.ts");
      const { a2aOutbox } = await import("../store/alerts/a2a-outbox.ts");
      return {
        configs: a2aPush({ ...scope, secrets, clock, ids }),
        outbox: a2aOutbox({ ...scope, clock }),
        post: newPost(),
      };
    },

    /**
     * Creates the watcher. Once started, it evaluates what clients follow with data from these ports and sends the
     * alerts.
     */
    watch(ports: Omit<WatcherOptions, "repository" | "changes" | "onAlerts" | "hasActiveEntitlement">) {
      const watcher = createWatcher({
        ...ports,
        repository: { ...changeRepository(backgroundScope), ...subscriptionRepository(backgroundScope) },
        changes: {
          ...changes,
          async wake() {
            following.announce();
            await changes.wake();
          },
        },
        hasActiveEntitlement,
        onAlerts: wake,
      });
      return {
        /** Starts the watcher in the process that does the background work; returns what ends it. */
        start() {
          const unfollow = following.watch();
          const stopWatching = watcher.start();
          return async () => {
            unfollow();
            await stopWatching();
          };
        },
        close: () => watcher.close(),
      };
    },

    /** Sends due alerts in this process, until `close`. Each is leased, so that any number of processes may do so. */
    startDeliveries() {
      deliveries ??= startDeliveries({
        queue: deliveryQueue(scope),
        post,
        mailer,
        secrets,
        clock,
        log,
        tracer,
        hasActiveEntitlement,
      });
    },

    /** Ends the deliveries of this process and the feed of changes. */
    async close() {
      await deliveries?.close();
      await changes.close();
    },
  };
}
