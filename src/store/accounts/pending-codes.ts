import type { Kysely } from "kysely";
import { z } from "zod";
import { compare, listRows } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

/** Stored JSON of a code that an app exchanges for tokens, as better-auth writes it. */
const StoredCode = z.object({
  type: z.literal("authorization_code"),
  userId: z.string(),
  query: z.object({ client_id: z.string() }),
});

/** Returns the ids of the stored codes that an app exchanges for tokens. `validAt`: only those valid then. */
export async function pendingCodes(
  tx: Kysely<Schema>,
  userIds: readonly string[],
  client: string,
  validAt = "",
): Promise<readonly string[]> {
  const rows = await listRows(tx, "auth_verifications", { expiresAt: compare<string>({ ">": validAt }) });
  return rows.flatMap(({ id, value }) => {
    const code = readRow(StoredCode, value);
    return code !== null && userIds.includes(code.userId) && code.query.client_id === client ? [id] : [];
  });
}
