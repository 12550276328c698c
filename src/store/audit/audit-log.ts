import { type Kysely, type Selectable, sql } from "kysely";
import { type AuditHead, NO_ENTRY, type NotedHead, noteText, readNote } from "../../domain/audit/audit.ts";
import type { AuditEvent } from "../../domain/audit/audit-events.ts";
import type {
  AuditEntry,
  AuditRepository,
  UnloggedChange,
  VerifiedEntry,
} from "../../domain/audit/audit-port.ts";
import { isPostgres, jsonText } from "../engine.ts";
import { compare, findRow, insertRows, listRows, upsert } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { confirmTicket } from "../trading/confirm-ticket.ts";
import { accountTransaction, appendTransaction, lockSequences } from "../transactions.ts";
import { currentKeyId, keyIdOrInsert } from "../vault/seals.ts";
import { type AuditHeadStore, auditHeadFile } from "./audit-head.ts";

const ONE = 1;

/**
 * Opens the audit log in the store. `head` stores the last entry outside the database. Default: in a file in `dataDir`.
 * In PostgreSQL, which servers with other folders share, the file has the last entry that this folder wrote.
 */
export function auditLog({
  db,
  dataDir,
  head = auditHeadFile(dataDir),
}: {
  readonly db: Kysely<Schema>;
  readonly dataDir: string;
  readonly head?: AuditHeadStore;
}): AuditRepository {
  const isShared = isPostgres(db);
  return {
    async append(make, ticket) {
      const add = async (tx: Kysely<Schema>) => {
        const [last, sealedKey] = [await lastIn(tx), await sealedKeyIn(tx)];
        const noted = isShared ? newestOf(await storedHeadIn(tx), head.read()) : head.read();
        const { entry, newKey, codeOf } = make({
          last,
          noted,
          sealedKey,
          masterKeyId: await currentKeyId(tx),
        });
        // The head is written before the first entry, so that from then on a missing head counts as tampering.
        if (!isShared && last.seq === 0 && (noted === null || noted.seq === 0))
          head.write({ ...NO_ENTRY, code: codeOf(NO_ENTRY) });
        if (newKey !== null) {
          if ((await keyIdOrInsert(tx, newKey.under)) !== newKey.under)
            throw new Error("The key of the audit log is sealed under another master key");
          await insertRows(tx, "audit_key", [{ one: ONE, sealed: newKey.sealed }]);
        }
        await insertRows(tx, "audit_log", [entry]);
        const added = { seq: entry.seq, mac: entry.mac };
        const written = { ...added, code: codeOf(added) };
        await upsert(tx, "audit_head", { one: ONE }, { note: noteText(written) });
        return { codeOf, written };
      };
      const added =
        ticket === undefined
          ? await appendTransaction(db, add)
          : await accountTransaction(db, ticket.account, async (tx) => {
              if (!(await confirmTicket(tx, ticket))) return null;
              await lockSequences(tx);
              return add(tx);
            });
      if (added === null) return false;
      if (isShared) {
        if ((head.read()?.seq ?? 0) < added.written.seq) head.write(added.written);
        return true;
      }
      // Locks again, so that two concurrent processes cannot replace a newer head with an older one.
      await appendTransaction(db, async (tx) => {
        const last = await lastIn(tx);
        head.write({ ...last, code: added.codeOf(last) });
      });
      return true;
    },

    sealedKey: () => sealedKeyIn(db),

    async entries(after, limit) {
      const page = { order: ["seq"], limit } as const;
      const rows = await listRows(db, "audit_log", { seq: compare({ ">": after }) }, page);
      return rows.map(toEntry);
    },

    async notedHeads() {
      const file = head.read();
      return { file, stored: await storedHeadIn(db), isShared };
    },

    unloggedChanges: (since) => unloggedChangesIn(db, since),
  };
}

/**
 * Returns changes without an entry; with `since`, only orders and limits from an hour before that entry on, whose
 * entries are among the last 10,000 before it, and all connections.
 */
async function unloggedChangesIn(
  db: Kysely<Schema>,
  since: VerifiedEntry | undefined,
): Promise<readonly UnloggedChange[]> {
  const after = since === undefined ? 0 : since.seq - 10_000;
  const begun = since === undefined ? "" : new Date(Date.parse(since.at) - 3_600_000).toISOString();
  // Entries that are not valid JSON are ignored.
  const { rows } = await sql<UnloggedChange>`
    with logged as materialized (
      select event, account,
        ${jsonText(db, "about", "order_id")} as order_id,
        ${jsonText(db, "about", "connection_id")} as connection_id
      from audit_log where event = 'connection_added' or (seq > ${after} and event in ('order_sending', 'limits')))
    select 'order' as kind, id from trade_orders
      where (state in ('accepted', 'unknown') or broker_status in ('working', 'partially_filled', 'filled', 'cancelled', 'expired'))
        and created_at >= ${begun}
        and id not in (select order_id from logged where event = 'order_sending' and order_id is not null)
    union all
    select 'connection', id from connections
      where id not in (select connection_id from logged where event = 'connection_added' and connection_id is not null)
    union all
    select 'limits', account from risk_limits
      where set_at >= ${begun} and account not in (select account from logged where event = 'limits')
    order by 1, 2`.execute(db);
  return rows;
}

async function lastIn(db: Kysely<Schema>): Promise<AuditHead> {
  const row = await findRow(db, "audit_log", {}, { columns: ["seq", "mac"], order: ["seq desc"] });
  return row ?? NO_ENTRY;
}

async function storedHeadIn(db: Kysely<Schema>): Promise<NotedHead | null> {
  const row = await findRow(db, "audit_head", {});
  return row === undefined ? null : readNote(row.note);
}

/** Null without a stored head, as its row was deleted then. */
const newestOf = (stored: NotedHead | null, file: NotedHead | null): NotedHead | null =>
  stored !== null && file !== null && file.seq > stored.seq ? file : stored;

async function sealedKeyIn(db: Kysely<Schema>): Promise<string | null> {
  const row = await findRow(db, "audit_key", {});
  return row?.sealed ?? null;
}

/** Maps a row without validation, because the audit check reports invalid rows. */
const toEntry = ({ event, ...row }: Selectable<Schema["audit_log"]>): AuditEntry => ({
  ...row,
  event: event as AuditEvent,
});
