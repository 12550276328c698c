import type { Kysely, Selectable } from "kysely";
import { z } from "zod";
import { AccountType, BrokerName, type Connection } from "../../domain/trading/trading.ts";
import type { Connections, Credentials, Vault } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import {
  countRows,
  deleteRows,
  findRow,
  insertRows,
  listRows,
  type MarketDb,
  updateRows,
} from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction, storeTransaction } from "../transactions.ts";
import {
  connectionSealContext,
  currentKeyId,
  enableSecureDelete,
  KeyChanged,
  keyIdOrInsert,
  truncateWal,
} from "../vault/seals.ts";

/** Maximum number of connections per account, across all markets. */
const MAX_CONNECTIONS = 20;

/** The sealed text. It contains the id of its row, so that a seal copied to another row is rejected. */
const SealedCredentials = z.strictObject({
  id: z.string(),
  market: z.string(),
  account_type: AccountType,
  api_key: z.string(),
  api_secret: z.string(),
});

/**
 * Creates the repository of one market's broker connections with sealed credentials. Connections of another market are
 * not found.
 */
export function connections({
  db,
  market,
  vault,
}: MarketDb & {
  readonly vault: Vault;
}): Connections {
  const add = (account: string, connection: Connection, credentials: Credentials, keyId: string | null) => {
    const { connection_id: id, ...rest } = connection;
    const about = connectionSealContext({ account, broker: rest.broker });
    const { api_key, api_secret } = credentials;
    const sealedFor = (connectionId: string): string => {
      const plain = { id: connectionId, market, account_type: rest.account_type, api_key, api_secret };
      return vault.seal(JSON.stringify(plain), about, keyId ?? undefined);
    };
    return storeTransaction(db, async (tx) => {
      const connected_at = rest.connected_at ?? rest.checked_at;
      const row = { ...rest, connected_at, sealed: sealedFor(id) };
      // Writes first, so that a concurrent call with the same key waits and then finds this row.
      const isKnown = (await updateRows(tx, "connections", { account, market, id }, row)) > 0;
      const twin = isKnown ? null : await sameKey(tx, account, rest, api_key);
      if (twin !== null)
        await updateRows(
          tx,
          "connections",
          { account, market, id: twin.connection_id },
          { sealed: sealedFor(twin.connection_id), checked_at: rest.checked_at },
        );
      else if (!isKnown) await insertRows(tx, "connections", [{ account, id, ...row }]);
      if ((await countRows(tx, "connections", { account })) > MAX_CONNECTIONS)
        throw new ToolError("REFUSED", `An account has at most ${MAX_CONNECTIONS} connections`, {
          hint: "Disconnect one that is not used.",
        });
      const sealedUnder = vault.keyIdOf(row.sealed) ?? "";
      if ((await keyIdOrInsert(tx, sealedUnder)) !== sealedUnder) throw new KeyChanged();
      return twin === null ? { ...connection, connected_at } : { ...twin, checked_at: rest.checked_at };
    });
  };

  /**
   * Returns the account's connection with the same key at the same broker; null if none is found. Connections that
   * cannot be opened are skipped.
   */
  const sameKey = async (
    tx: Kysely<Schema>,
    account: string,
    { broker, account_type }: Pick<Connection, "broker" | "account_type">,
    apiKey: string,
  ): Promise<Connection | null> => {
    const rows = await listRows(tx, "connections", { account, market, broker, account_type });
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
          // the master key was changed during the write
          if (thrown instanceof KeyChanged) return once();
          throw thrown;
        })
        .catch((thrown: unknown) => {
          throw thrown instanceof KeyChanged ? credentialsLockedError(null) : thrown;
        });
    },

    async list(account) {
      const order = ["connected_at desc", "id"] as const;
      const rows = await listRows(db, "connections", { account, market }, { order });
      return rows.map(toConnection);
    },

    async find(account, id) {
      const row = await findRow(db, "connections", { account, market, id });
      return row === undefined
        ? null
        : { connection: toConnection(row), credentials: openCredentials(row, vault) };
    },

    async checked(account, id, at) {
      await updateRows(db, "connections", { account, market, id }, { checked_at: at });
    },

    async remove(account, id) {
      await enableSecureDelete(db);
      const remove = (tx: Kysely<Schema>) => deleteRows(tx, "connections", { account, market, id });
      if ((await accountTransaction(db, account, remove)) === 0) return false;
      await truncateWal(db);
      return true;
    },
  };
}

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
  // A parse error may quote the secret, so it is not passed on as the cause.
  const credentials = readRow(SealedCredentials, plain);
  if (
    credentials === null ||
    credentials.id !== row.id ||
    credentials.market !== row.market ||
    credentials.account_type !== row.account_type
  )
    throw credentialsLockedError(null);
  return { api_key: credentials.api_key, api_secret: credentials.api_secret };
}

const credentialsLockedError = (cause: unknown): ToolError =>
  new ToolError("NOT_CONNECTED", "The credentials of this connection cannot be opened", {
    hint: "Connect the broker again. If no connection can be opened, the server owner must restart the server with the current master key.",
    ...(cause !== null && { cause }),
  });
