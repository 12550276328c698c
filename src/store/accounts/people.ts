import type { Kysely } from "kysely";
import { z } from "zod";
import type { ConnectedApp } from "../../domain/accounts/connected-apps.ts";
import { IDENTITY_PROVIDER } from "../../domain/accounts/issuer.ts";
import { NAME_DOMAIN, type Person, ROLES } from "../../domain/accounts/people.ts";
import type { NewSession, People, TokenHolder } from "../../domain/accounts/people-port.ts";
import { fixedQuery } from "../fixed-query.ts";
import { compare, countRows, deleteRows, findRow, insertRows, listRows, updateRows } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { storeTransaction } from "../transactions.ts";
import { limitsOf } from "./connected-apps.ts";
import { pendingCodes } from "./pending-codes.ts";

/** Stored JSON of scopes and resources. */
export const ListRow = z.array(z.string());
/** Stored role of a person. */
export const RoleRow = z.enum(ROLES);

const TOKENS = ["auth_access_tokens", "auth_refresh_tokens"] as const;
/** Tables whose rows of a person and an app end together. */
const OF_CONSENT = [...TOKENS, "auth_consents"] as const;
/** Tables whose rows of a person end when their sign-in is reset. */
const OF_PERSON = [
  ...OF_CONSENT,
  "auth_sessions",
  "auth_credentials",
  "auth_passkeys",
  "auth_recovery_codes",
] as const;
const EXPIRING = [
  "auth_sessions",
  "auth_verifications",
  "auth_access_tokens",
  "auth_refresh_tokens",
  "auth_assertions",
] as const;

