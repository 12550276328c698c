import { describe, expect, it } from "vitest";
import { draftKey, renewalOf } from "../../../src/access/keys/key-draft.ts";
import { hashOf } from "../../../src/access/keys/key-format.ts";

const base = { id: "k", account: "a", now: "2026-01-15T15:00:00.000Z" };

describe("a new key", () => {
  it("can read, write and trade on paper by default, and does not expire", () => {
    const { key, record } = draftKey(base);
    expect(record).toEqual({
      id: "k",
      account: "a",
      name: "agent",
      kind: "live",
      hash: hashOf(key),
      last4: key.slice(-4),
      scopes: ["read", "write", "trade:paper"],
      created_at: base.now,
      expires_at: null,
      revoked_at: null,
      replaced_by: null,
      grace_until: null,
      last_used_at: null,
    });
    expect(key.startsWith("ms_live_")).toBe(true);
  });

  it("has the requested fields, each scope once", () => {
    const request = { ...base, scopes: ["admin", "read", "admin"], kind: "test", name: "ops" } as const;
    const { key, record } = draftKey({ ...request, expiresAt: "2026-02-01T00:00:00+01:00" });
    expect(record).toMatchObject({
      name: "ops",
      kind: "test",
      scopes: ["read", "admin"],
      expires_at: "2026-01-31T23:00:00.000Z",
    });
    expect(key.startsWith("ms_test_")).toBe(true);
  });

  it.each([
    ["no scope", { scopes: [] }],
    ["an unknown scope", { scopes: ["root" as "admin"] }],
    ["live trading with a test key", { scopes: ["trade:live"], kind: "test" }],
    ["an expiry now", { expiresAt: base.now }],
    ["an expiry that is no time", { expiresAt: "soon" }],
  ] as const)("cannot have %s", (_, request) => {
    expect(() => draftKey({ ...base, ...request })).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });

  it("has the lifetime of the key it replaces", () => {
    const { record } = draftKey({
      ...base,
      name: "ops",
      kind: "live",
      scopes: ["admin"],
      expiresAt: "2026-01-16T15:00:00.000Z",
    });
    expect(renewalOf(record, "2026-03-01T00:00:00.000Z")).toEqual({
      name: "ops",
      kind: "live",
      scopes: ["admin"],
      expiresAt: "2026-03-02T00:00:00.000Z",
    });
    expect(renewalOf(draftKey(base).record, base.now)).toEqual({
      name: "agent",
      kind: "live",
      scopes: ["read", "write", "trade:paper"],
    });
  });
});
