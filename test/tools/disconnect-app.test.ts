import { describe, expect, it } from "vitest";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { disconnectApp } from "../../tools/disconnect-app.ts";
import { testApps } from "../support/connected-apps.ts";
import { member, testPorts } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";

const writer: Principal = { ...member, scopes: ["read", "write"] };

describe("disconnect_app", () => {
  const as = (keyId?: string, client_id = "abc") => {
    const { connectedApps, ended } = testApps();
    const principal = keyId === undefined ? writer : { ...writer, keyId };
    const call = { ports: testPorts({ connectedApps }), principal, transport: "test" };
    return { ended, answer: invoke(disconnectApp, { client_id }, call) };
  };

  it.each([
    ["a person", undefined, "member"],
    ["a key", "k1", "k1"],
    ["the app itself", "app:abc", "app:abc"],
  ])("ends the access of an app for %s", async (_, keyId, by) => {
    const { answer, ended } = as(keyId);
    expect(await answer).toEqual({ ok: true, client_id: "abc", disconnected: true });
    expect(ended).toEqual([["member", "abc", by]]);
  });

  it.each([["app:other"], ["app:"], ["app:ABC"]])("is refused for the app %s", async (keyId) => {
    const { answer, ended } = as(keyId);
    await expect(answer).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: "An app can disconnect only itself",
    });
    expect(ended).toEqual([]);
  });

  it("is refused for an app that is not connected, and without the scope write", async () => {
    await expect(as(undefined, "unknown").answer).rejects.toMatchObject({ code: "NOT_FOUND" });
    const call = { ports: testPorts(testApps()), principal: member, transport: "test" };
    await expect(invoke(disconnectApp, { client_id: "abc" }, call)).rejects.toMatchObject({
      code: "SCOPE_REQUIRED",
    });
  });
});

toolContract(disconnectApp, { ports: testApps() });
