import { afterEach, describe, expect, it, vi } from "vitest";
import { createAccess, createAuthenticator, type Identity } from "../../src/access/access.ts";
import { newKey } from "../../src/access/keys/key-format.ts";
import { PLAN_SCHEDULES } from "../../src/access/plans.ts";
import type { Keyring } from "../../src/domain/accounts/keyring-port.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { countingIds } from "../support/context.ts";
import { testAccess } from "../support/store.ts";

const HOUR_MS = 3_600_000;
const reason = (call: Promise<unknown>) =>
  call.then(
    () => "let in",
    (refusal) => [refusal.code, refusal.data?.reason],
  );

afterEach(() => {
  vi.useRealTimers();
});

describe("a key", () => {
  it("identifies its account", async () => {
    const { access } = await testAccess();
    const made = await access.create({
      account: "alice",
      plan: "founding",
      scopes: ["read"],
      name: "office",
    });
    expect(await access.identify(made.key)).toEqual({
      account: "alice",
      plan: "founding",
      scopes: ["read"],
      keyId: made.id,
      expiresAt: "2027-01-15T15:00:00.000Z",
    });
  });

  it("expires after a year, at another time or never; the first key never does", async () => {
    const { access, clock } = await testAccess();
    const first = await access.createFirstKey();
    expect(first?.expires_at).toBeNull();
    const never = await access.create({ expiresAt: null });
    expect(never.expires_at).toBeNull();
    expect((await access.create({ expiresAt: "2026-02-01T00:00:00Z" })).expires_at).toBe(
      "2026-02-01T00:00:00.000Z",
    );
    const { key, id } = await access.create();
    clock.pass(365 * 24 * HOUR_MS - 1);
    expect(await access.identify(key)).toMatchObject({ expiresAt: "2027-01-15T15:00:00.000Z" });
    expect((await access.rotate(id)).expires_at).toBe("2028-01-15T14:59:59.999Z");
    clock.pass(1);
    expect(await reason(access.identify(key))).toEqual(["UNAUTHENTICATED", "expired"]);
    expect(await access.identify(first!.key)).toMatchObject({ account: "owner" });
    expect(await access.identify(never.key)).toMatchObject({ expiresAt: null });
  });

  it("is read once for all that present it at the same time, and again if it was unknown", async () => {
    const { clock, keyring: stored } = await testAccess();
    const hashes: string[] = [];
    const keyring: Keyring = {
      ...stored,
      findByHash(hash) {
        hashes.push(hash);
        return stored.findByHash(hash);
      },
    };
    const access = createAccess({ keyring, clock, ids: countingIds(), schedule: PLAN_SCHEDULES.A });
    const { key, account } = await access.create();
    const found = await Promise.all(Array.from({ length: 20 }, () => access.identify(key)));
    expect(found.map((one) => one.account)).toEqual(Array.from({ length: 20 }, () => account));
    expect(hashes).toHaveLength(1);
    const unknown = newKey("live");
    for (const reads of [2, 3]) {
      expect(await reason(access.identify(unknown))).toEqual(["UNAUTHENTICATED", "unknown"]);
      expect(hashes).toHaveLength(reads);
    }
  });

  it("creates an account on the pro plan by default", async () => {
    const { access } = await testAccess();
    const [one, two] = [await access.create(), await access.create()];
    expect(one.account).not.toBe(two.account);
    expect(await access.identify(one.key)).toMatchObject({
      plan: "pro",
      scopes: ["read", "write", "trade:paper"],
    });
  });

  it("joins an existing account, unless a different plan is requested", async () => {
    const { access } = await testAccess();
    await access.create({ account: "alice", plan: "member" });
    const second = await access.create({ account: "alice" });
    expect(await access.identify(second.key)).toMatchObject({ account: "alice", plan: "member" });
    await expect(access.create({ account: "alice", plan: "pro" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect((await access.list("alice")).map(({ plan }) => plan)).toEqual(["member", "member"]);
  });

  it.each(["", "addr:203.0.113.7", "Alice", "a b", "a".repeat(65)])(
    "is rejected for an account named %j",
    async (account) => {
      const { access } = await testAccess();
      await expect(access.create({ account })).rejects.toMatchObject({ code: "INVALID_INPUT" });
      expect(await access.list()).toEqual([]);
    },
  );

  it("is listed by its last four characters, never by its text or hash", async () => {
    const { access, store } = await testAccess();
    const { key } = await access.create({ account: "alice" });
    const listed = JSON.stringify(await access.list("alice"));
    const stored = JSON.stringify(await store.db.selectFrom("keys").selectAll().execute());
    expect(listed).toContain(`"last4":"${key.slice(-4)}"`);
    expect(listed).not.toContain("hash");
    for (const text of [listed, stored]) expect(text).not.toContain(key.slice(8, 40));
  });
});

describe("identify", () => {
  it("returns the reason for an invalid key", async () => {
    const { access, clock } = await testAccess();
    const expiring = await access.create({
      expiresAt: new Date(clock.now().getTime() + HOUR_MS).toISOString(),
    });
    const revoked = await access.create();
    expect(await reason(access.identify(expiring.key))).toBe("let in");
    await access.revoke(revoked.id);
    clock.pass(HOUR_MS);
    for (const [key, why] of [
      [null, "missing"],
      ["nonsense", "malformed"],
      [newKey("live"), "unknown"],
      [expiring.key, "expired"],
      [revoked.key, "revoked"],
    ] as const)
      expect(await reason(access.identify(key))).toEqual(["UNAUTHENTICATED", why]);
  });

  it("does not query the database for a malformed key", async () => {
    const { clock } = await testAccess();
    const keyring = { findByHash: () => expect.unreachable("queried the database") } as unknown as Keyring;
    const access = createAccess({ keyring, clock, ids: countingIds(), schedule: PLAN_SCHEDULES.A });
    const key = newKey("live");
    const typo = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
    expect(await reason(access.identify(typo))).toEqual(["UNAUTHENTICATED", "malformed"]);
  });
});

describe("rotation", () => {
  it("returns a new key with the same scopes; the old one stays valid for the grace period", async () => {
    const { access, clock } = await testAccess();
    const old = await access.create({ account: "alice", scopes: ["read", "admin"], name: "ops" });
    await access.identify(old.key);
    const next = await access.rotate(old.id, { graceMs: HOUR_MS });
    expect(next).toMatchObject({ account: "alice", scopes: ["read", "admin"], name: "ops", state: "active" });
    clock.pass(HOUR_MS - 1);
    for (const { key } of [old, next]) expect(await reason(access.identify(key))).toBe("let in");
    expect((await access.list("alice")).map(({ id, state }) => [id, state])).toEqual([
      [old.id, "grace"],
      [next.id, "active"],
    ]);
    clock.pass(1);
    expect(await reason(access.identify(old.key))).toEqual(["UNAUTHENTICATED", "replaced"]);
    expect(await reason(access.identify(next.key))).toBe("let in");
  });

  it("ends the old key at once without a grace period", async () => {
    const { access } = await testAccess();
    const old = await access.create();
    await access.identify(old.key);
    await access.rotate(old.id, { graceMs: 0 });
    expect(await reason(access.identify(old.key))).toEqual(["UNAUTHENTICATED", "replaced"]);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("rejects a grace period of %d ms", async (graceMs) => {
    const { access } = await testAccess();
    const { id } = await access.create();
    await expect(access.rotate(id, { graceMs })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("preserves the kind of the key", async () => {
    const { access } = await testAccess();
    const old = await access.create({ kind: "test" });
    expect((await access.rotate(old.id)).key.startsWith("ms_test_")).toBe(true);
  });

  it("is only for keys in use, and only once", async () => {
    const { access } = await testAccess();
    const [used, revoked] = [await access.create(), await access.create()];
    await access.rotate(used.id);
    await access.revoke(revoked.id);
    for (const { id } of [used, revoked])
      await expect(access.rotate(id)).rejects.toMatchObject({ code: "CONFLICT" });
  });
});

describe("another account's key", () => {
  it("cannot be found", async () => {
    const { access } = await testAccess();
    const { id, key } = await access.create({ account: "alice" });
    await access.create({ account: "bob" });
    await expect(access.revoke(id, "bob")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(access.rotate(id, { account: "bob" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await access.list("bob")).map(({ account }) => account)).toEqual(["bob"]);
    expect(await reason(access.identify(key))).toBe("let in");
  });
});

describe("an account", () => {
  it("changes its plan for keys in use", async () => {
    const { access } = await testAccess(PLAN_SCHEDULES.B);
    const { key } = await access.create({ account: "alice", plan: "member" });
    await access.identify(key);
    await access.setAccount("alice", { plan: "pro", terms: "Pro" });
    expect(await access.identify(key)).toMatchObject({ plan: "pro", terms: "Pro" });
    await access.setAccount("alice", { terms: null });
    expect(await access.identify(key)).not.toHaveProperty("terms");
  });

  it("rejects terms that the schedule does not have", async () => {
    const { access } = await testAccess(PLAN_SCHEDULES.B);
    await access.create({ account: "alice" });
    for (const terms of ["pro", "toString"])
      await expect(access.setAccount("alice", { terms })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(access.setAccount("bob", { plan: "pro" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("the first run", () => {
  it("creates one key for the owner", async () => {
    const { access } = await testAccess();
    const first = await access.createFirstKey();
    expect(await access.identify(first?.key ?? null)).toMatchObject({
      account: "owner",
      plan: "enterprise",
      scopes: ["read", "write", "trade:paper"],
    });
    expect(await access.createFirstKey()).toBeNull();
    await access.revoke(first?.id ?? "");
    expect(await access.createFirstKey()).toBeNull();
  });

  it("creates the owner account even if keys exist", async () => {
    const { access, keyring } = await testAccess();
    await access.create();
    expect(await access.createFirstKey()).toBeNull();
    expect(await keyring.account("owner")).toMatchObject({ plan: "enterprise" });
  });
});

const holder: Identity = { account: "a", plan: "pro", scopes: ["read"], keyId: "k", expiresAt: null };

/** An authenticator, and the addresses for which it counted invalid keys. */
function gate(identify: () => Promise<Identity>) {
  const counted: string[] = [];
  const countInvalidKey = async (address: string) => {
    counted.push(address);
    if (counted.length > 1) throw new ToolError("RATE_LIMITED", "too many");
  };
  return { enter: createAuthenticator({ access: { identify }, countInvalidKey }), counted };
}

describe("the authenticator", () => {
  it("returns the principal of a valid key", async () => {
    const { enter, counted } = gate(async () => holder);
    expect(await enter("key", "203.0.113.7")).toBe(holder);
    expect(counted).toEqual([]);
  });

  it("returns an anonymous principal without a key", async () => {
    const { enter, counted } = gate(() => expect.unreachable("there is no key"));
    expect(await enter(null, "203.0.113.7")).toMatchObject({ account: "addr:203.0.113.7", plan: "open" });
    expect(counted).toEqual([]);
  });

  it("rejects an invalid key, then with RATE_LIMITED after too many", async () => {
    const { enter, counted } = gate(async () => {
      throw new ToolError("UNAUTHENTICATED", "unknown");
    });
    await expect(enter("key", "203.0.113.7")).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(enter("key", "203.0.113.7")).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(counted).toEqual(["203.0.113.7", "203.0.113.7"]);
  });

  it("does not count internal failures", async () => {
    const { enter, counted } = gate(async () => {
      throw new Error("disk");
    });
    await expect(enter("key", "203.0.113.7")).rejects.toThrow("disk");
    expect(counted).toEqual([]);
  });
});
