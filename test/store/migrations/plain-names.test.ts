import { describe, expect, it } from "vitest";
import { withPlainNames } from "../../../src/store/migrations/plain-names.ts";

const renamed = (value: unknown): unknown => JSON.parse(withPlainNames(JSON.stringify(value)));

describe("a stored answer", () => {
  it.each<readonly [string, unknown, unknown]>([
    ["provenance", { kept: "asked", tried: [] }, { served_from: "provider", tried: [] }],
    ["provenance of a cache", [{ kept: "memory" }], [{ served_from: "memory" }]],
    ["a consensus", { voices: [{ venue: "a" }] }, { contracts: [{ venue: "a" }] }],
    [
      "a new subscription",
      { standing: [{ symbol: "A", holds: true, text: "t" }] },
      { condition_states: [{ symbol: "A", holds: true, text: "t" }] },
    ],
    ["an import", { told_at: "2026-01-15T15:00:00.000Z" }, { imported_at: "2026-01-15T15:00:00.000Z" }],
    [
      "the service index",
      { quotes: { members: 20, asked: 20, had: 19 } },
      { quotes: { members: 20, requested: 20, received: 19 } },
    ],
    ["a ticket", { asked: { symbol: "A", quantity: "1" } }, { requested: { symbol: "A", quantity: "1" } }],
    [
      "the news of an edge",
      { stories: 3, judged: 2, source: "gdelt" },
      { stories: 3, scored: 2, source: "gdelt" },
    ],
    [
      "an error",
      { code: "NOT_ENOUGH_DATA", have: 14, need: 15 },
      { code: "NOT_ENOUGH_DATA", available: 14, required: 15 },
    ],
    ["figures of news", { not_judged: 1 }, { abstained: 1 }],
    ["a pattern", { name: "Flag", status: "standing" }, { name: "Flag", status: "valid" }],
    ["a delivery", { delivery_id: "dl_1", state: "kept" }, { delivery_id: "dl_1", state: "stored" }],
    ["a venue", { venue: "a", state: "not_asked" }, { venue: "a", state: "not_requested" }],
    ["a verification", { inputs: "not_kept" }, { inputs: "not_stored" }],
    ["the market of an edge", { source: "kept" }, { source: "stored" }],
    ["a size", { bound_by: "asked" }, { bound_by: "requested" }],
    ["disclosures", { held: "whole" }, { held: "complete" }],
    [
      "odds",
      [{ change: "calm" }, { change: "wild" }],
      [{ change: "low_volatility" }, { change: "high_volatility" }],
    ],
  ])("has the present names and values: %s", (_, before, after) => {
    expect(renamed({ data: before })).toEqual({ data: after });
  });

  it.each<readonly [string, unknown]>([
    ["a decision with its units", { symbol: "A", held: "10", action: "hold" }],
    ["an open subscription", { state: "active", status: "void", source: "yahoo", change: 1.5 }],
    ["texts of the caller", { name: "kept", note: "asked", text: '{"voices":[]}' }],
  ])("stays as it is: %s", (_, answer) => {
    expect(renamed(answer)).toEqual(answer);
  });

  it("stays as it is, byte for byte, where a receipt is signed", () => {
    const receipt = { kept: "asked", told_at: "t", public_key: "k", signature: "s" };
    expect(withPlainNames(JSON.stringify({ receipt, source: "kept" }))).toBe(
      JSON.stringify({ receipt, source: "stored" }),
    );
  });

  it.each(["", "kept", '{"kept":"asked"', '"kept"', '{ "price": 1.50 }'])("is no other text: %j", (text) => {
    expect(withPlainNames(text)).toBe(text);
  });
});
