import { describe, expect, it } from "vitest";
import { timeTicks } from "../../src/charts/time-axis.ts";
import { climbingBars } from "../support/market.ts";

const labels = (time: Float64Array, slot: number) =>
  timeTicks(time, slot).map(({ index, text, major }) => `${index} ${text}${major ? "!" : ""}`);
const END = Date.UTC(2026, 0, 14);

describe("the time axis", () => {
  it("labels months for half a year of daily bars, and the year where it changes", () => {
    const { time } = climbingBars({ count: 120, end: END }); // weekdays
    expect(timeTicks(time, 7).map(({ text }) => text)).toEqual(["Aug", "Sep", "Oct", "Nov", "Dec", "2026"]);
    for (const { index } of timeTicks(time, 7)) {
      const [before, here] = [new Date(time[index - 1]!), new Date(time[index]!)];
      expect(before.getUTCMonth()).not.toBe(here.getUTCMonth());
    }
  });

  it("labels Mondays if weeks are wide enough, with the year on its first day", () => {
    const { time } = climbingBars({ count: 15, end: END });
    expect(labels(time, 20)).toEqual(["2 29 Dec", "7 5 Jan 2026!", "12 12 Jan"]);
  });

  it("labels hours, and the day where it changes", () => {
    const { time } = climbingBars({ count: 12, timeframe: "1h", zone: "UTC", end: END + 5 * 3_600_000 });
    expect(labels(time, 35)).toEqual(["2 20:00", "4 22:00", "6 14 Jan!", "8 02:00", "10 04:00"]);
  });

  it("labels bars that are too few for any unit", () => {
    const two = climbingBars({ count: 2, end: END }).time;
    expect(labels(two, 500)).toEqual(["1 14 Jan"]);
    expect(labels(two, 10)).toEqual(["1 14 Jan 2026"]);
    expect(labels(two.subarray(1), 900)).toEqual(["0 14 Jan 2026"]);
    expect(labels(climbingBars({ count: 1, timeframe: "1h", end: END + 3_600_000 }).time, 900)).toEqual([
      "0 14 Jan 01:00",
    ]);
    expect(labels(new Float64Array(), 10)).toEqual([]);
  });

  it.each([2, 3, 5, 8, 13, 40, 200])("keeps labels apart at %i pixels per bar", (slot) => {
    const { time } = climbingBars({ count: 250, end: END });
    const ticks = timeTicks(time, slot);
    expect(ticks.length).toBeGreaterThan(0);
    for (let i = 1; i < ticks.length; i++)
      expect((ticks[i]!.index - ticks[i - 1]!.index) * slot).toBeGreaterThanOrEqual(63);
  });
});
