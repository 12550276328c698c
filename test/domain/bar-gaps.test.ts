import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeBarGaps, findBarGaps } from "../../src/domain/bar-gaps.ts";

const DAY = 86_400_000;
const stock = (...dates: string[]) => ({
  time: Float64Array.from(dates, (date) => Date.parse(date)),
  zone: "America/New_York" as const,
});
const coin = (...dates: string[]) => ({ ...stock(...dates), zone: "UTC" as const });

describe("bar gaps", () => {
  it("are longer than 10 sessions, counted in weekdays for an exchange", () => {
    // Nine weekdays lie between a Friday and the Friday two weeks later, eleven until the Tuesday after.
    expect(findBarGaps(stock("2026-01-02", "2026-01-16"))).toEqual([]);
    expect(findBarGaps(stock("2026-01-02", "2026-01-19"))).toEqual([]);
    expect(findBarGaps(stock("2026-01-01", "2026-01-02", "2026-01-20"))).toEqual([
      { after: Date.UTC(2026, 0, 2), until: Date.UTC(2026, 0, 20), sessions: 11 },
    ]);
  });

  it("count every day for a market that never closes", () => {
    expect(findBarGaps(coin("2026-01-02", "2026-01-13"))).toEqual([]);
    expect(findBarGaps(coin("2026-01-02", "2026-01-14"))).toMatchObject([{ sessions: 11 }]);
  });

  it("count the weekdays in between as sessions", () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 11, max: 400 }), (from, length) => {
        let weekdays = 0;
        for (let day = from + 1; day < from + length; day++)
          if (![0, 6].includes(new Date(day * DAY).getUTCDay())) weekdays++;
        const time = Float64Array.of(from * DAY, (from + length) * DAY);
        const [hole] = findBarGaps({ time, zone: "America/New_York" });
        expect(hole?.sessions ?? weekdays).toBe(weekdays);
        expect(hole === undefined).toBe(weekdays <= 10);
      }),
    ));

  it("are described by the widest gap and their number", () => {
    expect(describeBarGaps(stock("2026-01-02"))).toBeNull();
    expect(describeBarGaps(coin("2026-01-02", "2026-01-14"))).toBe(
      "no bars for 11 sessions between 2026-01-02 and 2026-01-14",
    );
    expect(describeBarGaps(coin("2026-01-02", "2026-01-14", "2026-03-14"))).toBe(
      "no bars for 58 sessions between 2026-01-14 and 2026-03-14, the widest of 2 gaps",
    );
  });
});
