import { describe, expect, it } from "vitest";
import { createEntitlementCheck } from "../../src/access/entitlement.ts";
import { testAccess } from "../support/store.ts";

const HOUR = 3_600_000;

describe("whether what an account left running goes on", () => {
  it("follows its plan of today", async () => {
    const { access, keyring, clock } = await testAccess();
    const entitled = createEntitlementCheck({ keyring, clock });
    await access.create({ account: "ada", plan: "pro" });
    expect(await entitled("ada", "pro")).toBe(true);
    expect(await entitled("ada", "enterprise")).toBe(false);
    await access.setAccount("ada", { plan: "member" });
    expect(await entitled("ada", "pro")).toBe(false);
  });

  it("needs one good key, whichever", async () => {
    const { access, keyring, clock } = await testAccess();
    const entitled = createEntitlementCheck({ keyring, clock });
    const { id } = await access.create({ account: "ada", plan: "pro" });
    const expiresAt = new Date(clock.now().getTime() + HOUR).toISOString();
    await access.create({ account: "ada", expiresAt });
    await access.revoke(id);
    expect(await entitled("ada", "pro")).toBe(true);
    clock.pass(HOUR);
    expect(await entitled("ada", "pro")).toBe(false);
  });

  it("is so for whoever runs commands here, and for nobody who is not known", async () => {
    const { keyring, clock } = await testAccess();
    const entitled = createEntitlementCheck({ keyring, clock });
    expect(await entitled("owner", "enterprise")).toBe(true);
    expect(await entitled("nobody", "member")).toBe(false);
  });
});