/** Creates the repository of people. better-auth reads and writes the same rows. */
export const people = (db: Kysely<Schema>): People => ({
  addLink: (link) =>
    storeTransaction(db, async (tx) => {
      await deleteRows(tx, "browser_links", { expires_at: compare<string>({ "<=": link.created_at }) });
      await deleteRows(tx, "auth_sessions", { expiresAt: compare<string>({ "<=": link.created_at }) });
      // an older invitation could give a role that was taken away since
      if (link.role !== "owner") await deleteRows(tx, "browser_links", { account: link.account });
      await insertRows(tx, "browser_links", [{ ...link, used_at: null }]);
    }),
  hasLink: async (hash, now) => (await usableLink(db, hash, now)) !== undefined,
  useLink: (hash, session, newPerson) =>
    storeTransaction(db, async (tx) => {
      const { createdAt } = session;
      const link = await usableLink(tx, hash, createdAt);
      if (link === undefined) return false;
      await updateRows(tx, "browser_links", { hash }, { used_at: createdAt });
      const { account, role, name } = link;
      const times = { createdAt, updatedAt: createdAt };
      let user = await findRow(tx, "auth_users", { account });
      if (user === undefined) {
        const email = `${name.toLowerCase()}${NAME_DOMAIN}`;
        user = {
          id: newPerson,
          name,
          email,
          role,
          account,
          emailVerified: 0,
          image: null,
          lastSignInAt: null,
          ...times,
        };
        await insertRows(tx, "auth_users", [user]);
      } else if (user.role !== role) await updateRows(tx, "auth_users", { id: user.id }, { role });
      await addSession(tx, user.id, session);
      return true;
    }),
  resetSignIn: (account) =>
    storeTransaction(db, async (tx) => {
      const found = await listRows(tx, "auth_users", { account });
      const userId = found.map(({ id }) => id);
      for (const table of OF_PERSON) await deleteRows(tx, table, { userId });
      await deleteRows(tx, "browser_links", { account });
      await deleteRows(tx, "connected_apps", { account });
      return found.map(personOf);
    }),
  async session(token, now) {
    const row = await db
      .selectFrom("auth_sessions")
      .innerJoin("auth_users", "auth_users.id", "auth_sessions.userId")
      .leftJoin("accounts", "accounts.id", "account")
      .select([
        "auth_users.id",
        "name",
        "email",
        "role",
        "account",
        "auth_sessions.createdAt as since",
        "auth_sessions.updatedAt as seen",
      ])
      .where("token", "=", token)
      .where("expiresAt", ">", now)
      .where("suspended_at", "is", null)
      .executeTakeFirst();
    return row === undefined ? null : { ...personOf(row), since: row.since, seen_at: row.seen };
  },
  async endSession(token) {
    await deleteRows(db, "auth_sessions", { token });
  },
  endOtherSessions: (token) =>
    storeTransaction(db, async (tx) => {
      const session = await findRow(tx, "auth_sessions", { token });
      if (session === undefined) return;
      const { userId } = session;
      await deleteRows(tx, "auth_sessions", { userId, token: compare<string>({ "!=": token }) });
    }),
  grant: grantLookup(db),
  async identified(key) {
    const row = await db
      .selectFrom("auth_credentials")
      .innerJoin("auth_users", "auth_users.id", "userId")
      .select(["auth_users.id", "name", "email", "role", "account"])
      .where("providerId", "=", IDENTITY_PROVIDER)
      .where("accountId", "=", key)
      .executeTakeFirst();
    return row === undefined ? null : personOf(row);
  },
  async removeIdentity(userId) {
    return (await deleteRows(db, "auth_credentials", { userId, providerId: IDENTITY_PROVIDER })) > 0;
  },
  async hasPerson(account) {
    return (await findRow(db, "auth_users", { account })) !== undefined;
  },
  async apps(account) {
    const rows = await db
      .selectFrom("auth_consents as consent")
      .innerJoin("auth_users as person", "person.id", "consent.userId")
      .innerJoin("auth_clients as client", "client.clientId", "consent.clientId")
      .leftJoin("connected_apps as app", (join) =>
        join.onRef("app.client", "=", "client.clientId").onRef("app.account", "=", "person.account"),
      )
      .select(["client.clientId", "client.name", "uri", "consent.scopes", "consent.createdAt"])
      .select(["app.changed_at", "calls_daily", "live_usd_daily", "last_used_at"])
      .where("person.account", "=", account)
      .orderBy("consent.createdAt", "desc")
      .execute();
    return rows.map(
      ({ clientId, name, uri, scopes, createdAt, last_used_at, ...limits }): ConnectedApp => ({
        client_id: clientId,
        name,
        uri,
        scopes: listOf(scopes),
        connected_at: createdAt,
        last_used_at,
        limits: limitsOf(limits),
      }),
    );
  },
  disconnect: (account, client) => storeTransaction(db, (tx) => disconnectIn(tx, { account, client })),
  async tokenHolder(hash) {
    for (const table of TOKENS) {
      const row = await db
        .selectFrom(table)
        .innerJoin("auth_users", "auth_users.id", "userId")
        .select(["account", "clientId"])
        .where("token", "=", hash)
        .executeTakeFirst();
      if (row !== undefined) return { account: row.account, client: row.clientId };
    }
    return null;
  },
  disconnectUnused: (holder, now) =>
    storeTransaction(db, async (tx) => {
      const userId = await userIdsOf(tx, holder.account);
      for (const table of TOKENS)
        if ((await countRows(tx, table, { ...validAt(now), userId, clientId: holder.client })) > 0)
          return false;
      if ((await pendingCodes(tx, userId, holder.client, now)).length > 0) return false;
      return disconnectIn(tx, holder);
    }),
  sweep: (now, unusedSince) =>
    storeTransaction(db, async (tx) => {
      for (const table of EXPIRING) await tx.deleteFrom(table).where("expiresAt", "<=", now).execute();
      await tx
        .deleteFrom("auth_clients")
        .where("createdAt", "<", unusedSince)
        .where("clientId", "not in", (of) => of.selectFrom("auth_consents").select("clientId"))
        .execute();
    }),
});

const validAt = (now: string) => ({ revoked: null, expiresAt: compare<string>({ ">": now }) });

