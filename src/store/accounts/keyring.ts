import type { Kysely, Selectable } from "kysely";
import { z } from "zod";
import { PLAN_RANK, type Plan } from "../../domain/accounts/access.ts";
import type { AccountFilter, AccountRecord, KeyRecord, Keyring } from "../../domain/accounts/keyring-port.ts";
import { fixedQuery } from "../fixed-query.ts";
import { findRow, insertMissing, insertRows, listRows, updateRows } from "../queries.ts";
import { parseScopes } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction, storeTransaction } from "../transactions.ts";
import { truncateWal } from "../vault/seals.ts";

const Overrides = z.object({ terms: z.string().nullable().default(null) });

/** Opens the accounts and keys in the database. */
export function openKeyring(db: Kysely<Schema>): Keyring {
  const ofAccount = (filter: AccountFilter) => (filter === null ? {} : { account: filter });
  const accountRow = fixedQuery(db, ["id"], ({ id }) =>
    db.selectFrom("accounts").selectAll().where("id", "=", id),
  );
  const account = async (id: string) => {
    const row = await accountRow({ id });
    return row === undefined ? null : toAccount(row);
  };
  return {
    account,
    async findByHash(hash) {
      const row = await db
        .selectFrom("keys")
        .innerJoin("accounts", "accounts.id", "keys.account")
        .selectAll("keys")
        .select([
          "accounts.plan",
          "accounts.overrides",
          "accounts.suspended_at",
          "accounts.created_at as opened_at",
        ])
        .where("keys.hash", "=", hash)
        .executeTakeFirst();
      if (row === undefined) return null;
      const { plan, overrides, suspended_at, opened_at, ...key } = row;
      const holder = { id: key.account, plan, overrides, created_at: opened_at, suspended_at };
      return { key: toKey(key), account: toAccount(holder) };
    },
    openAccount: (record, key, verify) =>
      accountTransaction(db, record.id, async (tx) => {
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
      const save = async (tx: Kysely<Schema>) => (await updateRows(tx, "accounts", { id }, change)) === 1;
      return accountTransaction(db, id, save);
    },
    async keys(filter) {
      const order = ["created_at desc", "id"] as const;
      return (await listRows(db, "keys", ofAccount(filter), { order })).map(toKey);
    },
    async key(filter, id) {
      const row = await findRow(db, "keys", { ...ofAccount(filter), id });
      return row === undefined ? null : toKey(row);
    },
    async addFirstKey(record, key) {
      const added = await storeTransaction(db, async (tx) => {
        // Writes first, so that a second process waits here and then finds the key added by the first.
        await tx
          .insertInto("accounts")
          .values(fromAccount(record))
          .onConflict((conflict) => conflict.column("id").doUpdateSet({ plan: record.plan }))
          .execute();
        if ((await findRow(tx, "keys", {})) !== undefined) return false;
        await insertRows(tx, "keys", [fromKey(key)]);
        return true;
      });
      if (added) await truncateWal(db); // A copy of the main file alone then has the key.
      return added;
    },
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
      storeTransaction(db, async (tx) => {
        const replaceable = { ...ofAccount(filter), id, replaced_by: null, revoked_at: null };
        const replaced = { replaced_by: next.id, grace_until: graceUntil };
        if ((await updateRows(tx, "keys", replaceable, replaced)) !== 1) return false;
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

/** Maps a row of the accounts. */
/** Stored plan of an account. */
export const PlanRow = z.enum(Object.keys(PLAN_RANK) as [Plan, ...Plan[]]);

export const toAccount = ({ plan, overrides, ...row }: Selectable<Schema["accounts"]>): AccountRecord => ({
  ...row,
  plan: PlanRow.parse(plan),
  terms: overrides === null ? null : Overrides.parse(JSON.parse(overrides)).terms,
});

const fromKey = ({ scopes, ...rest }: KeyRecord): Selectable<Schema["keys"]> => ({
  ...rest,
  scopes: scopes.join(" "),
});

const toKey = ({ kind, scopes, ...row }: Selectable<Schema["keys"]>): KeyRecord => ({
  ...row,
  kind: kind === "test" ? "test" : "live",
  scopes: parseScopes(scopes),
});
