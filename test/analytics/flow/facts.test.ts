import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { putCallFact, skewFact } from "../../../src/analytics/flow/facts.ts";
import type { FlowDay } from "../../../src/domain/options-flow/options.ts";

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const dayOf = (i: number, over: Partial<FlowDay> = {}): FlowDay => ({
  day: new Date(START + i * DAY).toISOString().slice(0, 10),
  at: START + i * DAY,
  callVolume: 100,
  putVolume: 100,
  callPremium: null,
  putPremium: null,
  atmIv: 0.2,
  putIv: 0.25,
  ...over,
});
/** Fifty-nine equal shares and a different last one: the z-score is sqrt(59), whatever the shares. */
const turned = (over: Partial<FlowDay>) =>
  Array.from({ length: 60 }, (_, i) => dayOf(i, i === 59 ? over : {}));
const asOf = START + 59 * DAY;

describe("the put/call fact", () => {
  it("is minus half the z-score of the share of puts over 60 days, within [-1, 1]", () => {
    expect(putCallFact(turned({ putVolume: 300 }), asOf)).toEqual({
      value: -1,
      time: asOf,
      inputs: { put: 300, call: 100, z: expect.closeTo(Math.sqrt(59), 9), days: 60 },
    });
    expect(putCallFact(turned({ putVolume: 50 }), asOf)!.value).toBe(1);
    // Shares alternate between .4 and .6: mean .5, deviation .1, the last one is 1 above it.
    const turns = Array.from({ length: 60 }, (_, i) =>
      dayOf(i, { putVolume: i % 2 === 0 ? 66 : 150, callVolume: i % 2 === 0 ? 99 : 100 }),
    );
    expect(putCallFact(turns, asOf)!.value).toBeCloseTo(-0.5, 9);
  });

  it("is null under 60 days, over too long a period, for stale days, and for a constant share", () => {
    const days = turned({ putVolume: 300 });
    expect(putCallFact(days.slice(1), asOf)).toBeNull();
    expect(putCallFact(days, asOf + 4 * DAY)).not.toBeNull();
    expect(putCallFact(days, asOf + 4 * DAY + 1)).toBeNull();
    expect(putCallFact([dayOf(-62), ...days.slice(1)], asOf)).toBeNull();
    expect(putCallFact([dayOf(-61), ...days.slice(1)], asOf)).not.toBeNull();
    expect(putCallFact(turned({}), asOf)).toBeNull();
    expect(putCallFact([], asOf)).toBeNull();
  });

  it("omits days without volumes", () => {
    expect(putCallFact([...turned({}), dayOf(59.5, { day: "x", putVolume: null })], asOf + DAY)).toBeNull();
    const holed = [dayOf(-1), ...turned({ putVolume: 300 })].map((one, i) =>
      i === 5 ? { ...one, callVolume: null } : i === 7 ? { ...one, callVolume: 0, putVolume: 0 } : one,
    );
    expect(putCallFact(holed, asOf)).toBeNull();
    expect(putCallFact([dayOf(-2), ...holed], asOf)).not.toBeNull();
  });

  it("uses the latest snapshot of a day known at the time", () => {
    const days = turned({ putVolume: 300 });
    const corrected = { ...days[59]!, at: asOf + 3_600_000, putVolume: 50 };
    expect(putCallFact([...days, corrected], asOf)!.value).toBe(-1);
    expect(putCallFact([...days, corrected], asOf + 3_600_000)!.value).toBe(1);
  });
});

describe("the skew fact", () => {
  it("falls as put volatility rises relative to at-the-money volatility", () => {
    expect(skewFact(turned({ putIv: 0.27 }), asOf)).toMatchObject({
      value: -1,
      inputs: { put_iv: 0.27, atm_iv: 0.2 },
    });
    expect(skewFact(turned({ putIv: 0.22 }), asOf)!.value).toBe(1);
    // The same difference, except for rounding.
    expect(skewFact(turned({ putIv: 0.45, atmIv: 0.4 }), asOf)).toBeNull();
    expect(skewFact(turned({ putIv: null }), asOf)).toBeNull();
  });
});

it.each([["put/call", putCallFact] as const, ["skew", skewFact] as const])(
  "the %s fact does not depend on later snapshots or their order",
  (_, fact) => {
    const snapshot = fc.record({
      i: fc.integer({ min: 0, max: 90 }),
      hour: fc.integer({ min: 0, max: 23 }),
      put: fc.integer({ min: 1, max: 500 }),
      iv: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(snapshot, { minLength: 150, maxLength: 250 }),
        fc.integer({ min: 60, max: 95 }),
        (all, at) => {
          const days = all.map(({ i, hour, put, iv }) =>
            dayOf(i, { at: START + i * DAY + hour * 3_600_000 + put, putVolume: put, putIv: iv }),
          );
          const now = START + at * DAY;
          const known = days.filter((one) => one.at <= now);
          expect(fact(days, now)).toEqual(fact(known, now));
          expect(fact(days.toReversed(), now)?.time).toEqual(fact(days, now)?.time);
        },
      ),
      { numRuns: 60 },
    );
  },
);
