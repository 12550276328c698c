import type { Kysely } from "kysely";
import type { Vault } from "../../domain/trading/trading-port.ts";
import type { FirstSecrets } from "../../domain/vault/secrets-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Schema } from "../schema.ts";
import { currentKeyId, enableSecureDelete, keyIdOrInsert, secretSealContext, truncateWal } from "./seals.ts";

/** Texts in the store, each sealed for its account and name, of all markets. */
export function sealedSecrets({
  db,
  vault,
}: {
  readonly db: Kysely<Schema>;
  readonly vault: Vault;
}): FirstSecrets {
  /** Whether it was kept: not where the master key was changed meanwhile. */
  const keptUnder = ({ account, name, text, first }: SecretWrite, keyId: string | null): Promise<boolean> =>
    db
      .transaction()
      .execute(async (tx) => {
        const sealed = vault.seal(text, secretSealContext({ account, name }), keyId ?? undefined);
        await tx
          .insertInto("sealed_secrets")
          .values({ account, name, sealed })
          .onConflict((conflict) => {
            const there = conflict.columns(["account", "name"]);
            return first ? there.doNothing() : there.doUpdateSet({ sealed });
          })
          .execute();
        const under = vault.keyIdOf(sealed) ?? "";
        if ((await keyIdOrInsert(tx, under)) !== under) throw new KeyChanged();
        return true;
      })
      .catch((thrown: unknown) => {
        if (thrown instanceof KeyChanged) return false;
        throw thrown;
      });

  const keep = async (what: SecretWrite): Promise<void> => {
    await enableSecureDelete(db);
    const once = async () => keptUnder(what, await currentKeyId(db));
    if (!((await once()) || (await once()))) throw sealLockedError(null);
  };

  const open = async (account: string, name: string): Promise<string | null> => {
    const row = await db
      .selectFrom("sealed_secrets")
      .select("sealed")
      .where((is) => is.and({ account, name }))
      .executeTakeFirst();
    if (row === undefined) return null;
    try {
      return vault.open(row.sealed, secretSealContext({ account, name }));
    } catch (cause) {
      throw cause instanceof ToolError ? cause : sealLockedError(cause);
    }
  };

  return {
    save: (account, name, text) => keep({ account, name, text, first: false }),

    async saveIfAbsent(account, name, text) {
      await keep({ account, name, text, first: true });
      const kept = await open(account, name);
      if (kept === null) throw sealLockedError(null);
      return kept;
    },

    open,

    async remove(account, name) {
      await enableSecureDelete(db);
      await db
        .deleteFrom("sealed_secrets")
        .where((is) => is.and({ account, name }))
        .execute();
      await truncateWal(db);
    },
  };
}

interface SecretWrite {
  readonly account: string;
  readonly name: string;
  readonly text: string;
  /** Whether one that is there already stays. */
  readonly first: boolean;
}

/** The seal is under another master key than the others. */
class KeyChanged extends Error {}

const sealLockedError = (cause: unknown): ToolError =>
  new ToolError("NOT_CONNECTED", "What is kept under seal for this cannot be opened", {
    hint: "The owner of the server has to start it again with the master key in use.",
    ...(cause !== null && { cause }),
  });
