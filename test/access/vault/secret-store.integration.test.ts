import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditOf } from "../../../src/access/audit/audit.ts";
import { type MasterKeySettings, masterKeys } from "../../../src/access/vault/master-key.ts";
import { createSecretStore } from "../../../src/access/vault/secret-store.ts";
import { masterKey } from "../../../src/access/vault/vault.ts";
import type { Seals } from "../../../src/domain/trading/trading-port.ts";
import { auditLog } from "../../../src/store/audit/audit-log.ts";
import { connections } from "../../../src/store/trading/connections.ts";
import { sealsIn } from "../../../src/store/vault/seals.ts";
import { sealedSecrets } from "../../../src/store/vault/secrets.ts";
import { collectingLog } from "../../support/context.ts";
import { fileStore, movingClock } from "../../support/store.ts";

/** Different credentials for each connection: one key is one connection. */
const credentials = (n = 1) => ({ api_key: `k${n}`, api_secret: "s" });
const AT = "2026-01-01T00:00:00.000Z";
const connection = (n: number) =>
  ({
    connection_id: `cn_${n}`,
    broker: "paper",
    account_type: "paper",
    account_mask: "4242",
    market: "test",
    connected_at: AT,
    checked_at: AT,
  }) as const;
const HEX = "0f".repeat(32);
const ID = masterKey(HEX)!.id;

/** An installation that can be started several times, like several processes. */
async function installation() {
  const store = await fileStore();
  const dir = dirname(store.file);
  const start = (
    settings: Partial<MasterKeySettings> = {},
    over: (seals: Seals) => Seals = (seals) => seals,
  ) => {
    const keys = masterKeys({ DATA_DIR: dir, ...settings }, collectingLog().log);
    const secretStore = createSecretStore({ keys, seals: over(sealsIn(store.db, dir)) });
    const book = auditLog({ db: store.db, dataDir: dir });
    return {
      ...secretStore,
      secrets: sealedSecrets({ db: store.db, vault: secretStore.vault }),
      ...connections({ db: store.db, market: "test", vault: secretStore.vault }),
      ...auditOf({ repository: book, vault: secretStore.vault, clock: movingClock(), market: "test" }),
    };
  };
  const file = join(dir, "master.key");
  return { store, dir, file, start, idNow: () => masterKey(readFileSync(file, "utf8"))?.id };
}
const opens = async ({ find }: ReturnType<Awaited<ReturnType<typeof installation>>["start"]>, n = 1) =>
  (await find("ada", `cn_${n}`))?.credentials;

describe("a start", () => {
  it("needs no key while nothing is sealed, and creates none", async () => {
    const { file, start } = await installation();
    await start().verify();
    expect(existsSync(file)).toBe(false);
  });

  it("succeeds with the key that sealed the credentials, created on first use", async () => {
    const { start, store, dir } = await installation();
    await start().add("ada", connection(1), credentials());
    const again = start();
    await again.verify();
    expect(await opens(again)).toEqual(credentials());
    store.backUp();
    expect(readdirSync(join(dir, "backups")).filter((name) => !name.endsWith(".db"))).toEqual([]);
  });

  it("is refused without that key or with another, with the key id and what to do", async () => {
    const { file, start, idNow } = await installation();
    await start().add("ada", connection(1), credentials());
    const id = idNow();
    renameSync(file, `${file}.away`);
    await expect(start().verify()).rejects.toMatchObject({
      name: "SetupError",
      message: `The credentials of 1 broker connection are sealed by the master key ${id}, and there is none in ${file}. Restore that key to the file, or set MASTER_KEY to it or MASTER_KEY_FILE to its path. If it is lost: \`market-signal vault forget --yes\` deletes those connections.`,
    });
    expect(existsSync(file)).toBe(false);
    await expect(start({ MASTER_KEY: HEX }).verify()).rejects.toThrow(
      `sealed by the master key ${id}, and MASTER_KEY holds a different one, ${ID}. Set that key.`,
    );
    await expect(start().rotate()).rejects.toThrow(`sealed by the master key ${id}`);
    await start({ MASTER_KEY_FILE: `${file}.away` }).verify();
    renameSync(`${file}.away`, file);
    await start().verify();
  });

  it("succeeds without a lost key after its connections were deleted", async () => {
    const { file, start } = await installation();
    await start().add("ada", connection(1), credentials());
    rmSync(file);
    expect(await start().forget()).toEqual({ connections: 1, secrets: 0 });
    const next = start();
    await next.verify();
    expect(await next.list("ada")).toEqual([]);
    await next.add("ada", connection(1), credentials());
    expect(await opens(start())).toEqual(credentials());
  });

  it("succeeds without a key that seals nothing", async () => {
    const { file, start } = await installation();
    const first = start();
    await first.add("ada", connection(1), credentials());
    await first.remove("ada", "cn_1");
    rmSync(file);
    const next = start();
    await next.verify();
    await next.add("ada", connection(1), credentials());
    expect(await opens(start())).toEqual(credentials());
  });
});

