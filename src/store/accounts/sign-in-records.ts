import type { Kysely } from "kysely";
import type { SignInRecords } from "../../domain/accounts/sign-in-port.ts";
import { compare, deleteRows, insertRows, listRows, updateRows } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { storeTransaction } from "../transactions.ts";
import { PlanRow } from "./keyring.ts";
import { addSession, personOf, RoleRow } from "./people.ts";

/** Creates the repository of sessions, recovery codes and roles. better-auth writes sessions to the same rows. */
export const signInRecords = (db: Kysely<Schema>): SignInRecords => ({
  async sessions(userId, token, now) {
    const rows = await listRows(
      db,
      "auth_sessions",
      { userId, expiresAt: compare<string>({ ">": now }) },
      { order: ["createdAt desc"] },
    );
    return rows.map((row) => ({
      id: row.id,
      began_at: row.createdAt,
      seen_at: row.updatedAt,
      expires_at: row.expiresAt,
      user_agent: row.userAgent === "" ? null : row.userAgent,
      current: row.token === token,
    }));
  },
  async useSession(token, now) {
    await updateRows(db, "auth_sessions", { token }, { updatedAt: now });
  },
  endSession: async (userId, id) => (await deleteRows(db, "auth_sessions", { userId, id })) > 0,
  async isSuspended(id) {
    const row = await db
      .selectFrom("auth_users")
      .innerJoin("accounts", "accounts.id", "account")
      .select("suspended_at")
      .where("auth_users.id", "=", id)
      .executeTakeFirst();
    return row !== undefined && row.suspended_at !== null;
  },
  async recordSignIn(id, lastSignInAt) {
    await updateRows(db, "auth_users", { id }, { lastSignInAt });
  },
  async people() {
    const rows = await db
      .selectFrom("auth_users as person")
      .innerJoin("accounts", "accounts.id", "account")
      .select(["person.id", "name", "email", "role", "account", "plan", "lastSignInAt", "suspended_at"])
      .orderBy("account")
      .execute();
    return rows.map(({ plan, lastSignInAt, suspended_at, ...row }) => ({
      ...personOf(row),
      plan: PlanRow.parse(plan),
      last_sign_in_at: lastSignInAt,
      suspended_at,
    }));
  },
  async invitations(now) {
    const rows = await db
      .selectFrom("browser_links as link")
      .leftJoin("accounts", "accounts.id", "link.account")
      .select(["link.account", "role", "expires_at"])
      .where("role", "!=", "owner")
      .where("used_at", "is", null)
      .where("expires_at", ">", now)
      .where("suspended_at", "is", null)
      .orderBy("link.account")
      .execute();
    return rows.map(({ account, role, expires_at }) => ({ account, role: RoleRow.parse(role), expires_at }));
  },
  endInvitation: async (account, now) =>
    (await deleteRows(db, "browser_links", { ...unusedLinks(now), account })) > 0,
  setRole: (account, role) =>
    storeTransaction(db, async (tx) => {
      await deleteRows(tx, "browser_links", { account });
      return (await updateRows(tx, "auth_users", { account }, { role })) > 0;
    }),
  replaceCodes: (userId, codes, createdAt) =>
    storeTransaction(db, async (tx) => {
      await deleteRows(tx, "auth_recovery_codes", { userId });
      const rows = codes.map(({ id, hash }) => ({ id, userId, hash, createdAt, usedAt: null }));
      await insertRows(tx, "auth_recovery_codes", rows);
    }),
  async unusedCodes(userId) {
    const rows = await listRows(db, "auth_recovery_codes", { userId, usedAt: null });
    return { left: rows.length, made_at: rows[0]?.createdAt ?? null };
  },
  useCode: (email, hash, session) =>
    storeTransaction(db, async (tx) => {
      const row = await tx
        .selectFrom("auth_users")
        .leftJoin("accounts", "accounts.id", "account")
        .select(["auth_users.id", "name", "email", "role", "account"])
        .where("email", "=", email)
        .where("suspended_at", "is", null)
        .executeTakeFirst();
      if (row === undefined) return null;
      const unused = { userId: row.id, hash, usedAt: null };
      if ((await updateRows(tx, "auth_recovery_codes", unused, { usedAt: session.createdAt })) === 0)
        return null;
      await addSession(tx, row.id, session);
      return personOf(row);
    }),
});

const unusedLinks = (now: string) => ({
  role: compare<string>({ "!=": "owner" }),
  used_at: null,
  expires_at: compare<string>({ ">": now }),
});
