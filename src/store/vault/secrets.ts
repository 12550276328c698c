import type { Kysely } from "kysely";
import type { Vault } from "../../domain/trading/trading-port.ts";
import { type FirstSecrets, MASTER_KEY_HINT } from "../../domain/vault/secrets-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { deleteRows, findRow, insertMissing, listRows, upsert } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { storeTransaction } from "../transactions.ts";
import {
  currentKeyId,
  enableSecureDelete,
  KeyChanged,
  keyIdOrInsert,
  secretSealContext,
  truncateWal,
} from "./seals.ts";

/** Creates the store of sealed secrets by account and name, shared by all markets. */
export function sealedSecrets({
  db,
  vault,
}: {
  readonly db: Kysely<Schema>;
  readonly vault: Vault;
}): FirstSecrets {
  /** Stores a secret. Returns false when the master key was changed meanwhile. */
  const trySave = ({ account, name, text, first }: SecretWrite, keyId: string | null): Promise<boolean> =>
    storeTransaction(db, async (tx) => {
      const sealed = vault.seal(text, secretSealContext({ account, name }), keyId ?? undefined);
      if (first) await insertMissing(tx, "sealed_secrets", [{ account, name, sealed }]);
      else await upsert(tx, "sealed_secrets", { account, name }, { sealed });
      const under = vault.keyIdOf(sealed) ?? "";
      if ((await keyIdOrInsert(tx, under)) !== under) throw new KeyChanged();
      return true;
    }).catch((thrown: unknown) => {
      if (thrown instanceof KeyChanged) return false;
      throw thrown;
    });

  const save = async (secret: SecretWrite): Promise<void> => {
    await enableSecureDelete(db);
    const attempt = async () => trySave(secret, await currentKeyId(db));
    if (!((await attempt()) || (await attempt()))) throw sealLockedError(null);
  };

  const open = async (account: string, name: string): Promise<string | null> => {
    const row = await findRow(db, "sealed_secrets", { account, name });
    if (row === undefined) return null;
    try {
      return vault.open(row.sealed, secretSealContext({ account, name }));
    } catch (cause) {
      throw cause instanceof ToolError ? cause : sealLockedError(cause);
    }
  };

  return {
    save: (account, name, text) => save({ account, name, text, first: false }),

    async saveIfAbsent(account, name, text) {
      await save({ account, name, text, first: true });
      const stored = await open(account, name);
      if (stored === null) throw sealLockedError(null);
      return stored;
    },

    open,

    async remove(account, name) {
      await enableSecureDelete(db);
      await deleteRows(db, "sealed_secrets", { account, name });
      await truncateWal(db);
    },
  };
}

/** Returns the names of the secrets of an account; needs no master key. */
export const secretNames = async (db: Kysely<Schema>, account: string): Promise<readonly string[]> =>
  (await listRows(db, "sealed_secrets", { account }, { columns: ["name"] })).map(({ name }) => name);

interface SecretWrite {
  readonly account: string;
  readonly name: string;
  readonly text: string;
  /** If true, an existing secret stays unchanged. */
  readonly first: boolean;
}

const sealLockedError = (cause: unknown): ToolError =>
  new ToolError("NOT_CONNECTED", "The stored secret cannot be opened", {
    hint: MASTER_KEY_HINT,
    ...(cause !== null && { cause }),
  });
