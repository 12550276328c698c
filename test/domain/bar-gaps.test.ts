import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeBarGaps, findBarGaps } from "../../src/domain/bar-gaps.ts";

const DAY = 86_400_000;
const stock = (...dates: string[]) => ({
  time: Float64Array.from(dates, (date) => Date.parse(date)),
  zone: "America/New_York" as const,
  timeframe: "1d" as const,
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

  it("of weekly bars begin after the last day of the week", () => {
    const weeks = (...dates: string[]) => ({ ...stock(...dates), timeframe: "1w" as const });
    // by hand: one missing week has 5 weekdays, two have 10, three have 15
    expect(findBarGaps(weeks("2026-01-05", "2026-01-12", "2026-02-02"))).toEqual([]);
    expect(findBarGaps(weeks("2026-01-05", "2026-02-02"))).toEqual([
      { after: Date.UTC(2026, 0, 11), until: Date.UTC(2026, 1, 2), sessions: 15 },
    ]);
    const coins = { ...weeks("2026-01-05", "2026-01-19"), zone: "UTC" as const };
    expect(findBarGaps(coins)).toEqual([]);
  });

  it("count the weekdays in between as sessions", () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 11, max: 400 }), (from, length) => {
        let weekdays = 0;
        for (let day = from + 1; day < from + length; day++)
          if (![0, 6].includes(new Date(day * DAY).getUTCDay())) weekdays++;
        const time = Float64Array.of(from * DAY, (from + length) * DAY);
        const [hole] = findBarGaps({ time, zone: "America/New_York", timeframe: "1d" });
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
