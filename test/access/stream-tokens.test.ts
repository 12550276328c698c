import { describe, expect, it } from "vitest";
import { createPrincipalResolver } from "../../src/access/principal-resolver.ts";
import { createStreamTokens } from "../../src/access/stream-tokens.ts";
import { anonymous } from "../support/context.ts";
import { testHash } from "../support/keyed-hash.ts";
import { noApps, testAccess } from "../support/store.ts";

async function setup(byte = 1) {
  const { access, keyring, clock } = await testAccess();
  const resolvePrincipal = createPrincipalResolver({ keyring, apps: noApps, clock });
  const tokensOf = (fill: number) =>
    createStreamTokens({
      keyedHash: testHash(fill),
      clock,
      resolvePrincipal,
    });
  const { key, id } = await access.create({ account: "ada", plan: "pro", scopes: ["read"] });
  const principal = await access.identify(key);
  return { access, clock, id, principal, tokens: tokensOf(byte), tokensOf };
}

/** The code and message of an error. */
async function refusal(call: () => unknown): Promise<readonly [string, string]> {
  try {
    await call();
  } catch (error: any) {
    return [error.code, error.message];
  }
  throw new Error("not refused");
}

describe("a stream token", () => {
  it("resolves the account, plan and scopes of its key, also in another process", async () => {
    const { tokens, tokensOf, principal, id } = await setup();
    const { token, expires_at } = await tokens.issue(principal);
    expect(expires_at).toBe("2026-01-15T15:01:00.000Z");
    for (const own of [tokens, tokensOf(1)])
      expect(await (await own.open(token))()).toEqual({
        account: "ada",
        plan: "pro",
        scopes: ["read"],
        keyId: id,
      });
  });

  it("opens nothing after 60 seconds; what is open stays open", async () => {
    const { tokens, principal, clock } = await setup();
    const { token } = await tokens.issue(principal);
    clock.pass(59_999);
    const resolve = await tokens.open(token);
    clock.pass(1);
    expect(await refusal(() => tokens.open(token))).toEqual([
      "UNAUTHENTICATED",
      "This stream token has expired",
    ]);
    expect(await resolve()).toMatchObject({ account: "ada" });
  });

  it("ends with its key, and with the plan it was created for", async () => {
    const { access, tokens, principal, id } = await setup();
    const resolve = await tokens.open((await tokens.issue(principal)).token);
    await access.setAccount("ada", { plan: "member" });
    expect(await refusal(resolve)).toEqual(["UNAUTHENTICATED", "The plan of the account has changed"]);
    await access.setAccount("ada", { plan: "pro" });
    expect(await resolve()).toMatchObject({ plan: "pro" });
    await access.revoke(id);
    expect(await refusal(resolve)).toEqual(["UNAUTHENTICATED", "This API key was revoked"]);
  });

  it("is refused if a character differs, or if another installation signed it", async () => {
    const { tokens, tokensOf, principal } = await setup();
    const { token } = await tokens.issue(principal);
    const [head = "", signature = ""] = token.split(".");
    const forged = Buffer.from(
      JSON.stringify({ account: "owner", key: null, plan: "enterprise", scopes: ["admin"], until: 9e15 }),
    ).toString("base64url");
    const wrong = [
      "",
      "ms_stream_",
      head,
      `${head}.`,
      `${head}.${"A".repeat(43)}`,
      `${head}x.${signature}`,
      `ms_stream_${forged}.${signature}`,
      `${token}x`,
      ` ${token}`,
      (await tokensOf(2).issue(principal)).token,
    ];
    for (const text of wrong)
      expect(await refusal(() => tokens.open(text)), text).toEqual([
        "UNAUTHENTICATED",
        "This is not a stream token of this server",
      ]);
  });

  it("is created only for a key", async () => {
    const { tokens } = await setup();
    expect((await refusal(() => tokens.issue(anonymous)))[0]).toBe("UNAUTHENTICATED");
  });
});
