import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../src/analytics/edge/outcome.ts";
import { climbingBars } from "../../support/market.ts";

const DAY = 86_400_000;
const END = Date.UTC(2026, 0, 31);
/** Ten days, the last of 31 January: closes 100 to 109, highs half a dollar above. */
const bars = climbingBars({ count: 10, step: 1, zone: "UTC", end: END });
const from = END - 9 * DAY;
const by = END + DAY;

describe("the outcome of a question", () => {
  it("is whether the last close until its end is above the level", () => {
    expect(outcomeOf({ kind: "at", level: 108.5, by }, from, bars)).toBe(true);
    expect(outcomeOf({ kind: "at", level: 109, by }, from, bars)).toBe(false);
    expect(outcomeOf({ kind: "at", level: 108.5, by: by - DAY }, from, bars)).toBe(false);
  });

  it("is true if a high between start and end reached the level", () => {
    expect(outcomeOf({ kind: "touch", level: 109.5, by }, from, bars)).toBe(true);
    expect(outcomeOf({ kind: "touch", level: 109.75, by }, from, bars)).toBe(false);
    expect(outcomeOf({ kind: "touch", level: 109.5, by: by - DAY }, from, bars)).toBe(false);
    // a level reached before the start does not count
    const falling = climbingBars({ count: 10, step: -1, first: 109, zone: "UTC", end: END });
    expect(outcomeOf({ kind: "touch", level: 109.5, by }, from, falling)).toBe(true);
    expect(outcomeOf({ kind: "touch", level: 109.5, by }, from + DAY, falling)).toBe(false);
  });

  it("is null if bars do not cover its start or end", () => {
    expect(outcomeOf({ kind: "at", level: 100, by: by + DAY }, from, bars)).toBeNull();
    expect(outcomeOf({ kind: "touch", level: 100, by }, from - DAY, bars)).toBeNull();
    expect(outcomeOf({ kind: "at", level: 100, by: from }, from, bars)).toBeNull();
  });
});
