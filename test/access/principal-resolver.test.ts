import { describe, expect, it } from "vitest";
import { createPrincipalResolver } from "../../src/access/principal-resolver.ts";
import { testAccess } from "../support/store.ts";

const HOUR = 3_600_000;
const scopes = ["read", "write"] as const;
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "let in",
    (error) => [error.code, error.data?.reason],
  );

describe("whom a mandate stands for", () => {
  it("is the account with its plan of today and the scopes of the beginning", async () => {
    const { access, keyring, clock } = await testAccess();
    const standing = createPrincipalResolver({ keyring, clock });
    const { id } = await access.create({ account: "ada", plan: "pro" });
    const mandate = { account: "ada", key: id, scopes };
    expect(await standing(mandate)).toEqual({ account: "ada", plan: "pro", scopes, keyId: id });
    await access.setAccount("ada", { plan: "member" });
    expect(await standing(mandate)).toMatchObject({ plan: "member" });
    expect(await standing({ ...mandate, key: null })).toEqual({ account: "ada", plan: "member", scopes });
  });

  it("is whoever runs commands here for the owner without a key, with or without an account kept", async () => {
    const { keyring, clock } = await testAccess();
    expect(
      await createPrincipalResolver({ keyring, clock })({ account: "owner", key: null, scopes }),
    ).toEqual({
      account: "owner",
      plan: "enterprise",
      scopes,
    });
  });

  it("is nobody once the key is revoked, expired or another's, or the account is gone", async () => {
    const { access, keyring, clock } = await testAccess();
    const standing = createPrincipalResolver({ keyring, clock });
    const ada = await access.create({ account: "ada" });
    const expiresAt = new Date(clock.now().getTime() + HOUR).toISOString();
    const brief = await access.create({ account: "ada", expiresAt });
    const as = (key: string | null, account = "ada") => refusal(standing({ account, key, scopes }));
    expect(await as(brief.id)).toBe("let in");
    clock.pass(HOUR);
    expect(await as(brief.id)).toEqual(["UNAUTHENTICATED", "expired"]);
    expect(await as(ada.id, "bob")).toEqual(["UNAUTHENTICATED", "unknown"]);
    expect(await as(null, "nobody")).toEqual(["UNAUTHENTICATED", undefined]);
    await access.revoke(ada.id);
    expect(await as(ada.id)).toEqual(["UNAUTHENTICATED", "revoked"]);
  });

  it("follows a key that was rotated to the one that took over, as long as that is good", async () => {
    const { access, keyring, clock } = await testAccess();
    const standing = createPrincipalResolver({ keyring, clock });
    const { id: key } = await access.create({ account: "ada" });
    const next = await access.rotate(key, { graceMs: HOUR });
    const last = await access.rotate(next.id, { graceMs: HOUR });
    clock.pass(2 * HOUR);
    expect(await refusal(standing({ account: "ada", key, scopes }))).toBe("let in");
    await access.revoke(last.id);
    expect(await refusal(standing({ account: "ada", key, scopes }))).toEqual(["UNAUTHENTICATED", "revoked"]);
  });
});
