import type { Kysely } from "kysely";
import type { WatchUpdate } from "../../domain/alerts/alerts-port.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { compare, deleteRows, insertMissing, listRows, type MarketDb, updateRows } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { lockSequences, storeTransaction } from "../transactions.ts";

/** States of deliveries that are not settled yet. */
export const OPEN_STATES = ["waiting", "sending"] as const;
/** Retention of settled deliveries after their creation. */
const RETENTION_MS = 90 * 86_400_000;
/** Maximum number of old deliveries that each new batch of alerts deletes. */
const SWEEP_LIMIT = 20;
/** Maximum number of subscriptions read by one statement. */
const BATCH_SIZE = 500;

/**
 * Queues each alert of an existing subscription once, after the subscription's open deliveries. Returns the number of
 * alerts added.
 */
export async function addAlerts(
  tx: Kysely<Schema>,
  { market, at, alerts }: { readonly market: string; readonly at: number } & Pick<WatchUpdate, "alerts">,
): Promise<number> {
  if (alerts.length === 0) return 0;
  await lockSequences(tx);
  const ids = [...new Set(alerts.map(({ alert }) => alert.subscription_id))];
  const targets = new Map<string, { readonly channel: string; readonly target: string | null }>();
  const withOpen = new Set<string>();
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const batch = ids.slice(from, from + BATCH_SIZE);
    const columns = ["account", "id", "channel", "target"] as const;
    const subscriptions = await listRows(tx, "subscriptions", { market, id: batch }, { columns });
    for (const { account, id, ...target } of subscriptions) targets.set(`${account} ${id}`, target);
    const open = await tx
      .selectFrom("deliveries")
      .select("subscription")
      .distinct()
      .where("market", "=", market)
      .where("subscription", "in", batch)
      .where("state", "in", OPEN_STATES)
      .execute();
    for (const { subscription } of open) withOpen.add(subscription);
  }
  await sweep(tx, market, at);
  let added = 0;
  for (const { account, alert } of alerts) {
    const { subscription_id: subscription, alert_id } = alert;
    const target = targets.get(`${account} ${subscription}`);
    if (target === undefined) continue;
    const isLogOnly = target.channel === "none";
    const row = {
      id: `dl_${idDigits(alert_id)}`,
      alert_id,
      account,
      market,
      subscription,
      ...target,
      alert: JSON.stringify(alert),
      state: isLogOnly ? "stored" : "waiting",
      reason: null,
      attempts: 0,
      next_at: isLogOnly || withOpen.has(subscription) ? null : at,
      made_at: alert.fired_at,
    };
    if ((await insertMissing(tx, "deliveries", [row])) !== 1) continue;
    added += 1;
    if (!isLogOnly) withOpen.add(subscription);
  }
  return added;
}

/** Creates the queue to which alerts of one market are added outside of an evaluation. */
export const alertQueue = ({ db, market }: MarketDb) => ({
  /** Queues each alert of an existing subscription once. `at`: epoch ms. */
  add: (alerts: WatchUpdate["alerts"], at: number): Promise<number> =>
    storeTransaction(db, (tx) => addAlerts(tx, { market, at, alerts })),
});

/** Settles the open deliveries of a subscription as undelivered, with the reason. */
export async function cancelDeliveries(
  tx: Kysely<Schema>,
  filter: {
    readonly market: string;
    readonly account: string;
    readonly subscription: string;
    readonly reason: string;
  },
): Promise<void> {
  const { reason, ...subscription } = filter;
  const unsettled = { state: "undelivered", next_at: null, reason };
  await updateRows(tx, "deliveries", { ...subscription, state: OPEN_STATES }, unsettled);
}

/** Deletes a few settled deliveries whose retention has passed. */
async function sweep(tx: Kysely<Schema>, market: string, now: number): Promise<void> {
  const until = new Date(now - RETENTION_MS).toISOString();
  const settled = { market, made_at: compare({ "<": until }), state: compare({ "not in": OPEN_STATES }) };
  const page = { columns: ["id"], order: ["made_at"], limit: SWEEP_LIMIT } as const;
  const ids = (await listRows(tx, "deliveries", settled, page)).map(({ id }) => id);
  await deleteRows(tx, "delivery_attempts", { delivery: ids });
  await deleteRows(tx, "deliveries", { id: ids });
}
