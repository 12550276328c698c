import type { Kysely, Selectable } from "kysely";
import { z } from "zod";
import { PLAN_RANK, type Plan, SCOPES, type Scope } from "../../domain/accounts/access.ts";
import type { AccountFilter, AccountRecord, KeyRecord, Keyring } from "../../domain/accounts/keyring-port.ts";
import { findRow, insertMissing, insertRows, updateRows } from "../queries.ts";
import type { Schema } from "../schema.ts";

const Overrides = z.object({ terms: z.string().nullable().default(null) });

/** Accounts and keys in the database. */
export function openKeyring(db: Kysely<Schema>): Keyring {
  const selectKeys = (filter: AccountFilter) => {
    const keys = db.selectFrom("keys").selectAll();
    return filter === null ? keys : keys.where("account", "=", filter);
  };
  const account = async (id: string) => {
    const row = await findRow(db, "accounts", { id });
    return row === undefined ? null : toAccount(row);
  };
  return {
    account,
    async findByHash(hash) {
      const row = await db
        .selectFrom("keys")
        .innerJoin("accounts", "accounts.id", "keys.account")
        .selectAll("keys")
        .select(["accounts.plan", "accounts.overrides", "accounts.created_at as opened_at"])
        .where("keys.hash", "=", hash)
        .executeTakeFirst();
      if (row === undefined) return null;
      return { key: toKey(row), account: toAccount({ ...row, id: row.account, created_at: row.opened_at }) };
    },
    openAccount: (record, key, verify) =>
      db.transaction().execute(async (tx) => {
        await insertMissing(tx, "accounts", [fromAccount(record)]);
        const stored = toAccount((await findRow(tx, "accounts", { id: record.id }))!);
        verify?.(stored);
        if (key !== undefined) await insertRows(tx, "keys", [fromKey(key)]);
        return stored;
      }),
    async changeAccount(id, { plan, terms }) {
      const change = {
        ...(plan === undefined ? {} : { plan }),
        ...(terms === undefined ? {} : { overrides: toOverrides(terms) }),
      };
      if (Object.keys(change).length === 0) return (await account(id)) !== null;
      return (await updateRows(db, "accounts", { id }, change)) === 1;
    },
    async keys(filter) {
      const rows = await selectKeys(filter).orderBy("created_at", "desc").orderBy("id").execute();
      return rows.map(toKey);
    },
    async key(filter, id) {
      const row = await selectKeys(filter).where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : toKey(row);
    },
    addFirstKey: (record, key) =>
      db.transaction().execute(async (tx) => {
        // Writing first makes a second process wait here and then find the key of the first.
        await tx
          .insertInto("accounts")
          .values(fromAccount(record))
          .onConflict((conflict) => conflict.column("id").doUpdateSet({ plan: record.plan }))
          .execute();
        if ((await findRow(tx, "keys", {})) !== undefined) return false;
        await insertRows(tx, "keys", [fromKey(key)]);
        return true;
      }),
    async revokeKey(filter, id, at) {
      const { numUpdatedRows } = await db
        .updateTable("keys")
        .set((eb) => ({ revoked_at: eb.fn.coalesce("revoked_at", eb.val(at)) }))
        .where("id", "=", id)
        .$if(filter !== null, (query) => query.where("account", "=", filter as string))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    replaceKey: (filter, id, next, graceUntil) =>
      db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("keys")
          .set({ replaced_by: next.id, grace_until: graceUntil })
          .where("id", "=", id)
          .where("replaced_by", "is", null)
          .where("revoked_at", "is", null)
          .$if(filter !== null, (query) => query.where("account", "=", filter as string))
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) return false;
        await insertRows(tx, "keys", [fromKey(next)]);
        return true;
      }),
  };
}

const toOverrides = (terms: string | null): string | null =>
  terms === null ? null : JSON.stringify({ terms });

const fromAccount = ({ terms, ...rest }: AccountRecord): Selectable<Schema["accounts"]> => ({
  ...rest,
  overrides: toOverrides(terms),
});

const toAccount = ({ id, plan, overrides, created_at }: Selectable<Schema["accounts"]>): AccountRecord => ({
  id,
  plan: z.enum(Object.keys(PLAN_RANK) as [Plan, ...Plan[]]).parse(plan),
  terms: overrides === null ? null : Overrides.parse(JSON.parse(overrides)).terms,
  created_at,
});

const fromKey = ({ scopes, ...rest }: KeyRecord): Selectable<Schema["keys"]> => ({
  ...rest,
  scopes: scopes.join(" "),
});

const toKey = (row: Selectable<Schema["keys"]>): KeyRecord => ({
  id: row.id,
  account: row.account,
  name: row.name,
  kind: row.kind === "test" ? "test" : "live",
  hash: row.hash,
  last4: row.last4,
  scopes: row.scopes.split(" ").filter((scope): scope is Scope => SCOPES.includes(scope as Scope)),
  created_at: row.created_at,
  expires_at: row.expires_at,
  revoked_at: row.revoked_at,
  replaced_by: row.replaced_by,
  grace_until: row.grace_until,
});
