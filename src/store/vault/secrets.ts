import type { Kysely } from "kysely";
import type { Vault } from "../../domain/trading/trading-port.ts";
import type { FirstSecrets } from "../../domain/vault/secrets-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Schema } from "../schema.ts";
import { aboutSecret, currentKeyId, deleteForGood, emptyLog, keyIdOr } from "./seals.ts";

/** Texts in the store, each sealed for its account and name, of all markets. */
export function secretsIn({
  db,
  vault,
}: {
  readonly db: Kysely<Schema>;
  readonly vault: Vault;
}): FirstSecrets {
  /** Whether it was kept: not where the master key was changed meanwhile. */
  const keptUnder = ({ account, name, text, first }: Keeping, keyId: string | null): Promise<boolean> =>
    db
      .transaction()
      .execute(async (tx) => {
        const sealed = vault.seal(text, aboutSecret({ account, name }), keyId ?? undefined);
        await tx
          .insertInto("sealed_secrets")
          .values({ account, name, sealed })
          .onConflict((conflict) => {
            const there = conflict.columns(["account", "name"]);
            return first ? there.doNothing() : there.doUpdateSet({ sealed });
          })
          .execute();
        const under = vault.keyIdOf(sealed) ?? "";
        if ((await keyIdOr(tx, under)) !== under) throw new KeyChanged();
        return true;
      })
      .catch((thrown: unknown) => {
        if (thrown instanceof KeyChanged) return false;
        throw thrown;
      });

  const keep = async (what: Keeping): Promise<void> => {
    await deleteForGood(db);
    const once = async () => keptUnder(what, await currentKeyId(db));
    if (!((await once()) || (await once()))) throw locked(null);
  };

  const open = async (account: string, name: string): Promise<string | null> => {
    const row = await db
      .selectFrom("sealed_secrets")
      .select("sealed")
      .where((is) => is.and({ account, name }))
      .executeTakeFirst();
    if (row === undefined) return null;
    try {
      return vault.open(row.sealed, aboutSecret({ account, name }));
    } catch (cause) {
      throw cause instanceof ToolError ? cause : locked(cause);
    }
  };

  return {
    keep: (account, name, text) => keep({ account, name, text, first: false }),

    async keepFirst(account, name, text) {
      await keep({ account, name, text, first: true });
      const kept = await open(account, name);
      if (kept === null) throw locked(null);
      return kept;
    },

    open,

    async forget(account, name) {
      await deleteForGood(db);
      await db
        .deleteFrom("sealed_secrets")
        .where((is) => is.and({ account, name }))
        .execute();
      await emptyLog(db);
    },
  };
}

interface Keeping {
  readonly account: string;
  readonly name: string;
  readonly text: string;
  /** Whether one that is there already stays. */
  readonly first: boolean;
}

/** The seal is under another master key than the others. */
class KeyChanged extends Error {}

const locked = (cause: unknown): ToolError =>
  new ToolError("NOT_CONNECTED", "What is kept under seal for this cannot be opened", {
    hint: "The owner of the server has to start it again with the master key in use.",
    ...(cause !== null && { cause }),
  });
