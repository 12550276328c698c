import { describe, expect, it } from "vitest";
import type { AccountRecord, KeyRecord } from "../../../src/domain/accounts/keyring-port.ts";
import { openKeyring } from "../../../src/store/accounts/keyring.ts";
import { testStore } from "../../support/store.ts";

const T0 = "2026-01-15T15:00:00.000Z";
const T1 = "2026-01-15T16:00:00.000Z";
const account = (id: string): AccountRecord => ({
  id,
  plan: "pro",
  terms: null,
  created_at: T0,
  suspended_at: null,
});
const key = (id: string, of: string, change: Partial<KeyRecord> = {}): KeyRecord => ({
  id,
  account: of,
  name: "agent",
  kind: "test",
  hash: `hash of ${id}`,
  last4: "abcd",
  scopes: ["read", "trade:paper"],
  created_at: T0,
  expires_at: null,
  revoked_at: null,
  replaced_by: null,
  grace_until: null,
  last_used_at: null,
  ...change,
});

async function keyringOfTwo() {
  const keyring = openKeyring((await testStore()).db);
  for (const id of ["a", "b"]) {
    await keyring.openAccount(account(id), key(`key-${id}`, id));
  }
  return keyring;
}

describe("the keyring", () => {
  it("finds a key and its account by hash, as stored", async () => {
    const keyring = await keyringOfTwo();
    expect(await keyring.findByHash("hash of key-a")).toEqual({
      key: key("key-a", "a"),
      account: account("a"),
    });
    expect(await keyring.findByHash("hash of none")).toBeNull();
  });

  it("opens an account once and does not change it", async () => {
    const keyring = await keyringOfTwo();
    expect(await keyring.openAccount({ ...account("a"), plan: "member" })).toEqual(account("a"));
    expect(await keyring.account("nobody")).toBeNull();
  });

  it("changes plan and terms of an account independently", async () => {
    const keyring = await keyringOfTwo();
    expect(await keyring.changeAccount("a", { terms: "Pro" })).toBe(true);
    expect(await keyring.changeAccount("a", { plan: "founding" })).toBe(true);
    expect(await keyring.changeAccount("a", {})).toBe(true);
    expect(await keyring.account("a")).toEqual({ ...account("a"), plan: "founding", terms: "Pro" });
    expect(await keyring.changeAccount("a", { terms: null })).toBe(true);
    expect((await keyring.account("a"))?.terms).toBeNull();
    expect(await keyring.account("b")).toEqual(account("b"));
    expect([await keyring.changeAccount("c", { plan: "pro" }), await keyring.changeAccount("c", {})]).toEqual(
      [false, false],
    );
  });

  it("shows an account its own keys and the operator all, newest first", async () => {
    const keyring = await keyringOfTwo();
    await keyring.openAccount(account("a"), key("key-a2", "a", { created_at: T1 }));
    const ids = async (reach: string | null) => (await keyring.keys(reach)).map(({ id }) => id);
    expect([await ids("a"), await ids("b"), await ids(null)]).toEqual([
      ["key-a2", "key-a"],
      ["key-b"],
      ["key-a2", "key-a", "key-b"],
    ]);
  });

  it("does not let an account read or change the key of another", async () => {
    const keyring = await keyringOfTwo();
    expect(await keyring.key("b", "key-a")).toBeNull();
    expect(await keyring.revokeKey("b", "key-a", T1)).toBe(false);
    expect(await keyring.replaceKey("b", "key-a", key("next", "b"), T1)).toBe(false);
    expect(await keyring.keys(null)).toEqual([key("key-a", "a"), key("key-b", "b")]);
  });

  it("stores the first revocation", async () => {
    const keyring = await keyringOfTwo();
    expect(await keyring.revokeKey("a", "key-a", T0)).toBe(true);
    expect(await keyring.revokeKey(null, "key-a", T1)).toBe(true);
    expect((await keyring.key(null, "key-a"))?.revoked_at).toBe(T0);
  });

  it("replaces a key once", async () => {
    const keyring = await keyringOfTwo();
    expect(await keyring.replaceKey("a", "key-a", key("next", "a"), T1)).toBe(true);
    expect(await keyring.replaceKey("a", "key-a", key("other", "a"), T1)).toBe(false);
    expect(await keyring.keys("a")).toEqual([
      key("key-a", "a", { replaced_by: "next", grace_until: T1 }),
      key("next", "a"),
    ]);
  });

  it("does not replace a revoked key", async () => {
    const keyring = await keyringOfTwo();
    await keyring.revokeKey("a", "key-a", T0);
    expect(await keyring.replaceKey("a", "key-a", key("next", "a"), T1)).toBe(false);
  });

  it("rolls back the replacement when the new key cannot be added", async () => {
    const keyring = await keyringOfTwo();
    const clash = key("next", "a", { hash: "hash of key-b" });
    await expect(keyring.replaceKey("a", "key-a", clash, T1)).rejects.toThrow(/unique/i);
    expect(await keyring.key("a", "key-a")).toEqual(key("key-a", "a"));
  });

  it("adds a first key only if there never was one, including revoked ones", async () => {
    const keyring = openKeyring((await testStore()).db);
    const owner: AccountRecord = { ...account("owner"), plan: "enterprise" };
    expect(await keyring.addFirstKey(owner, key("first", "owner"))).toBe(true);
    await keyring.revokeKey(null, "first", T1);
    expect(await keyring.addFirstKey(owner, key("second", "owner"))).toBe(false);
    expect((await keyring.keys("owner")).map(({ id }) => id)).toEqual(["first"]);
  });
});
