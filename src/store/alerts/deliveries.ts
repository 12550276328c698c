import type { Kysely, Selectable } from "kysely";
import { AlertFired, Delivery, Subscription } from "../../domain/alerts/alerts.ts";
import type {
  DeliveryAttempt,
  DeliveryQueue,
  DueDelivery,
  Subscriptions,
  WatchUpdate,
} from "../../domain/alerts/alerts-port.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

/** Those that are still to be told. */
const OPEN_STATES = ["waiting", "sending"] as const;
/** How long the log keeps what is settled, and how many old lines each new alert removes at most. */
const RETENTION_MS = 90 * 86_400_000;
const SWEEP_LIMIT = 20;
/** Attempts of one delivery that are shown. */
const MAX_ATTEMPTS_SHOWN = 20;
/** Values that one statement may name with room to spare. */
const BATCH_SIZE = 500;

interface StoreScope {
  readonly db: Kysely<Schema>;
  readonly market: string;
}

/** Deliveries of one market in the store: those that are due, each given to one process at a time, a subscription's in order. */
export function deliveryQueue({ db, market }: StoreScope): DeliveryQueue {
  const settle = (
    id: string,
    attempt: DeliveryAttempt,
    to: { readonly state: string; readonly next: number | null },
  ) =>
    db.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom("deliveries")
        .select(["account", "subscription", "state", "attempts"])
        .where((is) => is.and({ id, market }))
        .executeTakeFirst();
      if (row === undefined) return null;
      await log(tx, id, attempt);
      const open = OPEN_STATES.some((state) => state === row.state);
      // what arrived has arrived, though it was given up meanwhile
      if (!open && !(to.state === "delivered" && row.state === "undelivered")) return null;
      await tx
        .updateTable("deliveries")
        .set({
          state: to.state,
          next_at: to.next,
          reason: to.state === "undelivered" ? attempt.reason : null,
        })
        .where("id", "=", id)
        .execute();
      if (open && to.next === null) await promote(tx, market, row.subscription, Date.parse(attempt.at));
      return row;
    });
  return {
    take: (now, limit, leaseMs, full = { hosts: [], accounts: [] }) =>
      db.transaction().execute(async (tx) => {
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
          .where("deliveries.next_at", "<=", now)
          .where((is) =>
            is.or([is("deliveries.target", "is", null), is("deliveries.target", "not in", full.hosts)]),
          )
          .where("deliveries.account", "not in", full.accounts)
          .orderBy("deliveries.next_at")
          .orderBy("deliveries.seq")
          .limit(limit)
          .execute();
        for (const { id, attempts } of rows)
          await tx
            .updateTable("deliveries")
            .set({ state: "sending", next_at: now + leaseMs, attempts: attempts + 1 })
            .where("id", "=", id)
            .execute();
        return rows.map(toDueDelivery);
      }),

    async nextAt() {
      const row = await db
        .selectFrom("deliveries")
        .select("next_at")
        .where("market", "=", market)
        .where("next_at", "is not", null)
        .orderBy("next_at")
        .limit(1)
        .executeTakeFirst();
      return row?.next_at ?? null;
    },

    async delivered(id, attempt) {
      await settle(id, attempt, { state: "delivered", next: null });
    },

    async failed(id, attempt, next, pause) {
      const row = await settle(id, attempt, { state: next === null ? "undelivered" : "waiting", next });
      if (row === null || pause === undefined) return;
      const { account, subscription } = row;
      await db.transaction().execute(async (tx) => {
        await tx
          .updateTable("subscriptions")
          .set({ state: "paused", reason: pause })
          .where((is) => is.and({ account, market, id: subscription, state: "active" }))
          .execute();
        await giveUp(tx, { market, account, subscription, reason: pause });
      });
    },
  };
}

/** The log of an account's alerts in one market, the newest first. */
export function deliveryLog({ db, market }: StoreScope): Pick<Subscriptions, "deliveries"> {
  return {
    async deliveries(account, { subscription, state, limit }) {
      const rows = await db
        .selectFrom("deliveries")
        .selectAll()
        .where((is) =>
          is.and({ account, market, ...(subscription && { subscription }), ...(state && { state }) }),
        )
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      if (rows.length === 0) return [];
      const attempts = await db
        .selectFrom("delivery_attempts")
        .selectAll()
        .where(
          "delivery",
          "in",
          rows.map(({ id }) => id),
        )
        .orderBy("number")
        .execute();
      return rows.flatMap((row) => {
        const alert = readRow(AlertFired, row.alert);
        if (alert === null) return [];
        const own = attempts.filter(({ delivery }) => delivery === row.id).slice(-MAX_ATTEMPTS_SHOWN);
        const due = row.state === "waiting" ? row.next_at : null;
        return Delivery.parse({
          delivery_id: row.id,
          subscription_id: row.subscription,
          channel: row.channel,
          target: row.target,
          state: row.state,
          reason: row.reason,
          alert,
          next_attempt_at: due === null ? null : new Date(due).toISOString(),
          attempts: own.map(({ at, status, reason, ms }) => ({ at, status, reason, ms })),
        });
      });
    },
  };
}

