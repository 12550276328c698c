import type { Kysely, Selectable } from "kysely";
import { z } from "zod";
import { AccountType, BrokerName, type Connection } from "../../domain/trading/trading.ts";
import type { Connections, Credentials, Vault } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import {
  connectionSealContext,
  currentKeyId,
  enableSecureDelete,
  keyIdOrInsert,
  truncateWal,
} from "../vault/seals.ts";

/** Connections of one account, in all markets. */
const MAX_CONNECTIONS = 20;

/** What is sealed: a seal put into the row of another connection is none of that connection. */
const SealedCredentials = z.strictObject({
  id: z.string(),
  market: z.string(),
  account_type: AccountType,
  api_key: z.string(),
  api_secret: z.string(),
});

/** Connections of one market in the store, their credentials sealed. Those of another market are not found here. */
export function connections({
  db,
  market,
  vault,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
  readonly vault: Vault;
}): Connections {
  const one = (account: string, id: string) =>
    db
      .selectFrom("connections")
      .where("account", "=", account)
      .where("market", "=", market)
      .where("id", "=", id);
  const update = (on: Kysely<Schema>, account: string, id: string) =>
    on.updateTable("connections").where((is) => is.and({ account, market, id }));
  const add = (account: string, connection: Connection, credentials: Credentials, keyId: string | null) => {
    const { connection_id: id, ...rest } = connection;
    const about = connectionSealContext({ account, broker: rest.broker });
    const { api_key, api_secret } = credentials;
    const sealedFor = (of: string): string => {
      const plain = { id: of, market, account_type: rest.account_type, api_key, api_secret };
      return vault.seal(JSON.stringify(plain), about, keyId ?? undefined);
    };
    return db.transaction().execute(async (tx) => {
      const row = { ...rest, sealed: sealedFor(id) };
      // Written first: whoever connects the same key meanwhile waits, and then sees this one.
      const { numUpdatedRows } = await update(tx, account, id).set(row).executeTakeFirst();
      const twin = numUpdatedRows === 0n ? await sameKey(tx, account, rest, api_key) : null;
      if (twin !== null)
        await update(tx, account, twin.connection_id)
          .set({ sealed: sealedFor(twin.connection_id), checked_at: rest.checked_at })
          .execute();
      else if (numUpdatedRows === 0n)
        await tx
          .insertInto("connections")
          .values({ account, id, ...row })
          .execute();
      const [counted] = await tx
        .selectFrom("connections")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("account", "=", account)
        .execute();
      if (Number(counted?.count) > MAX_CONNECTIONS)
        throw new ToolError("REFUSED", `An account has ${MAX_CONNECTIONS} connections at most`, {
          hint: "Disconnect one that is not used.",
        });
      const sealedUnder = vault.keyIdOf(row.sealed) ?? "";
      if ((await keyIdOrInsert(tx, sealedUnder)) !== sealedUnder) throw new KeyChanged();
      return twin === null ? connection : { ...twin, checked_at: rest.checked_at };
    });
  };

  /** The connection of the same key at the same broker, among those that open; null where there is none. */
  const sameKey = async (
    tx: Kysely<Schema>,
    account: string,
    { broker, account_type }: Pick<Connection, "broker" | "account_type">,
    apiKey: string,
  ): Promise<Connection | null> => {
    const rows = await tx
      .selectFrom("connections")
      .selectAll()
      .where((is) => is.and({ account, market, broker, account_type }))
      .execute();
    const same = rows.find((row) => {
      try {
        return openCredentials(row, vault).api_key === apiKey;
      } catch {
        return false;
      }
    });
    return same === undefined ? null : toConnection(same);
  };

  return {
    async add(account, connection, credentials) {
      if (connection.market !== market)
        throw new Error(`A connection of the market ${connection.market} does not belong to ${market}`);
      const once = async () => add(account, connection, credentials, await currentKeyId(db));
      return once()
        .catch((thrown: unknown) => {
          // the master key was changed while this was written
          if (thrown instanceof KeyChanged) return once();
          throw thrown;
        })
        .catch((thrown: unknown) => {
          throw thrown instanceof KeyChanged ? credentialsLockedError(null) : thrown;
        });
    },

    async list(account) {
      const rows = await db
        .selectFrom("connections")
        .selectAll()
        .where("account", "=", account)
        .where("market", "=", market)
        .orderBy("connected_at", "desc")
        .orderBy("id")
        .execute();
      return rows.map(toConnection);
    },

    async find(account, id) {
      const row = await one(account, id).selectAll().executeTakeFirst();
      return row === undefined
        ? null
        : { connection: toConnection(row), credentials: openCredentials(row, vault) };
    },

    async checked(account, id, at) {
      await update(db, account, id).set({ checked_at: at }).execute();
    },

    async remove(account, id) {
      await enableSecureDelete(db);
      const { numDeletedRows } = await db
        .deleteFrom("connections")
        .where("account", "=", account)
        .where("market", "=", market)
        .where("id", "=", id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return false;
      await truncateWal(db);
      return true;
    },
  };
}

/** The seal is under another master key than the others. */
class KeyChanged extends Error {}

type Row = Selectable<Schema["connections"]>;

const toConnection = ({ id, account: _, sealed: __, broker, account_type, ...rest }: Row): Connection => ({
  connection_id: id,
  broker: BrokerName.parse(broker),
  account_type: AccountType.parse(account_type),
  ...rest,
});

function openCredentials(row: Row, vault: Vault): Credentials {
  let plain: string;
  try {
    plain = vault.open(row.sealed, connectionSealContext(row));
  } catch (cause) {
    throw cause instanceof ToolError ? cause : credentialsLockedError(cause);
  }
  // What is wrong with the text may repeat it: no cause.
  const said = readRow(SealedCredentials, plain);
  if (
    said === null ||
    said.id !== row.id ||
    said.market !== row.market ||
    said.account_type !== row.account_type
  )
    throw credentialsLockedError(null);
  return { api_key: said.api_key, api_secret: said.api_secret };
}

const credentialsLockedError = (cause: unknown): ToolError =>
  new ToolError("NOT_CONNECTED", "The credentials of this connection cannot be opened", {
    hint: "Connect the broker again. Where this is so of all connections, the owner of the server has to start it again with the master key in use.",
    ...(cause !== null && { cause }),
  });