describe("a new master key", () => {
  it("replaces the old one for all seals, also on a running server", async () => {
    const { dir, file, start, idNow } = await installation();
    const running = start();
    for (const n of [1, 2]) await running.add("ada", connection(n), credentials(n));
    const old = idNow();
    const rotated = await start().rotate();
    expect(rotated).toEqual({
      connections: 2,
      secrets: 0,
      audit_key: false,
      key_id: idNow(),
      file,
      instead_of: null,
    });
    expect(rotated.key_id).not.toBe(old);
    expect(await opens(running)).toEqual(credentials());
    await running.add("ada", connection(3), credentials(3));
    expect(await opens(start(), 3)).toEqual(credentials(3));
    expect(readdirSync(dir).filter((name) => name.startsWith("master"))).toEqual(["master.key"]);
  });

  it("may be created when there was none", async () => {
    const { start, idNow } = await installation();
    expect(await start().rotate()).toMatchObject({ connections: 0 });
    expect(idNow()).toBeDefined();
    await start().verify();
  });

  it("is created in a named file, which the settings must then name", async () => {
    const { dir, start } = await installation();
    const file = join(dir, "new.key");
    const given = start({ MASTER_KEY: HEX });
    await given.add("ada", connection(1), credentials());
    const rotated = await start({ MASTER_KEY: HEX }).rotate(file);
    expect(rotated).toMatchObject({ connections: 1, file, instead_of: "MASTER_KEY" });
    await expect(opens(given)).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    await expect(given.add("ada", connection(2), credentials(2))).rejects.toMatchObject({
      code: "NOT_CONNECTED",
    });
    const next = start({ MASTER_KEY_FILE: file });
    await next.verify();
    expect(await opens(next)).toEqual(credentials());
    await expect(start({ MASTER_KEY_FILE: file }).rotate(file)).rejects.toThrow(
      `${file} holds the current master key; name a file for a new one`,
    );
  });

  it("is read from that file if it exists", async () => {
    const { dir, start } = await installation();
    const file = join(dir, "new.key");
    writeFileSync(file, HEX);
    await start().add("ada", connection(1), credentials());
    expect((await start().rotate(file)).key_id).toBe(ID);
    expect(readFileSync(file, "utf8")).toBe(HEX);
  });

  it("changes nothing when a seal cannot be opened, and names its account", async () => {
    const { store, dir, start, idNow } = await installation();
    const one = start();
    for (const account of ["ada", "zoe"]) await one.add(account, connection(1), credentials());
    await store.db
      .updateTable("connections")
      .set({ sealed: "spoiled" })
      .where("account", "=", "zoe")
      .execute();
    const old = idNow();
    await expect(start().rotate()).rejects.toThrow(
      "The credentials of a connection of zoe with paper cannot be opened, and no key was changed",
    );
    expect(idNow()).toBe(old);
    expect(existsSync(join(dir, "master.key.next"))).toBe(false);
    expect(await opens(start())).toEqual(credentials());
  });

  it.each([
    ["before", false],
    ["after", true],
  ])("is applied completely or not at all after a crash %s the seals were written", async (_, written) => {
    const { dir, start, idNow } = await installation();
    await start().add("ada", connection(1), credentials());
    const old = idNow();
    const dying = start({}, (seals) => {
      let dead = false;
      return {
        ...seals,
        rewrapAll: async (id, move) => {
          if (written) await seals.rewrapAll(id, move);
          dead = true;
          throw new Error("dead");
        },
        status: () => (dead ? Promise.reject(new Error("dead")) : seals.status()),
      };
    });
    await expect(dying.rotate()).rejects.toThrow("dead");
    expect(existsSync(join(dir, "master.key.next"))).toBe(true);
    expect(await opens(start())).toEqual(credentials());
    await start().add("ada", connection(2), credentials(2));
    const next = start();
    await next.verify();
    expect(existsSync(join(dir, "master.key.next"))).toBe(false);
    expect(idNow() === old).toBe(!written);
    for (const n of [1, 2]) expect(await opens(next, n)).toEqual(credentials(n));
  });
});

