import { describe, expect, it } from "vitest";
import { createEntitlementCheck } from "../../src/access/entitlement.ts";
import { testAccess } from "../support/store.ts";

const HOUR = 3_600_000;

describe("createEntitlementCheck", () => {
  it("checks the current plan", async () => {
    const { access, keyring, clock } = await testAccess();
    const isEntitled = createEntitlementCheck({ keyring, clock });
    await access.create({ account: "ada", plan: "pro" });
    expect(await isEntitled("ada", "pro")).toBe(true);
    expect(await isEntitled("ada", "enterprise")).toBe(false);
    await access.setAccount("ada", { plan: "member" });
    expect(await isEntitled("ada", "pro")).toBe(false);
  });

  it("requires any valid key", async () => {
    const { access, keyring, clock } = await testAccess();
    const isEntitled = createEntitlementCheck({ keyring, clock });
    const { id } = await access.create({ account: "ada", plan: "pro" });
    const expiresAt = new Date(clock.now().getTime() + HOUR).toISOString();
    await access.create({ account: "ada", expiresAt });
    await access.revoke(id);
    expect(await isEntitled("ada", "pro")).toBe(true);
    clock.pass(HOUR);
    expect(await isEntitled("ada", "pro")).toBe(false);
  });

  it("passes for the owner, and fails for an unknown account", async () => {
    const { keyring, clock } = await testAccess();
    const isEntitled = createEntitlementCheck({ keyring, clock });
    expect(await isEntitled("owner", "enterprise")).toBe(true);
    expect(await isEntitled("nobody", "member")).toBe(false);
  });
});
