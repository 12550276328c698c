import { describe, expect, it } from "vitest";
import { isAhead, isOver, isWithin, latestEnd } from "../../src/lib/expiry.ts";

const NOW = 1_000_000;

describe("a period", () => {
  it.each([
    [NOW, true],
    [NOW + 1, false],
    [NOW + 60_000, false],
    // another process may have waited up to 5 s for the database before it read the time
    [NOW + 65_000, false],
    [NOW + 65_001, true],
  ])("of a minute that ends at %i is over: %s", (end, over) => {
    expect(isOver(end, NOW, 60_000)).toBe(over);
  });

  it("can end at most its length and 5 s ahead", () => {
    expect(latestEnd(NOW, 60_000)).toBe(NOW + 65_000);
  });
});

describe("a recorded time", () => {
  it.each([
    [NOW - 60_000, false, false],
    [NOW - 59_999, true, false],
    [NOW + 5_000, true, false],
    [NOW + 5_001, false, true],
  ])("of %i is within the last minute: %s, ahead: %s", (recorded, within, ahead) => {
    expect([isWithin(recorded, NOW, 60_000), isAhead(recorded, NOW)]).toEqual([within, ahead]);
  });
});
