import type { Kysely } from "kysely";
import type { ConnectionName, RestoreChanges } from "../../domain/backups/backups.ts";
import { OPEN_STATES } from "../alerts/deliveries.ts";
import { deleteRows, findRow, insertRows, listRows, updateRows } from "../queries.ts";
import type { Schema } from "../schema.ts";
import type { Database } from "../sqlite/database.ts";
import { storeTransaction } from "../transactions.ts";

/** A restore that the audit log does not name yet. */
export interface PendingRestore {
  readonly restoredAt: string;
  readonly about: Readonly<Record<string, unknown>>;
}

/** Name and time of the backup, and more facts for the audit log. */
export interface RestoreFacts {
  readonly backup: string;
  /** Time of the backup, or the oldest time it can have; ISO 8601 UTC. */
  readonly madeAt: string;
  readonly at: string;
  readonly about: Readonly<Record<string, unknown>>;
}

/**
 * Records a restore so that nothing is done twice: running agents stop, due alerts become undelivered, and live
 * connections wait until they are reconciled. Returns what was changed.
 */
export function markRestored(
  db: Kysely<Schema>,
  { backup, madeAt, at, about }: RestoreFacts,
): Promise<RestoreChanges> {
  const reason = `The server was restored from a backup of ${madeAt}`;
  return storeTransaction(db, async (tx) => {
    const agents = await listRows(tx, "agents", { state: "running" }, { order: ["account", "id"] });
    const stopped = { state: "stopped", reason, next_at: null, lease_owner: null, lease_until: null };
    await updateRows(tx, "agents", { state: "running" }, stopped);
    const due = await listRows(tx, "deliveries", { state: OPEN_STATES }, { order: ["account", "seq"] });
    const unsent = { state: "undelivered", next_at: null, reason };
    await updateRows(tx, "deliveries", { state: OPEN_STATES }, unsent);
    const live = await connectionNames(tx, { account_type: "live" });
    await deleteRows(tx, "unreconciled_connections", {});
    const waiting = live.map(({ account, market, connection_id }) => ({
      account,
      market,
      connection: connection_id,
      since: madeAt,
    }));
    await insertRows(tx, "unreconciled_connections", waiting);
    const changes = { agents: agents.length, deliveries: due.length, live_connections: live.length };
    const entry = JSON.stringify({ ...about, backup, made_at: madeAt, ...changes });
    await insertRows(tx, "restores", [{ restored_at: at, backup, about: entry, is_logged: 0 }]);
    return {
      agents: agents.map(({ account, agent, id }) => ({ account, agent, agent_id: id })),
      deliveries: due.map(({ account, id, target, made_at }) => ({
        account,
        delivery_id: id,
        target: target === null ? null : hostOf(target),
        created_at: made_at,
      })),
      live_connections: live,
    };
  });
}

/** Returns the names of connections of all accounts and markets. */
export async function connectionNames(
  db: Kysely<Schema>,
  filter: { readonly account_type?: string } = {},
): Promise<readonly ConnectionName[]> {
  const rows = await listRows(db, "connections", filter, { order: ["account", "market", "id"] });
  return rows.map(({ account, market, id, broker, account_type }) => ({
    account,
    market,
    connection_id: id,
    broker,
    account_type,
  }));
}

/** Returns the live connections of all accounts that wait since a restore. */
export async function unreconciledNames(db: Kysely<Schema>): Promise<readonly ConnectionName[]> {
  const waiting = await listRows(db, "unreconciled_connections", {});
  const ids = new Set(waiting.map(({ account, market, connection }) => `${account} ${market} ${connection}`));
  const live = await connectionNames(db, { account_type: "live" });
  return live.filter(({ account, market, connection_id }) =>
    ids.has(`${account} ${market} ${connection_id}`),
  );
}

/** Returns the oldest restore without an entry in the audit log; null if there is none. */
export async function pendingRestore(db: Kysely<Schema>): Promise<PendingRestore | null> {
  const row = await findRow(db, "restores", { is_logged: 0 }, { order: ["restored_at"] });
  return row === undefined ? null : { restoredAt: row.restored_at, about: JSON.parse(row.about) };
}

/** Records that the audit log names a restore. */
export async function setRestoreLogged(db: Kysely<Schema>, restoredAt: string): Promise<void> {
  await updateRows(db, "restores", { restored_at: restoredAt }, { is_logged: 1 });
}

/** Returns what a restore of a backup would change, read from the backup itself. */
export function previewChanges(db: Database): RestoreChanges {
  const states = OPEN_STATES.map((state) => `'${state}'`).join(", ");
  const all = (text: string): any[] => db.prepare(text).all();
  return {
    agents: all(
      "SELECT account, agent, id AS agent_id FROM agents WHERE state = 'running' ORDER BY account, id",
    ),
    deliveries: all(
      `SELECT account, id AS delivery_id, target, made_at AS created_at FROM deliveries WHERE state IN (${states}) ORDER BY account, seq`,
    ).map((row) => ({ ...row, target: row.target === null ? null : hostOf(row.target) })),
    live_connections: all(
      "SELECT account, market, id AS connection_id, broker, account_type FROM connections WHERE account_type = 'live' ORDER BY account, market, id",
    ),
  };
}

/** Returns the connections of a backup, of all accounts. */
export const previewConnections = (db: Database): readonly ConnectionName[] =>
  db
    .prepare(
      "SELECT account, market, id AS connection_id, broker, account_type FROM connections ORDER BY account, market, id",
    )
    .all();

/** Returns the host of a URL; the text itself if it is none. */
const hostOf = (target: string): string => (URL.canParse(target) ? new URL(target).host : target);
