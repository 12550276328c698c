import { describe, expect, it } from "vitest";
import { type EventMatch, mergeEventMatches } from "../../../src/analytics/wyckoff/event-match.ts";

const at = (bar: number, confirmedAt: number | null): EventMatch => ({
  role: "SPRING",
  bar,
  price: bar,
  confirmedAt,
  voidAt: null,
  springType: 2,
  testedAt: null,
  context: "after_decline",
  range: { low: 0, high: 1, first: 0, last: bar - 1 },
});
const barsAfterMerge = (...matches: EventMatch[]) => mergeEventMatches(matches).map(({ bar }) => bar);

describe("merging events", () => {
  it("merges events fewer than 5 bars apart into the one confirmed first", () => {
    expect(barsAfterMerge(at(10, 11), at(14, 14))).toEqual([10]);
    expect(barsAfterMerge(at(10, 11), at(15, 15))).toEqual([10, 15]);
    expect(barsAfterMerge(at(10, 12), at(11, 11))).toEqual([11]);
  });

  it("keeps the earlier of two events confirmed at the same bar", () => {
    expect(barsAfterMerge(at(11, 12), at(10, 12))).toEqual([10]);
  });

  it("measures the distance from the kept event, not from one merged into it", () => {
    expect(barsAfterMerge(at(10, 10), at(14, 14), at(18, 18))).toEqual([10, 18]);
  });

  it("replaces a pending event with a confirmed one", () => {
    expect(barsAfterMerge(at(10, null), at(11, 11))).toEqual([11]);
    expect(barsAfterMerge(at(10, null), at(12, null))).toEqual([10]);
  });
});
