import { expect, it } from "vitest";
import { ivRank } from "../../../src/analytics/flow/iv-rank.ts";
import type { FlowDay } from "../../../src/domain/options-flow/options.ts";

const day = (atmIv: number | null, i: number): FlowDay => ({
  day: `day ${i}`,
  at: i,
  callVolume: null,
  putVolume: null,
  callPremium: null,
  putPremium: null,
  atmIv,
  putIv: null,
});
const days = (count: number) => Array.from({ length: count }, (_, i) => day((i + 1) / 1000, i));

it("ranks within the range of the year, and returns a percentile", () => {
  // Of 126 days from .001 to .126.
  expect(ivRank(0.051, days(126))).toEqual({
    rank: expect.closeTo((100 * 0.05) / 0.125, 9),
    percentile: (100 * 50.5) / 126,
    days: 126,
    reason: null,
  });
  expect(ivRank(0.5, days(126))).toMatchObject({ rank: 100, percentile: 100 });
  expect(ivRank(0.0005, days(126))).toMatchObject({ rank: 0, percentile: 0 });
});

it("uses the last 252 days with a volatility", () => {
  expect(ivRank(0.2, [...days(300), day(null, 300)])).toMatchObject({
    days: 252,
    rank: expect.closeTo((100 * (0.2 - 0.049)) / 0.251, 9),
  });
});

it("is null with a reason below half a year of data, and without a volatility", () => {
  expect(ivRank(0.2, days(125))).toEqual({
    rank: null,
    percentile: null,
    days: 125,
    reason: "Needs 126 stored days of snapshots, has 125",
  });
  expect(ivRank(0.2, []).reason).toBe("Needs 126 stored days of snapshots, has 0");
  expect(ivRank(null, days(200)).reason).toBe("The chain has no volatility for 30 days");
});

it("is 50 if the volatility never changed", () => {
  expect(
    ivRank(
      0.2,
      Array.from({ length: 130 }, (_, i) => day(0.2, i)),
    ),
  ).toMatchObject({ rank: 50, percentile: 50 });
});
