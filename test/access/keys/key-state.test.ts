import { describe, expect, it } from "vitest";
import { keyFault, stateOf } from "../../../src/access/keys/key-state.ts";

const NOW = "2026-01-15T15:00:00.000Z";
const BEFORE = "2026-01-15T14:59:59.999Z";
const AFTER = "2026-01-15T15:00:00.001Z";
const key = {
  id: "k",
  account: "a",
  name: "agent",
  kind: "live" as const,
  last4: "abcd",
  scopes: [],
  created_at: "2026-01-01T00:00:00.000Z",
  expires_at: null,
  revoked_at: null,
  replaced_by: null,
  grace_until: null,
  last_used_at: null,
};

describe("the state of a key", () => {
  it.each([
    ["active", {}],
    ["active", { expires_at: AFTER }],
    ["expired", { expires_at: NOW }],
    ["expired", { expires_at: BEFORE, replaced_by: "n", grace_until: AFTER }],
    ["grace", { replaced_by: "n", grace_until: AFTER }],
    ["replaced", { replaced_by: "n", grace_until: NOW }],
    ["revoked", { revoked_at: BEFORE, expires_at: BEFORE }],
  ] as const)("is %s with %j", (state, change) => {
    expect(stateOf({ ...key, ...change }, NOW)).toBe(state);
  });
});

describe("the error for an invalid key", () => {
  it("has a separate message and a hint for each reason", () => {
    const faults = (["missing", "malformed", "unknown", "expired", "revoked", "replaced"] as const).map(
      keyFault,
    );
    expect(new Set(faults.map(({ message }) => message)).size).toBe(6);
    expect(faults.every(({ code, hint }) => code === "UNAUTHENTICATED" && hint !== undefined)).toBe(true);
    expect(keyFault("expired").data).toEqual({ reason: "expired" });
  });
});
