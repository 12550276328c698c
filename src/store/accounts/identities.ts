import type { Kysely } from "kysely";
import { IDENTITY_PROVIDER, identityKey } from "../../domain/accounts/issuer.ts";
import type { Schema } from "../schema.ts";

/** Returns true if a person of the account connected an identity of the issuer. */
export async function hasIdentity(db: Kysely<Schema>, account: string, issuer: string): Promise<boolean> {
  const rows = await db
    .selectFrom("auth_credentials")
    .innerJoin("auth_users", "auth_users.id", "userId")
    .select("accountId")
    .where("account", "=", account)
    .where("providerId", "=", IDENTITY_PROVIDER)
    .execute();
  return rows.some(({ accountId }) => accountId.startsWith(identityKey({ issuer, subject: "" })));
}
