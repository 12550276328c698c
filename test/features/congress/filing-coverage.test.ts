import { describe, expect, it } from "vitest";
import { leanOf } from "../../../src/analytics/congress/lean.ts";
import {
  filingCoverage,
  notesOf,
  onlyCoveredChamber,
  qualifyLean,
} from "../../../src/features/congress/filing-coverage.ts";
import { coverageOf, disclosure } from "../../support/congress.ts";

const days = { from: "2026-01-01", to: "2026-01-15" };
const found = (coverage = coverageOf(), trades = [disclosure()]) => ({
  source: "fixture",
  coverage,
  trades,
  reason: null,
});

describe("the stored filings of the requested days", () => {
  it.each([
    [coverageOf({ house: "2026-01-01", senate: "2020-01-01" }), "complete"],
    [coverageOf({ house: "2026-01-02" }), "part"],
    [coverageOf({ house: "2026-01-15", senate: false }), "part"],
    [coverageOf({ house: "2026-01-16", senate: false }), "none"],
    [coverageOf({ house: false, senate: false }), "none"],
    [coverageOf({ house: null, senate: false }), "part"],
    [coverageOf({ house: false, senate: null }), "none"],
  ])("depend on the first complete day of each chamber: %j is %s", (coverage, held) => {
    expect(filingCoverage(found(coverage), days).held).toBe(held);
  });

  it("are those of the requested chamber", () => {
    const coverage = coverageOf({ senate: false });
    expect(filingCoverage(found(coverage), { ...days, chamber: "house" })).toEqual({
      held: "complete",
      held_reason: null,
    });
    expect(filingCoverage(found(coverage), { ...days, chamber: "senate" })).toEqual({
      held: "none",
      held_reason: "No filings of these days are stored: none of the Senate",
    });
  });

  it("are none without a provider, with the setting that connects one", () => {
    const none = {
      ...found(coverageOf({ house: false, senate: false }), []),
      source: null,
      reason: "Set it.",
    };
    expect(filingCoverage(none, days)).toEqual({ held: "none", held_reason: "Set it." });
  });

  it("are noted with the reason of a provider that is still being read", () => {
    const { house } = coverageOf();
    const coverage = { ...coverageOf(), house: { ...house, reason: "Ask again" } };
    const origin = { ...found(coverage), fetched_at: null, as_of: null, stale: false };
    expect(notesOf(origin, [])[0]).toBe("house: Ask again");
    expect(notesOf(origin, [], ["senate"])).toHaveLength(1);
  });

  it.each([
    [coverageOf({ senate: false }), "house"],
    [coverageOf({ house: "2026-01-16" }), "senate"],
    [coverageOf(), null],
    [coverageOf({ house: false, senate: false }), null],
  ])("cover only one chamber when the other has none of the days: %j is %s", (coverage, alone) => {
    expect(onlyCoveredChamber(found(coverage), days)).toBe(alone);
    expect(onlyCoveredChamber(found(coverage), { ...days, chamber: "house" })).toBeNull();
  });

  it("do not change a lean on complete days", () => {
    const lean = leanOf([disclosure()], 1);
    expect(qualifyLean(lean, filingCoverage(found(), days))).toEqual(lean);
  });
});