describe("the key of the audit log", () => {
  it("is encrypted by the master key, without which a start fails", async () => {
    const { file, start, idNow } = await installation();
    await start().write("ada", "limits", {});
    const id = idNow();
    renameSync(file, `${file}.away`);
    await expect(start().verify()).rejects.toThrow(
      `The key of the audit log is sealed by the master key ${id}, and there is none in ${file}. Restore that key to the file, or set MASTER_KEY to it or MASTER_KEY_FILE to its path. If it is lost: \`market-signal vault forget --yes\` deletes the key of the audit log (entries written so far can no longer be verified).`,
    );
    await start({ MASTER_KEY_FILE: `${file}.away` }).add("ada", connection(1), credentials());
    await expect(start().verify()).rejects.toThrow(
      `The credentials of 1 broker connection and the key of the audit log are sealed by the master key ${id}`,
    );
    await expect(start().write("ada", "limits", {})).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    renameSync(`${file}.away`, file);
    await start().verify();
    await start().remove("ada", "cn_1");
    rmSync(file);
    await expect(start().verify()).rejects.toThrow("The key of the audit log is sealed");
  });

  it("is rewrapped with the connections under a new master key, or not at all", async () => {
    const { store, start, idNow } = await installation();
    const running = start();
    await running.add("ada", connection(1), credentials());
    await running.write("ada", "limits", {});
    expect(await start().rotate()).toMatchObject({ connections: 1, audit_key: true });
    const keys = () => store.db.selectFrom("audit_log").select("key").orderBy("seq").execute();
    for (const each of [running, start()]) await each.write("ada", "limits", {});
    expect(new Set((await keys()).map(({ key }) => key)).size).toBe(1);
    const old = idNow();
    await store.db.updateTable("audit_key").set({ sealed: "spoiled" }).execute();
    await expect(start().rotate()).rejects.toThrow(
      "The key of the audit log cannot be opened, and no key was changed",
    );
    expect(idNow()).toBe(old);
    expect(await opens(start())).toEqual(credentials());
  });

  it("is created again after it was deleted", async () => {
    const { store, file, start } = await installation();
    await start().write("ada", "limits", {});
    rmSync(file);
    expect(await start().forget()).toEqual({ connections: 0, secrets: 0 });
    const next = start();
    await next.verify();
    await next.write("ada", "limits", {});
    const rows = await store.db.selectFrom("audit_log").select(["seq", "key"]).orderBy("seq").execute();
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(rows[0]!.key).not.toBe(rows[1]!.key);
  });
});

describe("secrets", () => {
  it("are encrypted by the master key, without which a start fails", async () => {
    const { file, start, idNow } = await installation();
    await start().secrets.save("ada", "alert|1", "canary");
    const id = idNow();
    renameSync(file, `${file}.away`);
    await expect(start().verify()).rejects.toThrow(
      `1 secret is sealed by the master key ${id}, and there is none in ${file}. Restore that key to the file, or set MASTER_KEY to it or MASTER_KEY_FILE to its path. If it is lost: \`market-signal vault forget --yes\` deletes those secrets (alerts that use one stop, keys of providers have to be set again, people have to sign in again, recovery codes end, and receipts are signed by a new key).`,
    );
    await expect(start().secrets.open("ada", "alert|1")).rejects.toMatchObject({
      code: "NOT_CONNECTED",
      hint: "The server owner restarts the server with the current master key. If that key is lost for good: docs/operations.md#restore says what to do.",
    });
    const away = start({ MASTER_KEY_FILE: `${file}.away` });
    await away.add("ada", connection(1), credentials());
    await away.write("ada", "limits", {});
    await expect(start().verify()).rejects.toThrow(
      `The credentials of 1 broker connection, 1 secret and the key of the audit log are sealed by the master key ${id}`,
    );
    expect(await start().forget()).toEqual({ connections: 1, secrets: 1 });
    const next = start();
    await next.verify();
    expect(await next.secrets.open("ada", "alert|1")).toBeNull();
  });

  it("are rewrapped with the connections, or not at all, also for a running server", async () => {
    const { store, start, idNow } = await installation();
    const running = start();
    await running.secrets.save("ada", "alert|1", "canary");
    await running.add("ada", connection(1), credentials());
    expect(await start().rotate()).toMatchObject({ connections: 1, secrets: 1, key_id: idNow() });
    expect(await running.secrets.open("ada", "alert|1")).toBe("canary");
    await running.secrets.save("ada", "alert|2", "another");
    expect(await start().secrets.open("ada", "alert|2")).toBe("another");
    const old = idNow();
    await store.db
      .updateTable("sealed_secrets")
      .set({ sealed: "spoiled" })
      .where("name", "=", "alert|2")
      .execute();
    await expect(start().rotate()).rejects.toThrow(
      "The secret alert|2 of ada cannot be opened, and no key was changed; restore a backup, or delete all secrets",
    );
    expect(idNow()).toBe(old);
    expect(await start().secrets.open("ada", "alert|1")).toBe("canary");
    expect(await opens(start())).toEqual(credentials());
  });
});
