import type { Selectable } from "kysely";
import { ALERT_LIMITS, Condition, Subscription } from "../../domain/alerts/alerts.ts";
import type {
  SubscriptionRepository,
  WatchedSubscription,
  WatchRepository,
} from "../../domain/alerts/alerts-port.ts";
import { stalePriceReasons } from "../../domain/alerts/price-state.ts";
import { ToolError } from "../../kernel/errors.ts";
import { countRows, deleteRows, insertRows, type MarketDb, updateRows } from "../queries.ts";
import { readRow, SeenRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";
import { addAlerts, cancelDeliveries } from "./deliveries.ts";
import { SymbolsRow } from "./watchlists.ts";

export function subscriptionRepository({
  db,
  market,
}: MarketDb): SubscriptionRepository & Pick<WatchRepository, "activeSubscriptions" | "pause"> {
  /** Joins each subscription with the current symbols of its watchlist. */
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
      accountTransaction(db, account, async (tx) => {
        if ((await countRows(tx, "subscriptions", { account, market })) >= ALERT_LIMITS.subscriptions)
          throw new ToolError(
            "REFUSED",
            `An account has at most ${ALERT_LIMITS.subscriptions} subscriptions`,
            {
              hint: "cancel_subscription ends one; list_subscriptions lists them.",
            },
          );
        const { subscription_id: id, symbols, condition, ...fields } = subscription;
        const row = {
          ...fields,
          account,
          market,
          id,
          symbols: JSON.stringify(fields.watchlist === null ? symbols : []),
          condition: JSON.stringify(condition),
          seen: JSON.stringify(seen),
        };
        await insertRows(tx, "subscriptions", [row]);
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
      accountTransaction(db, account, async (tx) => {
        const deleted = await deleteRows(tx, "subscriptions", { account, market, id });
        const reason = "The subscription was cancelled";
        await cancelDeliveries(tx, { market, account, subscription: id, reason });
        return deleted === 1;
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
      accountTransaction(db, account, async (tx) => {
        const active = { account, market, id, state: "active" };
        if ((await updateRows(tx, "subscriptions", active, { state: "paused", reason })) !== 1) return false;
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
    reason: row.reason ?? activeReason(row),
  });

/** Returns why an active subscription to a price cannot trigger now; null if it can. */
const activeReason = ({ state, condition, seen }: Row): string | null =>
  state === "active" && Condition.parse(JSON.parse(condition)).on === "price"
    ? stalePriceReasons(readRow(SeenRow, seen) ?? {})
    : null;
