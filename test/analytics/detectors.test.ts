import { describe, expect, it } from "vitest";
import { layBars } from "../bench/detectors/lay-bars.ts";
import { type Measured, measure } from "../bench/detectors/measure.ts";
import { brokenRules } from "../bench/detectors/oracle-waves.ts";
import { oracleEvents } from "../bench/detectors/oracle-wyckoff.ts";
import { plant } from "../bench/detectors/plant.ts";
import { randomOf } from "../bench/detectors/random.ts";
import { misses } from "../bench/detectors/report.ts";
import { mutantsOf } from "../bench/detectors/score-waves.ts";
import { scoreEvents } from "../bench/detectors/score-wyckoff.ts";
import { precisionOf, recallOf } from "../bench/detectors/tally.ts";
import { BASE, mirrored, tapeOf } from "../support/wyckoff-tape.ts";

const SEEDS = 60;

/** Below the low of 100 by 1 with an ATR14 of 4, then a close at 103 in the upper half of the bar. */
const SPRING = { high: 104, low: 99, close: 103 };

describe.each([
  { noise: 0.5, least: 0.95 },
  { noise: 1, least: 0.8 },
])("detectors against planted truth at a noise of $noise ATR", ({ noise, least }) => {
  const measured = measure(SEEDS, noise, true);

  it(`meets the required recall and precision on planted events: ${least}`, () => {
    expect(misses(measured, least)).toEqual([]);
  });

  it("covers enough planted events", () => {
    const truths = Object.fromEntries(
      Object.entries(measured.rows).map(([name, { truth }]) => [name, truth]),
    );
    expect(truths.Spring! + truths.UTAD!).toBeGreaterThanOrEqual(20);
    expect(truths.LPS).toBeGreaterThanOrEqual(20);
    expect(truths.phase).toBeGreaterThanOrEqual(80);
    expect(truths.impulse).toBeGreaterThanOrEqual(15);
  });

  it("breaks no hard rule on planted impulses and rejects each mutant by the rule it breaks", () => {
    const { refused, broken, misjudged } = measured;
    expect({ refused, broken, misjudged }).toEqual({ refused: 0, broken: 0, misjudged: 0 });
  });

  it("is measured with the intended level of noise", () => {
    expect(measured.noise).toBeGreaterThan(0.9 * noise);
    expect(measured.noise).toBeLessThan(1.2 * noise);
  });
});

describe("planted series", () => {
  it("are identical for the same seed and differ between seeds", () => {
    expect(plant(3, 0.5, false)).toEqual(plant(3, 0.5, false));
    expect(plant(3, 0.5, false).bars.close).not.toEqual(plant(13, 0.5, false).bars.close);
  });

  it("are valid bars: low <= open and close <= high, positive volume", () => {
    for (let seed = 0; seed < 20; seed++) {
      const { open, high, low, close, volume } = plant(seed, 1, false).bars;
      const isBar = (_: number, i: number) =>
        low[i]! > 0 &&
        low[i]! <= Math.min(open[i]!, close[i]!) &&
        high[i]! >= Math.max(open[i]!, close[i]!) &&
        volume[i]! > 0;
      expect(Array.from(close, isBar).every(Boolean)).toBe(true);
    }
  });

  it("clamp noise to the floor and ceiling of each step", () => {
    const hand = { noise: 1, memory: 0.7, atr: 1, price: 1, sign: 1 } as const;
    const steps = Array.from({ length: 200 }, () => ({ level: 0, floor: -0.5, ceiling: 0.5 }));
    const bars = layBars(steps, hand, randomOf(1, 1));
    expect(Math.max(...bars.high)).toBeCloseTo(Math.exp(0.5), 12);
    expect(Math.min(...bars.low)).toBeCloseTo(Math.exp(-0.5), 12);
  });
});

describe("the oracle", () => {
  // Computed by hand from the bars: ATR14 of 4, edges of 100 and 122.
  it("accepts a hand-made Spring and its mirror image, a UTAD", () => {
    const found = [{ type: "SPRING", bar: 109, confirmedAt: 109, context: "after_decline" }];
    expect(oracleEvents(tapeOf([...BASE, SPRING]))).toMatchObject(found);
    expect(oracleEvents(tapeOf(mirrored([...BASE, SPRING])))).toMatchObject([
      { ...found[0], type: "UTAD", context: "after_advance" },
    ]);
  });

  it.each([
    ["is too shallow, by .05 ATR14", { ...SPRING, low: 99.8 }],
    ["is too deep, by over 1.5 ATR14", { ...SPRING, low: 93.9 }],
    ["closes in the lower half of its bar", { ...SPRING, high: 108 }],
    ["closes no higher than the range's low", { ...SPRING, high: 100.4, close: 100 }],
  ])("admits none that %s", (_, bar) => {
    expect(oracleEvents(tapeOf([...BASE, bar]))).toEqual([]);
  });

  it("names the rules that each mutant breaks", () => {
    for (const { prices, breaks } of mutantsOf(randomOf(1, 1))) expect(brokenRules(prices)).toEqual(breaks);
  });
});

describe("the score", () => {
  const planted = plant(0, 0.5, true);
  const [spring] = planted.truth;

  it("counts a planted event that was not found as missed", () => {
    const other = { ...planted, bars: plant(4, 0.5, true).bars };
    expect(scoreEvents(other, [spring!.type])).toMatchObject({ truth: 1, found: 0, claimed: 0 });
  });

  it("counts a found event that was not planted, separately if the oracle accepts it", () => {
    const score = scoreEvents({ ...planted, truth: [] }, [spring!.type]);
    expect(score).toMatchObject({ claimed: 1, right: 0, chance: 1 });
    expect(scoreEvents({ ...planted, truth: [], admitted: [] }, [spring!.type]).chance).toBe(0);
  });

  it("fails events on low recall or precision, and impulses on precision only", () => {
    const of = (truth: number, found: number, claimed: number, right: number) => {
      const tally = { planted: truth, truth, found, claimed, right, chance: 0 };
      expect([recallOf(tally), precisionOf(tally)]).toEqual([found / truth, right / claimed]);
      return tally;
    };
    const rows = {
      Spring: of(10, 9, 9, 9),
      UTAD: of(10, 10, 11, 10),
      LPS: of(10, 10, 10, 10),
      phase: of(10, 10, 10, 10),
      impulse: of(10, 1, 1, 1),
    };
    expect(misses({ rows } as unknown as Measured, 0.95)).toEqual(["Spring", "UTAD"]);
    expect(misses({ rows } as unknown as Measured, 0.9)).toEqual([]);
  });
});
