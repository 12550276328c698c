import { describe, expect, it } from "vitest";
import { laddersOf } from "../../../src/analytics/contracts/ladders.ts";
import { priceLevelOf } from "../../../src/analytics/contracts/levels.ts";
import type { Contract } from "../../../src/domain/prediction-markets/contracts.ts";
import { contract } from "../../support/contracts.ts";

const AT = Date.parse("2026-01-15T15:00:00Z");
const ladders = (contracts: readonly Contract[]) => laddersOf(contracts, (one) => priceLevelOf(one, AT));
const rung = (words: string, probability: number | null, over: Partial<Contract> = {}) =>
  contract({ id: words, question: `Will AAPL ${words} on February 27, 2026?`, probability, ...over });

describe("ladders", () => {
  it("of prices are sorted by level and interpolate where the probability crosses one half", () => {
    const [ladder, ...others] = ladders([
      rung("be above $140", 0.4),
      rung("be above $130", 0.7),
      rung("be above $150", 0.1),
    ]);
    expect(others).toEqual([]);
    expect(ladder).toMatchObject({ kind: "price_ladder", by: "2026-02-27T21:00:00.000Z", out_of_order: 0 });
    expect(ladder!.rungs.map(({ level, probability }) => [level, probability])).toEqual([
      [130, 0.7],
      [140, 0.4],
      [150, 0.1],
    ]);
    // From .7 at 130 to .4 at 140, one half lies two thirds of the way.
    expect(ladder!.median).toBe(136.666667);
  });

  it("count inconsistent neighbours, on either side of the price", () => {
    const [ladder] = ladders([
      rung("hit (HIGH) $150", 0.2),
      rung("hit (HIGH) $160", 0.3),
      rung("hit (LOW) $130", 0.2),
      rung("hit (LOW) $120", 0.3),
      rung("hit (LOW) $110", 0.1),
    ]);
    expect(ladder).toMatchObject({ kind: "touch_ladder", median: null, out_of_order: 2 });
  });

  it("separate kinds, events and venues, and need at least two rungs", () => {
    const found = ladders([
      rung("be above $140", 0.4),
      rung("hit $150", 0.2),
      rung("be above $150", 0.2, { event: "e2" }),
      rung("be above $130", 0.2, { venue: "other" }),
    ]);
    expect(found).toEqual([]);
  });

  it("list answers if there is no level, with a date only if all share it", () => {
    const on = (outcome: string, close_time: string) =>
      contract({ id: outcome, question: "Fed decision?", outcome, close_time });
    const [ladder] = ladders([on("Cut", "2026-03-01T00:00:00Z"), on("Hold", "2026-03-01T00:00:00Z")]);
    expect(ladder).toMatchObject({ kind: "answers", by: null, median: null });
    expect(ladder!.rungs.map(({ outcome }) => outcome)).toEqual(["Cut", "Hold"]);
  });

  it("have no median if no rung crosses one half or a price is missing", () => {
    expect(ladders([rung("be above $140", 0.4), rung("be above $150", 0.1)])[0]!.median).toBeNull();
    expect(ladders([rung("be above $140", 0.6), rung("be above $150", null)])[0]!.median).toBeNull();
  });
});
