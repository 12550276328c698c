import { describe, expect, it } from "vitest";
import { conflictsOf, entryStateOf } from "../../../src/analytics/score/conflicts.ts";

const long = { side: "LONG", entry: { low: 99, high: 101 }, stop: 95, target: 110 } as const;
const short = { side: "SHORT", entry: { low: 99, high: 101 }, stop: 105, target: 90 } as const;
const input = {
  ...long,
  direction: "LONG",
  price: 100,
  phase: "Undetermined",
  wave: null,
  stage: null,
  earnings: null,
  odds: null,
  oddsError: 0.03,
} as const;

describe("the entry state", () => {
  it.each([
    [99, "inside", "inside"],
    [101, "inside", "inside"],
    [101.01, "above", "above"],
    [98.99, "below", "below"],
    [95.01, "below", "below"],
    [95, "expired", "below"],
    [109.99, "above", "expired"],
    [110, "expired", "expired"],
    [105, "above", "expired"],
    [90, "expired", "expired"],
  ] as const)("at %d is %s for a long plan and %s for a short one", (price, ofLong, ofShort) => {
    expect([entryStateOf(price, long), entryStateOf(price, short)]).toEqual([ofLong, ofShort]);
  });
});

describe("conflicts", () => {
  it("are none for a price inside the zone and facts that agree", () => {
    expect(
      conflictsOf({ ...input, phase: "Markup", stage: 2, wave: { label: "Wave 3 of 5", target: 120 } }),
    ).toEqual({
      entry_state: "inside",
      rr_now: null,
      conflicts: [],
    });
  });

  it("name every fact against a long verdict", () => {
    const { conflicts, entry_state, rr_now } = conflictsOf({
      ...input,
      price: 104,
      phase: "Distribution",
      stage: 4,
      wave: { label: "Wave 3 of 5", target: 80 },
      earnings: { date: "2026-02-01", days: 12 },
    });
    // by hand: (110 - 104) / (104 - 95) = 0.666...
    expect([entry_state, rr_now]).toEqual(["above", 6 / 9]);
    expect(conflicts).toEqual([
      { code: "wyckoff_against", text: "Wyckoff Distribution is against LONG" },
      { code: "elliott_against", text: "The wave count (Wave 3 of 5) targets 80.00, against LONG" },
      { code: "stage_against", text: "Weinstein stage 4 is against LONG" },
      { code: "earnings_ahead", text: "Earnings on 2026-02-01, in 12 days, come before the plan ends" },
      {
        code: "price_outside_entry",
        text: "The price 104.00 is above the entry zone 99.00 - 101.00: reward to risk is 0.66 there",
      },
    ]);
  });

  it("name every fact against a short verdict", () => {
    const { conflicts, rr_now } = conflictsOf({
      ...input,
      ...short,
      direction: "SHORT",
      price: 102,
      phase: "Accumulation",
      stage: 2,
      wave: { label: "Wave 1 of 5", target: 130 },
    });
    // by hand: (102 - 90) / (105 - 102)
    expect(rr_now).toBe(4);
    expect(conflicts.map(({ code }) => code)).toEqual([
      "wyckoff_against",
      "elliott_against",
      "stage_against",
      "price_outside_entry",
    ]);
  });

  it("do not compare the price with a plan on stale bars", () => {
    expect(conflictsOf({ ...input, price: 104, stale: true })).toEqual({
      entry_state: "stale",
      rr_now: null,
      conflicts: [],
    });
  });

  it("say that a plan has expired, without a reward-to-risk", () => {
    expect(conflictsOf({ ...input, price: 94 })).toEqual({
      entry_state: "expired",
      rr_now: null,
      conflicts: [
        {
          code: "price_outside_entry",
          text: "The price 94.00 has reached the stop or the first target: the plan has expired",
        },
      ],
    });
  });

  it("are none for a WAIT, whose levels are only watched", () => {
    const wait = { ...input, direction: "WAIT", phase: "Markdown", stage: 4, price: 104 } as const;
    expect(conflictsOf(wait)).toMatchObject({ entry_state: "above", conflicts: [] });
  });
});

describe("odds against a plan", () => {
  const base = { stop_first: 0.5, target_first: 0.3, neither: 0.2, windows: 1_231, n_eff: 62, mean_r: 0.1 };
  const odds = {
    version: "odds-1.1.0",
    bars: 20,
    from: 100,
    stop_first: 0.8,
    target_first: 0.1,
    neither: 0.1,
    expected_r: { mean: -0.5, at_neither: 0 },
    base,
  };

  it("are a conflict where the result and its difference from the base are below zero beyond their error", () => {
    // errors at a reward of 2: .03 x 3 = .09; with 1.645 x sqrt((.5 + .3 x 4 + .2 - .01) / 62) = .287 it is .301
    expect(conflictsOf({ ...input, odds }).conflicts).toEqual([
      {
        code: "odds_against",
        text: "The odds are against LONG: expected -0.50 R, any close of this symbol +0.10 R, a difference beyond its 90% error of 0.30 R",
      },
    ]);
  });

  it.each([
    ["the result is within its error of zero", { ...odds, expected_r: { mean: -0.08, at_neither: 0 } }],
    ["any close had nearly the same result", { ...odds, base: { ...base, mean_r: -0.25 } }],
    ["the past has too few independent windows", { ...odds, base: { ...base, n_eff: 10 } }],
    ["there are no past windows", { ...odds, base: null }],
  ])("are none where %s", (_, one) => {
    expect(conflictsOf({ ...input, odds: one }).conflicts).toEqual([]);
  });

  it("are none for a WAIT, and where the error of such odds is not measured", () => {
    expect(conflictsOf({ ...input, odds, oddsError: null }).conflicts).toEqual([]);
    expect(conflictsOf({ ...input, direction: "WAIT", odds }).conflicts).toEqual([]);
  });
});
