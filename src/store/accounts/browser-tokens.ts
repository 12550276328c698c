import type { Kysely } from "kysely";
import type { BrowserTokens } from "../../domain/accounts/browser-port.ts";
import { compare, deleteRows, findRow, insertRows, updateRows } from "../queries.ts";
import type { Schema } from "../schema.ts";

/** Creates the repository of sign-in links and sessions of browsers. Expired rows are deleted when one is added. */
export const browserTokens = (db: Kysely<Schema>): BrowserTokens => ({
  addLink: (link) =>
    db.transaction().execute(async (tx) => {
      for (const name of ["browser_links", "browser_sessions"] as const)
        await deleteRows(tx, name, { expires_at: compare<string>({ "<=": link.created_at }) });
      await insertRows(tx, "browser_links", [{ ...link, used_at: null }]);
    }),
  exchange: (hash, session, now) =>
    db.transaction().execute(async (tx) => {
      const isUsable = { hash, used_at: null, expires_at: compare<string>({ ">": now }) };
      if ((await updateRows(tx, "browser_links", isUsable, { used_at: now })) === 0) return false;
      const link = await findRow(tx, "browser_links", { hash });
      await insertRows(tx, "browser_sessions", [{ ...session, account: link!.account }]);
      return true;
    }),
  async session(hash, now) {
    const row = await findRow(db, "browser_sessions", { hash, expires_at: compare<string>({ ">": now }) });
    return row?.account ?? null;
  },
  async endSession(hash) {
    await deleteRows(db, "browser_sessions", { hash });
  },
});
