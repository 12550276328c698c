import { describe, expect, it } from "vitest";
import type { Identity } from "../../src/access/access.ts";
import { createAuthenticator } from "../../src/access/access.ts";
import { ToolError } from "../../src/kernel/errors.ts";

const holder: Identity = { account: "a", plan: "pro", scopes: ["read"], keyId: "k", expiresAt: null };

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
    const { enter, counted } = gate(() => expect.unreachable("no key to look at"));
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
