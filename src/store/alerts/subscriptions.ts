import type { Kysely, Selectable } from "kysely";
import { ALERT_LIMITS, Condition, Subscription } from "../../domain/alerts/alerts.ts";
import type {
  SubscriptionRepository,
  WatchedSubscription,
  WatchRepository,
} from "../../domain/alerts/alerts-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { readRow, SeenRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { addAlerts, cancelDeliveries } from "./deliveries.ts";
import { SymbolsRow } from "./watchlists.ts";

/** Subscriptions of one market in the store. */
export function subscriptionRows({
  db,
  market,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
}): SubscriptionRepository & Pick<WatchRepository, "activeSubscriptions" | "pause"> {
  /** Each with the symbols of its watchlist as they are now. */
  const rows = () =>
    db
      .selectFrom("subscriptions")
      .leftJoin("watchlists", (join) =>
        join
          .onRef("watchlists.account", "=", "subscriptions.account")
          .onRef("watchlists.market", "=", "subscriptions.market")
          .onRef("watchlists.name", "=", "subscriptions.watchlist"),
      )
      .selectAll("subscriptions")
      .select("watchlists.symbols as listed")
      .where("subscriptions.market", "=", market);
  return {
    add: (account, { subscription, seen }) =>
      db.transaction().execute(async (tx) => {
        const { count } = await tx
          .selectFrom("subscriptions")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where((is) => is.and({ account, market }))
          .executeTakeFirstOrThrow();
        if (count >= ALERT_LIMITS.subscriptions)
          throw new ToolError(
            "REFUSED",
            `An account has ${ALERT_LIMITS.subscriptions} subscriptions at most`,
            {
              hint: "cancel_subscription ends one; list_subscriptions shows them.",
            },
          );
        const { subscription_id: id, symbols, condition, ...said } = subscription;
        await tx
          .insertInto("subscriptions")
          .values({
            ...said,
            account,
            market,
            id,
            symbols: JSON.stringify(said.watchlist === null ? symbols : []),
            condition: JSON.stringify(condition),
            seen: JSON.stringify(seen),
          })
          .execute();
      }),

    async find(account, id) {
      const row = await rows()
        .where("subscriptions.account", "=", account)
        .where("subscriptions.id", "=", id)
        .executeTakeFirst();
      return row === undefined ? null : toSubscription(row);
    },

    async list(account) {
      const found = await rows()
        .where("subscriptions.account", "=", account)
        .orderBy("subscriptions.created_at", "desc")
        .orderBy("subscriptions.id")
        .execute();
      return found.map(toSubscription);
    },

    remove: (account, id) =>
      db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom("subscriptions")
          .where((is) => is.and({ account, market, id }))
          .executeTakeFirst();
        await cancelDeliveries(tx, {
          market,
          account,
          subscription: id,
          reason: "The subscription was cancelled",
        });
        return numDeletedRows === 1n;
      }),

    async activeSubscriptions() {
      const found = await rows().where("subscriptions.state", "=", "active").execute();
      return found.map(
        (row): WatchedSubscription => ({
          account: row.account,
          subscription: toSubscription(row),
          seen: readRow(SeenRow, row.seen) ?? {},
        }),
      );
    },

    pause: (account, id, { reason, alert }) =>
      db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("subscriptions")
          .set({ state: "paused", reason })
          .where((is) => is.and({ account, market, id, state: "active" }))
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) return false;
        await addAlerts(tx, { market, at: Date.parse(alert.fired_at), alerts: [{ account, alert }] });
        return true;
      }),
  };
}

type Row = Selectable<Schema["subscriptions"]> & { readonly listed: string | null };

const toSubscription = (row: Row): Subscription =>
  Subscription.parse({
    subscription_id: row.id,
    name: row.name,
    symbols: (readRow(SymbolsRow, row.listed ?? row.symbols) ?? []).slice(0, ALERT_LIMITS.symbols),
    watchlist: row.watchlist,
    timeframe: row.timeframe,
    condition: Condition.parse(JSON.parse(row.condition)),
    channel: row.channel,
    target: row.target,
    created_at: row.created_at,
    state: row.state,
    reason: row.reason,
  });
