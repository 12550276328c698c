import { describe, expect, it } from "vitest";
import { type ClaimTerms, planOfClaim, stateOfClaim } from "../../../src/domain/claims/claim-state.ts";

const terms = (over: Partial<ClaimTerms> = {}): ClaimTerms => ({
  side: "LONG",
  rule: "touch",
  price: 100,
  entry: null,
  target: 110,
  stop: null,
  ...over,
});
const ended = (end: "stop" | "target" | "neither", close = 100) => ({ filled: true, end, close });

describe("the plan of a claim", () => {
  it.each([
    ["LONG", null, "now"],
    ["LONG", 100, "now"],
    ["LONG", 95, "limit"],
    ["LONG", 105, "stop"],
    ["SHORT", 95, "stop"],
    ["SHORT", 105, "limit"],
  ] as const)("of a %s with the entry %s waits as %s", (side, entry, kind) => {
    expect(planOfClaim(terms({ side, entry })).kind).toBe(kind);
  });

  it("has no target where only the last close decides", () => {
    expect(planOfClaim(terms({ rule: "close_beyond" })).target).toBeNull();
  });
});

describe("the state of a claim", () => {
  it.each([
    [null, "open"],
    ["unknown", "unknown"],
    [{ filled: false, end: null, close: 120 }, "not_entered"],
    [ended("target"), "right"],
    [ended("stop"), "wrong"],
    [ended("neither", 120), "wrong"],
  ] as const)("after %j is %s", (result, state) => {
    expect(stateOfClaim(terms(), result)).toBe(state);
  });

  it.each([
    ["LONG", 110, "right"],
    ["LONG", 109.99, "wrong"],
    ["SHORT", 110, "right"],
    ["SHORT", 110.01, "wrong"],
  ] as const)("of a %s close at %s is %s", (side, close, state) => {
    expect(stateOfClaim(terms({ rule: "close_beyond", side }), ended("neither", close))).toBe(state);
  });
});
