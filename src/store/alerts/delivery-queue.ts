import type { Kysely, Selectable } from "kysely";
import { AlertFired, Subscription } from "../../domain/alerts/alerts.ts";
import {
  type DeliveryAttempt,
  type DeliveryQueue,
  type DueDelivery,
  MAX_DELIVERY_WAIT_MS,
  NO_RECEIVERS,
} from "../../domain/alerts/alerts-port.ts";
import { latestEnd } from "../../lib/expiry.ts";
import { compare, findRow, insertRows, type MarketDb, updateRows } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { storeTransaction } from "../transactions.ts";
import { cancelDeliveries, OPEN_STATES } from "./deliveries.ts";

/**
 * Creates the delivery queue of one market. Each due delivery is leased to one process; deliveries of a subscription
 * stay in order.
 */
export function deliveryQueue({ db, market }: MarketDb): DeliveryQueue {
  const settle = (
    id: string,
    attempt: DeliveryAttempt,
    to: { readonly state: string; readonly next: number | null },
  ) =>
    storeTransaction(db, async (tx) => {
      const row = await findRow(tx, "deliveries", { id, market });
      if (row === undefined) return null;
      await logAttempt(tx, id, attempt);
      const isOpen = OPEN_STATES.some((state) => state === row.state);
      // A successful attempt counts as delivered, even when the delivery was cancelled meanwhile.
      if (!isOpen && !(to.state === "delivered" && row.state === "undelivered")) return null;
      const reason = to.state === "undelivered" ? attempt.reason : null;
      await updateRows(tx, "deliveries", { id }, { state: to.state, next_at: to.next, reason });
      if (isOpen && to.next === null) await promote(tx, market, row.subscription, Date.parse(attempt.at));
      return row;
    });
  return {
    take: (now, limit, leaseMs, full = NO_RECEIVERS) =>
      storeTransaction(db, async (tx) => {
        const rows = await tx
          .selectFrom("deliveries")
          .innerJoin("subscriptions", (join) =>
            join
              .onRef("subscriptions.account", "=", "deliveries.account")
              .onRef("subscriptions.market", "=", "deliveries.market")
              .onRef("subscriptions.id", "=", "deliveries.subscription"),
          )
          .selectAll("deliveries")
          .select(["subscriptions.name", "subscriptions.symbols", "subscriptions.watchlist"])
          .select(["subscriptions.timeframe", "subscriptions.condition", "subscriptions.created_at"])
          .select(["subscriptions.state as subscribed", "subscriptions.reason as paused"])
          .where("deliveries.market", "=", market)
          // a later time was stored while the clock was ahead
          .where((is) =>
            is.or([
              is("deliveries.next_at", "<=", now),
              is("deliveries.next_at", ">", latestEnd(now, MAX_DELIVERY_WAIT_MS)),
            ]),
          )
          // PostgreSQL has no empty lists
          .$if(full.hosts.length > 0, (query) =>
            query.where((is) =>
              is.or([is("deliveries.target", "is", null), is("deliveries.target", "not in", full.hosts)]),
            ),
          )
          .$if(full.accounts.length > 0, (query) =>
            query.where("deliveries.account", "not in", full.accounts),
          )
          .where((is) =>
            is.and(
              full.lanes.map(({ account, host }) =>
                is.or([
                  is("deliveries.account", "!=", account),
                  is("deliveries.target", "is", null),
                  is("deliveries.target", "!=", host),
                ]),
              ),
            ),
          )
          .orderBy("deliveries.next_at")
          .orderBy("deliveries.seq")
          .limit(limit)
          .execute();
        for (const { id, attempts } of rows) {
          const lease = { state: "sending", next_at: now + leaseMs, attempts: attempts + 1 };
          await updateRows(tx, "deliveries", { id }, lease);
        }
        return rows.map(toDueDelivery);
      }),

    async nextAt() {
      const due = { market, next_at: compare({ "!=": null }) };
      const row = await findRow(db, "deliveries", due, { columns: ["next_at"], order: ["next_at"] });
      return row?.next_at ?? null;
    },

    async delivered(id, attempt) {
      await settle(id, attempt, { state: "delivered", next: null });
    },

    async failed(id, attempt, next, pause) {
      const row = await settle(id, attempt, { state: next === null ? "undelivered" : "waiting", next });
      if (row === null || pause === undefined) return;
      const { account, subscription } = row;
      await storeTransaction(db, async (tx) => {
        const active = { account, market, id: subscription, state: "active" };
        await updateRows(tx, "subscriptions", active, { state: "paused", reason: pause });
        await cancelDeliveries(tx, { market, account, subscription, reason: pause });
      });
    },
  };
}

/** Makes the oldest open delivery of a subscription due. */
async function promote(tx: Kysely<Schema>, market: string, subscription: string, at: number): Promise<void> {
  const open = { market, subscription, state: OPEN_STATES };
  const next = await findRow(tx, "deliveries", open, { columns: ["id", "next_at"], order: ["seq"] });
  if (next === undefined || next.next_at !== null) return;
  await updateRows(tx, "deliveries", { id: next.id }, { next_at: at });
}

async function logAttempt(tx: Kysely<Schema>, delivery: string, attempt: DeliveryAttempt): Promise<void> {
  const last = await findRow(tx, "delivery_attempts", { delivery }, { order: ["number desc"] });
  const { at, status, reason, ms } = attempt;
  const row = { delivery, number: (last?.number ?? 0) + 1, at, status, reason, ms: Math.round(ms) };
  await insertRows(tx, "delivery_attempts", [row]);
}

type Row = Selectable<Schema["deliveries"]> &
  Pick<
    Selectable<Schema["subscriptions"]>,
    "name" | "symbols" | "watchlist" | "timeframe" | "condition" | "created_at"
  > & { readonly subscribed: string; readonly paused: string | null };

const toDueDelivery = (row: Row): DueDelivery => ({
  id: row.id,
  account: row.account,
  subscription: Subscription.parse({
    subscription_id: row.subscription,
    name: row.name,
    symbols: JSON.parse(row.symbols),
    watchlist: row.watchlist,
    timeframe: row.timeframe,
    condition: JSON.parse(row.condition),
    channel: row.channel,
    target: row.target,
    created_at: row.created_at,
    state: row.subscribed,
    reason: row.paused,
  }),
  alert: AlertFired.parse(JSON.parse(row.alert)),
  attempts: row.attempts,
});
