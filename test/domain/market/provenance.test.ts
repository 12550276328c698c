import { describe, expect, it } from "vitest";
import {
  formatProvenance,
  type Origin,
  Provenance,
  provenanceOf,
} from "../../../src/domain/market/provenance.ts";

const now = new Date("2026-01-15T15:00:00.000Z");
const facts = { as_of: "2026-01-15T14:59:00.000Z", delay_minutes: 15, adjustment: "split", now } as const;
const origin: Origin = {
  fetched_at: "2026-01-15T14:59:30.000Z",
  session: "regular",
  stale: true,
  served_from: "store",
  tried: [
    { provider: "first", outcome: "timeout", ms: 1_800 },
    { provider: "second", outcome: "rate_limited", ms: 3 },
    { provider: "first", outcome: "down", ms: 2 },
    { provider: "third", outcome: "answered", ms: 40 },
  ],
  volume_unit: "shares",
  volume_scope: "one_venue",
};

describe("provenance", () => {
  it("is compact unless full detail is requested", () => {
    const compact = provenanceOf({ source: "third", venue: "US", origin }, facts);
    expect(compact).toEqual({
      provider: "third",
      fetched_at: "2026-01-15T14:59:30.000Z",
      as_of: "2026-01-15T14:59:00.000Z",
      delay_minutes: 15,
      session: "regular",
      adjustment: "split",
      currency: "USD",
      stale: true,
      fallback_from: ["first", "second"],
      comparison: null,
      check: null,
      converted: null,
    });
    const full = provenanceOf({ source: "third", venue: "US", origin }, facts, "full");
    expect(full).toEqual({
      ...compact,
      venue: "US",
      volume_unit: "shares",
      volume_scope: "one_venue",
      served_from: "store",
      tried: origin.tried,
    });
    expect(Provenance.parse(full)).toEqual(full);
  });

  it("of a provider without a network has the current time and is never stale", () => {
    expect(provenanceOf({ source: "sample", venue: "SIM" }, { ...facts, delay_minutes: 0 })).toMatchObject({
      provider: "sample",
      fetched_at: now.toISOString(),
      session: null,
      stale: false,
      fallback_from: [],
    });
  });

  it("is printed if it differs from the default", () => {
    const printed = (over: Partial<Origin>, detail?: "full") =>
      formatProvenance(
        provenanceOf({ source: "third", venue: "US", origin: { ...origin, ...over } }, facts, detail),
      );
    expect(printed({ stale: false, tried: [] })).toEqual([]);
    expect(printed({})).toEqual([
      "STALE: no provider responds now; this is the last data of third, fetched at 2026-01-15T14:59:30.000Z",
    ]);
    expect(printed({ stale: false })).toEqual(["fallback: no data from first, second"]);
    const comparison = {
      provider: "second",
      price: 102,
      as_of: facts.as_of,
      difference_percent: 2,
      limit_percent: 0.5,
      verdict: "apart",
    } as const;
    expect(printed({ stale: false, tried: [], comparison })).toEqual([
      "second has 102, a difference of 2%: apart",
    ]);
    expect(printed({ stale: false, tried: origin.tried.slice(0, 1) }, "full")).toEqual([
      "fallback: no data from first",
      "called first: timeout in 1800 ms",
    ]);
  });
});
