import type { Kysely } from "kysely";
import { z } from "zod";
import type { ClientSessions } from "../../domain/accounts/client-sessions-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { deleteOldest, findRow, upsert } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";

const MAX_SESSIONS = 200;
const SettingsRow = z.record(z.string(), z.unknown());

export const clientSessions = (db: Kysely<Schema>, clock: Clock): ClientSessions => ({
  async find(account, session) {
    const row = await findRow(db, "client_sessions", { account, session });
    return readRow(SettingsRow, row?.settings);
  },
  save: (account, session, settings) =>
    accountTransaction(db, account, async (tx) => {
      const changed_at = clock.now().toISOString();
      await upsert(
        tx,
        "client_sessions",
        { account, session },
        { settings: JSON.stringify(settings), changed_at },
      );
      await deleteOldest(tx, "client_sessions", { account }, { column: "changed_at", newest: MAX_SESSIONS });
    }),
});
