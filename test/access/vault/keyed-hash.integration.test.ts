import { createHmac } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keyedHashOf, verifyHashKey } from "../../../src/access/vault/keyed-hash.ts";
import { createVault, masterKey } from "../../../src/access/vault/vault.ts";
import { SetupError } from "../../../src/lib/setup-error.ts";
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
  return { dir, file: join(dir, "hash.key"), read, verify: () => verifyHashKey(secrets, dir) };
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

it("is not replaced while the file of an earlier version is damaged or cannot be read", async () => {
  const { dir, file, read, verify } = await open();
  const remedy =
    "Restore the file from a copy, readable for this user, or delete it: people then sign in again, and their recovery codes no longer work.";
  writeFileSync(file, "not a key");
  for (const attempt of [read, verify])
    await expect(attempt()).rejects.toThrow(new SetupError(`${file} holds no key. ${remedy}`));
  expect(readFileSync(file, "utf8")).toBe("not a key");
  rmSync(file);
  mkdirSync(file); // cannot be read as a file
  for (const attempt of [read, verify])
    await expect(attempt()).rejects.toThrow(new SetupError(`${file} cannot be read. ${remedy}`));
  expect(readdirSync(dir)).toEqual(["hash.key"]);
  rmSync(file, { recursive: true });
  await verify();
  expect(await read()).toMatch(/^[0-9a-f]{64}$/);
});

it("leaves a file alone that is not the stored key", async () => {
  const { file, read, verify } = await open();
  const stored = await read();
  writeFileSync(file, `${EARLIER}\n`);
  await verify();
  expect(await read()).toBe(stored);
  expect(existsSync(file)).toBe(true);
});
