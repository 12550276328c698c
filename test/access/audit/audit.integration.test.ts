import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditOf } from "../../../src/access/audit/audit.ts";
import { auditKeyId, macOf } from "../../../src/access/audit/audit-chain.ts";
import { createVault, masterKey } from "../../../src/access/vault/vault.ts";
import { NO_ENTRY } from "../../../src/domain/audit/audit.ts";
import { auditLog } from "../../../src/store/audit/audit-log.ts";
import { fileStore, movingClock } from "../../support/store.ts";

const master = masterKey(Buffer.alloc(32, 1).toString("hex"))!;
const vault = createVault(() => master);

async function installation() {
  const store = await fileStore();
  const dir = dirname(store.file);
  const book = auditLog({ db: store.db, dataDir: dir });
  const clock = movingClock();
  return { store, dir, book, clock, ...auditOf({ repository: book, vault, clock, market: "test" }) };
}

describe("an entry", () => {
  it("is chained to the previous one with an encrypted key", async () => {
    const { book, write } = await installation();
    await write("ada", "connection_added", { connection_id: "cn_1", broker: "paper" });
    await write("bob", "kill_switch", { engaged: true });
    const [first, second] = await book.entries(0, 10);
    const sealed = (await book.sealedKey())!;
    const key = vault.open(sealed, "audit");
    expect(sealed).not.toContain(key);
    expect(first).toEqual({
      seq: 1,
      at: "2026-01-15T15:00:00.000Z",
      account: "ada",
      market: "test",
      event: "connection_added",
      about: '{"broker":"paper","connection_id":"cn_1"}',
      key: auditKeyId(key),
      previous: NO_ENTRY.mac,
      mac: macOf(key, first!),
    });
    expect(second).toMatchObject({ seq: 2, previous: first!.mac, mac: macOf(key, second!) });
  });

  it("omits the values of secret fields", async () => {
    const { book, write } = await installation();
    const credentials = { api_key: "canary-1", api_secret: "canary-2" };
    await write("ada", "connection_added", {
      credentials,
      token: "canary-3",
      list: [{ password: "canary-4" }],
    });
    const [entry] = await book.entries(0, 1);
    expect(entry!.about).toBe(
      '{"credentials":{"api_key":"not written","api_secret":"not written"},"list":[{"password":"not written"}],"token":"not written"}',
    );
  });

  it("is not written when its key cannot be decrypted", async () => {
    const { store, book, write } = await installation();
    await write("ada", "limits", {});
    await store.db.updateTable("audit_key").set({ sealed: "spoiled" }).execute();
    await expect(write("ada", "limits", {})).rejects.toMatchObject({
      code: "NOT_CONNECTED",
      message: "The audit log cannot be written: its key cannot be opened",
    });
    expect(await book.entries(0, 10)).toHaveLength(1);
  });

  it("is recorded in the head file, readable by the owner only", async () => {
    const { dir, book, write } = await installation();
    await write("ada", "limits", {});
    const { mac } = (await book.entries(0, 1))[0]!;
    const file = join(dir, "audit-head");
    expect(readFileSync(file, "utf8")).toMatch(new RegExp(`^1:${mac}:[0-9a-f]{64}\n$`));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await book.notedHeads()).file).toMatchObject({ seq: 1, mac });
  });
});
