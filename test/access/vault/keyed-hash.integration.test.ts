import { createHmac } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keyedHashOf } from "../../../src/access/vault/keyed-hash.ts";
import { createVault, masterKey } from "../../../src/access/vault/vault.ts";
import { sealedSecrets } from "../../../src/store/vault/secrets.ts";
import { testStore } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

const MASTER = masterKey("ab".repeat(32))!;
const EARLIER = "0123456789abcdef".repeat(4);
const hashOf = (key: string) => createHmac("sha256", Buffer.from(key, "hex")).update("text").digest("hex");

async function open() {
  const dir = tempDir();
  const { db } = await testStore();
  const secrets = sealedSecrets({ db, vault: createVault(() => MASTER) });
  const read = async () => (await keyedHashOf(secrets, dir)("text")).toString("hex");
  return { file: join(dir, "hash.key"), read };
}

it("is created once, by several processes at once too", async () => {
  const { read } = await open();
  const keys = await Promise.all([read(), read(), read()]);
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set([...keys, await read()]).size).toBe(1);
});

it("is taken from the file of an earlier version, which is deleted then", async () => {
  const { file, read } = await open();
  writeFileSync(file, `${EARLIER}\n`);
  expect(await read()).toBe(hashOf(EARLIER));
  expect(existsSync(file)).toBe(false);
  expect(await read()).toBe(hashOf(EARLIER));
});

it("is new where the file of an earlier version is damaged", async () => {
  const { file, read } = await open();
  writeFileSync(file, "not a key");
  expect(await read()).toMatch(/^[0-9a-f]{64}$/);
});
