import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createVault } from "../../../src/access/vault/vault.ts";
import { sealsIn, secretSealContext } from "../../../src/store/vault/seals.ts";
import { sealedSecrets } from "../../../src/store/vault/secrets.ts";
import { fileStore } from "../../support/store.ts";
import { firstKey, secondKey, vaultOf } from "../../support/vault.ts";

const vault = createVault(() => firstKey);

describe("secrets", () => {
  it("open only under their account and name, and return the latest value", async () => {
    const stored = sealedSecrets({ db: (await fileStore()).db, vault });
    await stored.save("ada", "one", "old");
    await stored.save("ada", "one", "new");
    await stored.save("ada", "two", "é");
    expect(await stored.open("ada", "one")).toBe("new");
    expect(await stored.open("ada", "two")).toBe("é");
    expect(await stored.open("bob", "one")).toBeNull();
    expect(await stored.open("ada", "three")).toBeNull();
  });

  it("open only under their own account and name, even when moved in the database", async () => {
    const { db } = await fileStore();
    const stored = sealedSecrets({ db, vault });
    await stored.save("ada", "one", "of ada");
    await stored.save("bob", "one", "of bob");
    const { sealed } = await db
      .selectFrom("sealed_secrets")
      .select("sealed")
      .where("account", "=", "ada")
      .executeTakeFirstOrThrow();
    await db.updateTable("sealed_secrets").set({ sealed }).where("account", "=", "bob").execute();
    await expect(stored.open("bob", "one")).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    expect(await stored.open("ada", "one")).toBe("of ada");
    expect(secretSealContext({ account: "a", name: 'b","c' })).not.toBe(
      secretSealContext({ account: 'a","b', name: "c" }),
    );
  });

  it("are never in the files in plain text, and leave no trace after removal", async () => {
    const { db, file } = await fileStore();
    const stored = sealedSecrets({ db, vault });
    const traces = (text: string) =>
      readdirSync(dirname(file), { recursive: true, encoding: "utf8" }).filter((name) => {
        try {
          return readFileSync(join(dirname(file), name)).includes(text);
        } catch {
          return false;
        }
      });
    await stored.save("ada", "one", "canary-7f3a");
    expect(traces("canary-7f3a")).toEqual([]);
    const { sealed } = await db.selectFrom("sealed_secrets").select("sealed").executeTakeFirstOrThrow();
    expect(traces(sealed.slice(-40))).not.toEqual([]);
    await stored.remove("ada", "one");
    await stored.remove("ada", "never there");
    expect(await stored.open("ada", "one")).toBeNull();
    expect(traces(sealed.slice(-40))).toEqual([]);
  });

  it("are stored only under the master key of all seals", async () => {
    const { db, file } = await fileStore();
    await sealsIn(db, dirname(file)).rewrapAll(secondKey.id, (sealed) => sealed);
    const stale = sealedSecrets({ db, vault });
    await expect(stale.save("ada", "one", "x")).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    expect(await stale.open("ada", "one")).toBeNull();
    const current = sealedSecrets({ db, vault: vaultOf(secondKey) });
    await current.save("ada", "one", "x");
    expect(await current.open("ada", "one")).toBe("x");
    await expect(
      sealedSecrets({
        db,
        vault: createVault(() => {
          throw new Error("no key");
        }),
      }).open("ada", "one"),
    ).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  });
});
