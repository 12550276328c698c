import { describe, expect, it } from "vitest";
import type { ScoredSignal, SignalOutcome } from "../../../src/domain/track-record/track.ts";
import { outcomesOf, publishedOf } from "../../../src/features/track-record/outcomes.ts";
import { climbingBars } from "../../support/market.ts";
import { loggedSignal } from "../../support/track.ts";

// closes of 100, 101, 102 ...; each bar opens at the close before
const bars = climbingBars({ count: 40, step: 1 });
const closedAt = (bar: number) => `bar ${bar}`;
const horizons = [5, 20, 60] as const;
const plan = loggedSignal({ close: 110, stop: 105, target: 116 });

describe("the outcome of a signal", () => {
  it("is computed for each horizon with enough bars", () => {
    // bought at 110, 5 above the stop; 116 is reached 6 above
    // the range of a bar is half a point around its close
    const lowest = Math.log(110.5 / 110);
    expect(outcomesOf(plan, { bars, at: 10, horizons, closedAt })).toEqual([
      {
        horizon: 5,
        known_at: "bar 15",
        change: 115 / 110 - 1,
        r: null,
        highest: Math.log(115.5 / 110),
        lowest,
        plan_end: null,
      },
      {
        horizon: 20,
        known_at: "bar 30",
        change: 130 / 110 - 1,
        r: 1.2,
        highest: Math.log(130.5 / 110),
        lowest,
        plan_end: "target",
      },
    ]);
    expect(outcomesOf(plan, { bars, at: 38, horizons, closedAt })).toEqual([]);
  });

  it("has the base of its result at the horizon of 20 bars, for WAIT too, if the range is known", () => {
    // an ATR of 4 at the close of 110: stop 104, target 127, bought at 110 and closed at 130 or reached at 127
    const atr = new Float64Array(40).fill(4);
    for (const direction of ["LONG", "WAIT"] as const) {
      const [five, twenty] = outcomesOf({ ...plan, direction }, { bars, at: 10, horizons, atr, closedAt });
      expect(five).not.toHaveProperty("base");
      expect(twenty!.base!.long).toBeCloseTo(17 / 6, 12);
      expect(twenty!.base!.short).toBe(-1);
    }
  });

  it("has no result, base or end of levels for odds without a signal", () => {
    const atr = new Float64Array(40).fill(4);
    const [five, twenty] = outcomesOf(null, { bars, at: 10, horizons, atr, closedAt });
    const [same, { base: _, ...rest }] = outcomesOf(plan, { bars, at: 10, horizons, atr, closedAt }) as [
      SignalOutcome,
      SignalOutcome,
    ];
    expect(five).toEqual(same);
    expect(twenty).toEqual({ ...rest, r: null, plan_end: null });
  });

  it("has no result in R for WAIT", () => {
    const [, twenty] = outcomesOf({ ...plan, direction: "WAIT" }, { bars, at: 10, horizons, closedAt });
    expect(twenty).toMatchObject({ horizon: 20, r: null });
  });

  it("is independent of later splits", () => {
    const before = { ...plan, close: 440, stop: 420, target: 464 };
    expect(outcomesOf(before, { bars, at: 10, horizons, closedAt })).toEqual(
      outcomesOf(plan, { bars, at: 10, horizons, closedAt }),
    );
  });
});

describe("a record to publish", () => {
  const scored: ScoredSignal = {
    at: 0,
    known: 5,
    asset_class: "equity",
    direction: "LONG",
    grade: "A",
    horizon: 5,
    change: 0.1,
    r: null,
  };
  const head = { model_version: "m", computed_at: "2026-01-15T15:00:00.000Z" };

  it("counts a signal once, however many horizons it has", async () => {
    const pages = [
      [scored],
      [],
      [
        { ...scored, horizon: 20 },
        { ...scored, at: 86_400_000 },
      ],
    ] as const;
    const record = await publishedOf(pages, head);
    expect(record).toMatchObject({
      ...head,
      signals: 2,
      from: "1970-01-01T00:00:00.000Z",
      until: "1970-01-02T00:00:00.000Z",
    });
    expect(record!.rows.map(({ horizon, n }) => [horizon, n])).toEqual([
      [5, 2],
      [20, 1],
    ]);
  });

  it("is null without signals", async () => {
    expect(await publishedOf([], head)).toBeNull();
    expect(await publishedOf([[]], head)).toBeNull();
  });
});
