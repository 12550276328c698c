import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { AccountRepository, AccountRows, AccountSummary } from "../../domain/accounts/accounts-port.ts";
import { MAY_FILL, UNRESOLVED_STATES } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { rowIdOf } from "../engine.ts";
import { updateRows } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction, storeTransaction } from "../transactions.ts";
import { enableSecureDelete, truncateWal } from "../vault/seals.ts";
import { accountTables } from "./account-tables.ts";
import { toAccount } from "./keyring.ts";

/** Rows read at once; a stored backtest has up to some megabytes. */
const PAGE = 20;

/** Opens the accounts in the database, with all that is stored for them. */
export function accountRepository(db: Kysely<Schema>): AccountRepository {
  const summaries = () =>
    db
      .selectFrom("accounts")
      .leftJoin("keys", "keys.account", "accounts.id")
      .groupBy("accounts.id")
      .selectAll("accounts")
      .select(({ fn }) => [
        fn.count<number>("keys.id").as("keys"),
        fn.max("keys.last_used_at").as("last_used_at"),
      ])
      .orderBy("accounts.created_at")
      .orderBy("accounts.id");

  return {
    list: async () => (await summaries().execute()).map(toSummary),

    async find(id) {
      const row = await summaries().where("accounts.id", "=", id).executeTakeFirst();
      return row === undefined ? null : toSummary(row);
    },

    async setSuspended(id, at) {
      await accountTransaction(db, id, (tx) => updateRows(tx, "accounts", { id }, { suspended_at: at }));
    },

    async countRows(id) {
      const counts: Record<string, number> = {};
      for (const { name, where } of accountTables) {
        const { rows } = await sql<{ count: number }>`
          SELECT count(*) AS count FROM ${sql.table(name)} WHERE ${where(id)}`.execute(db);
        const count = Number(rows[0]?.count ?? 0);
        if (count > 0) counts[name] = count;
      }
      return counts;
    },

    openLiveOrders: (id) => openLiveOrdersIn(db, id),

    async *rows(id) {
      for (const { name, where, secretColumns, exported } of accountTables)
        if (exported) yield* pagesOf(db, { name, where: where(id), secretColumns });
      yield* pagesOf(db, { name: "audit_log", where: sql`account = ${id}`, secretColumns: [] });
    },

    async delete(id) {
      await enableSecureDelete(db);
      const deleted = await storeTransaction(db, async (tx) => {
        const counts: Record<string, number> = {};
        // written first, so that no other process sends an order in between
        await updateRows(tx, "accounts", { id }, { overrides: null });
        const open = await openLiveOrdersIn(tx, id);
        if (open.length > 0) throw openOrdersError(id, open);
        for (const { name, where } of accountTables) {
          const { numAffectedRows = 0n } = await sql`
            DELETE FROM ${sql.table(name)} WHERE ${where(id)}`.execute(tx);
          if (numAffectedRows > 0n) counts[name] = Number(numAffectedRows);
        }
        return counts;
      });
      await truncateWal(db); // which may hold sealed credentials
      return deleted;
    },
  };
}

/** Reads the rows of one table in the order in which they are stored: in SQLite, that of insertion. */
async function* pagesOf(
  db: Kysely<Schema>,
  {
    name,
    where,
    secretColumns,
  }: {
    readonly name: string;
    readonly where: RawBuilder<SqlBool>;
    readonly secretColumns: readonly string[];
  },
): AsyncGenerator<AccountRows> {
  const { column, first } = rowIdOf(db);
  const rowId = sql.raw(column);
  for (let last: number | string = first; ; ) {
    const { rows } = await sql<Record<string, unknown> & { readonly row_id_: number | string }>`
      SELECT ${rowId} AS row_id_, * FROM ${sql.table(name)}
      WHERE ${rowId} > ${last} AND ${where} ORDER BY ${rowId} LIMIT ${PAGE}`.execute(db);
    if (rows.length > 0) yield { table: name, rows: rows.map((row) => withoutColumns(row, secretColumns)) };
    if (rows.length < PAGE) return;
    last = rows.at(-1)!.row_id_;
  }
}

const withoutColumns = (row: Readonly<Record<string, unknown>>, columns: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== "row_id_" && !columns.includes(name)));

/** Returns orders that may still fill, except those of connections that are known to be paper accounts. */
async function openLiveOrdersIn(on: Kysely<Schema>, id: string): Promise<readonly string[]> {
  const rows = await on
    .selectFrom("trade_orders")
    .leftJoin("connections", (join) =>
      join
        .onRef("connections.account", "=", "trade_orders.account")
        .onRef("connections.market", "=", "trade_orders.market")
        .onRef("connections.id", "=", "trade_orders.connection"),
    )
    .select("trade_orders.id")
    .where("trade_orders.account", "=", id)
    .where((is) =>
      is.or([
        is("trade_orders.state", "in", UNRESOLVED_STATES),
        is.and([
          is("trade_orders.state", "!=", "rejected"),
          is("trade_orders.broker_status", "in", MAY_FILL),
        ]),
      ]),
    )
    .where((is) =>
      is.or([is("connections.account_type", "is", null), is("connections.account_type", "!=", "paper")]),
    )
    .orderBy("trade_orders.created_at")
    .orderBy("trade_orders.id")
    .execute();
  return rows.map((row) => row.id);
}

const openOrdersError = (id: string, open: readonly string[]): ToolError =>
  new ToolError("CONFLICT", `The account "${id}" has ${open.length} open live orders, so it is not deleted`, {
    hint: "Cancel them with a key of the account (cancel_order), or wait until they are filled; reconcile_orders reads orders of unknown state back. Suspend the account only afterwards.",
    data: { open_live_orders: open },
  });

const toSummary = ({
  keys,
  last_used_at,
  ...row
}: Parameters<typeof toAccount>[0] & {
  readonly keys: number;
  readonly last_used_at: string | null;
}): AccountSummary => ({ ...toAccount(row), keys: Number(keys), last_used_at });
