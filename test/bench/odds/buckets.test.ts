import { describe, expect, it } from "vitest";
import type { JudgedBucket } from "../../../src/domain/odds/odds-record.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { bucketsOf, bucketText } from "./buckets.ts";
import { walkFile } from "./walk.ts";

const bucket = (over: Partial<JudgedBucket>): JudgedBucket => ({
  horizon: 20,
  event: "touch",
  side: "SHORT",
  volatility: "20-35%",
  n: 1_200,
  odds: 0.3,
  happened: 0.31,
  interval: null,
  within_3_points: true,
  ...over,
});

describe("groups of odds", () => {
  it("count every forecast once by event and side", () => {
    const file = { symbol: "ABC", assetClass: "equity", isFund: false, notes: [] } as const;
    const scores = walkFile({ ...file, bars: syntheticBars(7, 620) }, 40);
    const countOf = (event: JudgedBucket["event"], horizon: number, side: JudgedBucket["side"]) =>
      bucketsOf([scores, scores], "equity")
        .filter((one) => one.event === event && one.horizon === horizon && one.side === side)
        .reduce((sum, { n }) => sum + n, 0);
    for (const horizon of [5, 20, 60]) {
      const forecasts = 2 * scores.paths.filter((score) => score.horizon === horizon).length;
      expect(countOf("in_80_range", horizon, null)).toBe(forecasts);
      expect(countOf("touch", horizon, "LONG")).toBe(forecasts);
    }
    expect(countOf("stop_first", 20, "SHORT")).toBe(
      2 * scores.plans.filter(({ side }) => side === "SHORT").length,
    );
    expect(countOf("stop_first", 60, "SHORT")).toBe(0);
  });

  it("are in a table where they are off by more than 3 points, worst first", () => {
    const text = bucketText([
      bucket({}),
      bucket({ happened: 0.34, within_3_points: false }),
      bucket({ event: "in_80_range", side: null, odds: 0.8, happened: 0.7, within_3_points: false }),
      bucket({ n: 12, happened: 1, within_3_points: null }),
    ]);
    const [sentence, , , , first, second] = text.split("\n");
    expect(sentence).toBe(
      "Of 3 groups of at least 500 forecasts by horizon, side and forecast volatility, 1 are within 3 points of what happened; these are not:",
    );
    expect(first).toMatch(/close in the 80 % range .* 80\.0 \| +70\.0 \| +1,200 \|$/);
    expect(second).toMatch(/touch .* below \| +20 \| +20-35% \| +30\.0 \| +34\.0 \| +1,200 \|$/);
    expect(bucketText([bucket({})])).toMatch(/1 are within 3 points of what happened\.$/);
  });
});
