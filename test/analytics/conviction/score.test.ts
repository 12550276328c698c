import { describe, expect, it } from "vitest";
import { convictionBand, scoreOf, volumeProxy } from "../../../src/analytics/conviction/score.ts";
import { driverValues } from "../../support/driver-values.ts";

const test = (held: boolean, settled = 100, days = 1) => ({ touched: settled, settled, held, days });
const tests = (holds: number, fails: number, settled?: number, days?: number) => [
  ...new Array(holds).fill(test(true, settled, days)),
  ...new Array(fails).fill(test(false, settled, days)),
];

describe("scoreOf", () => {
  it("shrinks the hold rate by two holds and two fails if the control holds half the time", () => {
    expect(scoreOf(tests(6, 0), [], 100)).toBeCloseTo(80, 10); // 8 / 10
    expect(scoreOf(tests(1, 3), tests(5, 5), 100)).toBeCloseTo(37.5, 10); // 3 / 8
  });

  it("is 50 if print levels hold no better than the control", () => {
    // Control (2 + 1) / (4 + 8) = .25; print levels 1 of 4.
    expect(scoreOf(tests(1, 3), tests(1, 7), 100)).toBeCloseTo(50, 10);
  });

  it("gives holds more weight if the control rarely holds", () => {
    // c = .25: h = 4 / .5 = 8, f = 0: 10 / 12
    expect(scoreOf(tests(4, 0), tests(1, 7), 100)).toBeCloseTo((100 * 10) / 12, 10);
  });

  it("halves the weight of a test every 60 bars", () => {
    // 3 holds 60 bars ago count 1.5, 3 fails today count 3.
    expect(scoreOf([...tests(3, 0, 40), ...tests(0, 3)], [], 100)).toBeCloseTo((100 * 3.5) / 8.5, 10);
    // The same for the control: c = (2 + 1) / (4 + 1) = .6, h = 3 / 1.2.
    expect(scoreOf(tests(3, 0), tests(2, 0, 40), 100)).toBeCloseTo((100 * 4.5) / 6.5, 10);
  });

  it("weights tests by size, normalised to preserve their effective number", () => {
    // Sizes 3, 1, 1: effective number 25 / 11, unit 5 / 11; h = 15 / 11, f = 10 / 11.
    const sized = [test(true, 100, 3), test(false), test(false)];
    expect(scoreOf(sized, [], 100)).toBeCloseTo((100 * (2 + 15 / 11)) / (4 + 25 / 11), 10);
    expect(scoreOf(tests(6, 0, 100, 7), [], 100)).toBeCloseTo(80, 10);
  });
});

describe("convictionBand", () => {
  it("assigns scores to bands", () => {
    expect([75, 74.99, 60, 59.99, 50, 40, 39.99, 25, 24.99].map(convictionBand)).toEqual([
      "STRONG",
      "HIGH",
      "HIGH",
      "NEUTRAL",
      "NEUTRAL",
      "NEUTRAL",
      "LOW",
      "LOW",
      "WEAK",
    ]);
  });
});

describe("volumeProxy", () => {
  it("averages OBV, CMF, up/down volume and off-exchange share on 0-100, labelled as a proxy", () => {
    // In order OBV, CMF, MFI, up/down, thrust; MFI and thrust do not count.
    const readings = driverValues({ volume: [1, 0.5, -1, 0.3, -1], dark_pool: [-0.2, -1] });
    expect(volumeProxy(readings)).toBe(50 + (50 * (1 + 0.5 + 0.3 - 0.2)) / 4);
  });

  it("averages only the available drivers", () => {
    expect(volumeProxy(driverValues({ volume: [-0.5] }))).toBe(25);
  });

  it("is null without any of them, not 50", () => {
    expect(volumeProxy(driverValues({ trend: [1, 1, 1, 1] }))).toBeNull();
  });
});