/** Writes alerts of subscriptions that there are, each once, behind what each of these still has to be told; returns how many. */
export async function addAlerts(
  tx: Kysely<Schema>,
  { market, at, alerts }: { readonly market: string; readonly at: number } & Pick<WatchUpdate, "alerts">,
): Promise<number> {
  if (alerts.length === 0) return 0;
  const names = [...new Set(alerts.map(({ alert }) => alert.subscription_id))];
  const channels = new Map<string, { readonly channel: string; readonly target: string | null }>();
  const waiting = new Set<string>();
  for (let from = 0; from < names.length; from += BATCH_SIZE) {
    const some = names.slice(from, from + BATCH_SIZE);
    const known = await tx
      .selectFrom("subscriptions")
      .select(["account", "id", "channel", "target"])
      .where("market", "=", market)
      .where("id", "in", some)
      .execute();
    for (const { account, id, ...goes } of known) channels.set(`${account} ${id}`, goes);
    const open = await tx
      .selectFrom("deliveries")
      .select("subscription")
      .distinct()
      .where("market", "=", market)
      .where("subscription", "in", some)
      .where("state", "in", OPEN_STATES)
      .execute();
    for (const { subscription } of open) waiting.add(subscription);
  }
  await sweep(tx, market, at);
  let added = 0;
  for (const { account, alert } of alerts) {
    const { subscription_id: subscription, alert_id } = alert;
    const goes = channels.get(`${account} ${subscription}`);
    if (goes === undefined) continue;
    const kept = goes.channel === "none";
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("deliveries")
      .values({
        id: `dl_${idDigits(alert_id)}`,
        alert_id,
        account,
        market,
        subscription,
        ...goes,
        alert: JSON.stringify(alert),
        state: kept ? "kept" : "waiting",
        reason: null,
        attempts: 0,
        next_at: kept || waiting.has(subscription) ? null : at,
        made_at: alert.fired_at,
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) continue;
    added += 1;
    if (!kept) waiting.add(subscription);
  }
  return added;
}

/** Gives up everything of a subscription that is not told yet. */
export async function giveUp(
  tx: Kysely<Schema>,
  of: {
    readonly market: string;
    readonly account: string;
    readonly subscription: string;
    readonly reason: string;
  },
): Promise<void> {
  const { reason, ...own } = of;
  await tx
    .updateTable("deliveries")
    .set({ state: "undelivered", next_at: null, reason })
    .where((is) => is.and(own))
    .where("state", "in", OPEN_STATES)
    .execute();
}

/** Lets the oldest of a subscription that still waits for its turn be taken. */
async function promote(tx: Kysely<Schema>, market: string, subscription: string, at: number): Promise<void> {
  const next = await tx
    .selectFrom("deliveries")
    .select(["id", "next_at"])
    .where((is) => is.and({ market, subscription }))
    .where("state", "in", OPEN_STATES)
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  if (next === undefined || next.next_at !== null) return;
  await tx.updateTable("deliveries").set({ next_at: at }).where("id", "=", next.id).execute();
}

async function log(tx: Kysely<Schema>, delivery: string, attempt: DeliveryAttempt): Promise<void> {
  const last = await tx
    .selectFrom("delivery_attempts")
    .select("number")
    .where("delivery", "=", delivery)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  const { at, status, reason, ms } = attempt;
  await tx
    .insertInto("delivery_attempts")
    .values({ delivery, number: (last?.number ?? 0) + 1, at, status, reason, ms: Math.round(ms) })
    .execute();
}

/** Removes a few lines that were settled long ago. */
async function sweep(tx: Kysely<Schema>, market: string, now: number): Promise<void> {
  const old = await tx
    .selectFrom("deliveries")
    .select("id")
    .where("market", "=", market)
    .where("made_at", "<", new Date(now - RETENTION_MS).toISOString())
    .where("state", "not in", OPEN_STATES)
    .orderBy("made_at")
    .limit(SWEEP_LIMIT)
    .execute();
  if (old.length === 0) return;
  const gone = old.map(({ id }) => id);
  await tx.deleteFrom("delivery_attempts").where("delivery", "in", gone).execute();
  await tx.deleteFrom("deliveries").where("id", "in", gone).execute();
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
