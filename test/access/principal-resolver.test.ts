import { describe, expect, it } from "vitest";
import { createEntitlementCheck, createPrincipalResolver } from "../../src/access/principal-resolver.ts";
import { noApps, noPeople, testAccess } from "../support/store.ts";

const HOUR = 3_600_000;
async function setup() {
  const { access, keyring, clock } = await testAccess();
  const resolve = createPrincipalResolver({ keyring, apps: noApps, clock });
  return { access, clock, resolve, isEntitled: createEntitlementCheck({ keyring, people: noPeople, clock }) };
}
const scopes = ["read", "write"] as const;
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "let in",
    (error) => [error.code, error.data?.reason],
  );

describe("createPrincipalResolver", () => {
  it("returns the current plan and the scopes of the delegation", async () => {
    const { access, resolve } = await setup();
    const { id } = await access.create({ account: "ada", plan: "pro" });
    const delegation = { account: "ada", key: id, scopes };
    expect(await resolve(delegation)).toEqual({ account: "ada", plan: "pro", scopes, keyId: id });
    await access.setAccount("ada", { plan: "member" });
    expect(await resolve(delegation)).toMatchObject({ plan: "member" });
    expect(await resolve({ ...delegation, key: null })).toEqual({ account: "ada", plan: "member", scopes });
  });

  it("returns the owner for a delegation without a key", async () => {
    const { resolve } = await setup();
    const delegation = { account: "owner", key: null, scopes };
    expect(await resolve(delegation)).toEqual({ account: "owner", plan: "enterprise", scopes });
  });

  it("rejects a revoked, expired or foreign key, and a deleted account", async () => {
    const { access, clock, resolve } = await setup();
    const ada = await access.create({ account: "ada" });
    const expiresAt = new Date(clock.now().getTime() + HOUR).toISOString();
    const brief = await access.create({ account: "ada", expiresAt });
    const as = (key: string | null, account = "ada") => refusal(resolve({ account, key, scopes }));
    expect(await as(brief.id)).toBe("let in");
    clock.pass(HOUR);
    expect(await as(brief.id)).toEqual(["UNAUTHENTICATED", "expired"]);
    expect(await as(ada.id, "bob")).toEqual(["UNAUTHENTICATED", "unknown"]);
    expect(await as(null, "nobody")).toEqual(["UNAUTHENTICATED", undefined]);
    await access.revoke(ada.id);
    expect(await as(ada.id)).toEqual(["UNAUTHENTICATED", "revoked"]);
  });

  it("accepts a rotated key while its replacement is valid", async () => {
    const { access, clock, resolve } = await setup();
    const { id: key } = await access.create({ account: "ada" });
    const next = await access.rotate(key, { graceMs: HOUR });
    const last = await access.rotate(next.id, { graceMs: HOUR });
    clock.pass(2 * HOUR);
    expect(await refusal(resolve({ account: "ada", key, scopes }))).toBe("let in");
    await access.revoke(last.id);
    expect(await refusal(resolve({ account: "ada", key, scopes }))).toEqual(["UNAUTHENTICATED", "revoked"]);
  });
});

describe("createEntitlementCheck", () => {
  it("checks the current plan", async () => {
    const { access, isEntitled } = await setup();
    await access.create({ account: "ada", plan: "pro" });
    expect(await isEntitled("ada", "pro")).toBe(true);
    expect(await isEntitled("ada", "enterprise")).toBe(false);
    await access.setAccount("ada", { plan: "member" });
    expect(await isEntitled("ada", "pro")).toBe(false);
  });

  it("requires any valid key", async () => {
    const { access, clock, isEntitled } = await setup();
    const { id } = await access.create({ account: "ada", plan: "pro" });
    const expiresAt = new Date(clock.now().getTime() + HOUR).toISOString();
    await access.create({ account: "ada", expiresAt });
    await access.revoke(id);
    expect(await isEntitled("ada", "pro")).toBe(true);
    clock.pass(HOUR);
    expect(await isEntitled("ada", "pro")).toBe(false);
  });

  it("passes for the owner, and fails for an unknown account", async () => {
    const { isEntitled } = await setup();
    expect(await isEntitled("owner", "enterprise")).toBe(true);
    expect(await isEntitled("nobody", "member")).toBe(false);
  });
});