const userIdsOf = async (tx: Kysely<Schema>, account: string): Promise<readonly string[]> =>
  (await listRows(tx, "auth_users", { account })).map(({ id }) => id);

/** Ends what people of an account allowed an app. False if there was nothing. */
async function disconnectIn(tx: Kysely<Schema>, { account, client }: TokenHolder): Promise<boolean> {
  const userIds = await userIdsOf(tx, account);
  await deleteRows(tx, "auth_verifications", { id: await pendingCodes(tx, userIds, client) });
  let ended = 0;
  for (const table of OF_CONSENT) ended += await deleteRows(tx, table, { clientId: client, userId: userIds });
  await deleteRows(tx, "connected_apps", { account, client });
  return ended > 0;
}

/** Returns a link that is unused and not expired at `now`, of an account that is not suspended. */
async function usableLink(on: Kysely<Schema>, hash: string, now: string) {
  const usable = { hash, used_at: null, expires_at: compare<string>({ ">": now }) };
  const link = await findRow(on, "browser_links", usable);
  if (link === undefined) return undefined;
  const holder = await findRow(on, "accounts", { id: link.account });
  return (holder?.suspended_at ?? null) === null ? link : undefined;
}

/** Returns the scopes of a token that its consent allows: a later consent may allow less than the one of the token. */
function allowedScopes({
  scopes,
  allowed,
}: {
  scopes: string | null;
  allowed: string | null;
}): readonly string[] {
  if (scopes === allowed) return listOf(scopes);
  const consent = listOf(allowed);
  return listOf(scopes).filter((scope) => consent.includes(scope));
}

/** Returns the lookup of the grant of a token, which every call of an app needs. */
function grantLookup(db: Kysely<Schema>): People["grant"] {
  const rowOf = fixedQuery(db, ["token", "now"], ({ token, now }) =>
    db
      .selectFrom("auth_access_tokens as token")
      .innerJoin("auth_clients as client", "client.clientId", "token.clientId")
      .innerJoin("auth_users as person", "person.id", "token.userId")
      .innerJoin("auth_consents as consent", (join) =>
        join.onRef("consent.clientId", "=", "token.clientId").onRef("consent.userId", "=", "token.userId"),
      )
      .leftJoin("connected_apps as app", (join) =>
        join.onRef("app.client", "=", "token.clientId").onRef("app.account", "=", "person.account"),
      )
      .select([
        "person.id",
        "person.name",
        "email",
        "role",
        "person.account",
        "token.clientId",
        "token.scopes",
        "consent.scopes as allowed",
        "token.resources",
        "expiresAt",
        "app.changed_at",
        "calls_daily",
        "live_usd_daily",
      ])
      .where("token", "=", token)
      .where("expiresAt", ">", now)
      .where("revoked", "is", null)
      .where("confirmation", "is", null)
      .where((is) => is.or([is("disabled", "is", null), is("disabled", "=", 0)])),
  );
  return async (token, now) => {
    const row = await rowOf({ token, now });
    if (row === undefined) return null;
    return {
      person: personOf(row),
      client: row.clientId,
      limits: limitsOf(row),
      scopes: allowedScopes(row),
      resources: listOf(row.resources),
      expires_at: row.expiresAt,
    };
  };
}

type PersonRow = Pick<Schema["auth_users"], "id" | "name" | "email" | "role" | "account">;

/** Stores a session of a person. */
export async function addSession(tx: Kysely<Schema>, userId: string, session: NewSession): Promise<void> {
  const { createdAt } = session;
  await insertRows(tx, "auth_sessions", [{ ...session, updatedAt: createdAt, ipAddress: null, userId }]);
  await updateRows(tx, "auth_users", { id: userId }, { lastSignInAt: createdAt });
}

export const personOf = ({ id, name, email, role, account }: PersonRow): Person => ({
  id,
  name,
  email,
  account,
  role: RoleRow.parse(role),
});

const listOf = (stored: string | null): readonly string[] => readRow(ListRow, stored ?? undefined) ?? [];
