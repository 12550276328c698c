import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { everyText, secondsOf } from "../../../src/domain/agents/automation.ts";
import {
  calendarOf,
  firstRunAt,
  nextRunAfter,
  resumeSchedule,
} from "../../../src/features/agents/schedule.ts";

const MINUTE = 60_000;
const DAY_S = 86_400;
const iso = (ms: number) => new Date(ms).toISOString();
const daily = (startedAt: string, days = 1) =>
  ({ every: days * DAY_S, calendar: "session_open", startedAt }) as const;

describe("an interval text", () => {
  it.each([
    ["90m", 5_400],
    ["4h", 14_400],
    ["1d", 86_400],
    ["1 D", 86_400],
    ["2w", 1_209_600],
    ["30s", 30],
    ["1.5h", null],
    ["daily", null],
    ["", null],
    ["-1h", null],
  ])("%s is %s seconds", (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds);
  });

  it("is formatted in the largest unit that divides it", () => {
    expect([90, 5_400, 14_400, 86_400, 604_800].map(everyText)).toEqual(["90s", "90m", "4h", "1d", "7d"]);
  });
});

describe("the calendar of an agent", () => {
  it("uses the daily calendar only for intervals of whole days", () => {
    expect(calendarOf(DAY_S, { mode: "live", coins: false })).toBe("session_open");
    expect(calendarOf(2 * DAY_S, { mode: "files", coins: false })).toBe("session_open");
    expect(calendarOf(DAY_S, { mode: "live", coins: true })).toBe("utc_midnight");
    expect(calendarOf(DAY_S, { mode: "sample", coins: false })).toBe("utc_midnight");
    expect(calendarOf(DAY_S / 2, { mode: "live", coins: false })).toBe("interval");
  });

  it.each([
    ["2026-01-15T12:00:00Z", "2026-01-15T14:35:00.000Z", "after the open of today"],
    ["2026-01-16T14:35:00Z", "2026-01-20T14:35:00.000Z", "over a weekend and a holiday"],
    ["2026-03-06T14:35:00Z", "2026-03-09T13:35:00.000Z", "over the change to summer time"],
    ["2026-11-26T12:00:00Z", "2026-11-27T14:35:00.000Z", "over Thanksgiving to a half day"],
  ])("started %s it first runs %s: %s", (startedAt, due) => {
    expect(iso(firstRunAt(daily(startedAt)))).toBe(due);
  });

  it("runs on every nth daily bar across clock changes", () => {
    const next = (due: string, days: number) => iso(nextRunAfter(daily(due, days), Date.parse(due)));
    expect(next("2026-01-15T14:35:00Z", 1)).toBe("2026-01-16T14:35:00.000Z");
    expect(next("2026-01-12T14:35:00Z", 2)).toBe("2026-01-14T14:35:00.000Z");
    expect(next("2026-03-06T14:35:00Z", 1)).toBe("2026-03-09T13:35:00.000Z");
    expect(next("2026-10-30T13:35:00Z", 3)).toBe("2026-11-02T14:35:00.000Z");
    const coins = { ...daily("2026-01-15T00:00:00Z"), calendar: "utc_midnight" } as const;
    expect(iso(firstRunAt(coins))).toBe("2026-01-15T00:10:00.000Z");
    expect(iso(nextRunAfter(coins, Date.parse("2026-01-15T00:10:00Z")))).toBe("2026-01-16T00:10:00.000Z");
  });

  it("runs at once and then at fixed intervals unless these are whole days", () => {
    const timed = { every: 5_400, calendar: "interval", startedAt: "2026-01-15T15:00:07Z" } as const;
    expect(iso(firstRunAt(timed))).toBe("2026-01-15T15:00:07.000Z");
    expect(iso(nextRunAfter(timed, firstRunAt(timed)))).toBe("2026-01-15T16:30:07.000Z");
  });
});

describe("a schedule that was interrupted", () => {
  it("counts missed runs and continues at the next due time", () => {
    const timed = { every: 3_600, calendar: "interval", startedAt: "2026-01-15T15:00:00Z" } as const;
    const due = Date.parse("2026-01-15T15:00:00Z");
    const resumed = (now: string) => {
      const { next, missed } = resumeSchedule(timed, { due, now: Date.parse(now) });
      return [iso(next), missed];
    };
    expect(resumed("2026-01-15T15:00:00Z")).toEqual(["2026-01-15T16:00:00.000Z", 0]);
    expect(resumed("2026-01-15T15:59:59Z")).toEqual(["2026-01-15T16:00:00.000Z", 0]);
    expect(resumed("2026-01-15T16:00:00Z")).toEqual(["2026-01-15T17:00:00.000Z", 1]);
    expect(resumed("2026-01-15T19:30:00Z")).toEqual(["2026-01-15T20:00:00.000Z", 4]);
    const { next, missed } = resumeSchedule(daily("2026-01-01T00:00:00Z"), {
      due: Date.parse("2026-01-15T14:35:00Z"),
      now: Date.parse("2026-01-21T12:00:00Z"),
    });
    expect([iso(next), missed]).toEqual(["2026-01-21T14:35:00.000Z", 2]);
  });

  it("never runs twice for one due time: the next run lies ahead and on the schedule", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 200_000 }),
        fc.integer({ min: 0, max: 40 * DAY_S }),
        (every, passed) => {
          const startedAt = "2026-01-15T15:00:00Z";
          const start = Date.parse(startedAt);
          const now = start + passed * 1_000;
          const calendar = calendarOf(every, { mode: "live", coins: false });
          const { next, missed } = resumeSchedule({ every, calendar, startedAt }, { due: start, now });
          expect(next).toBeGreaterThan(now);
          if (calendar === "interval") {
            expect((next - start) % (every * 1_000)).toBe(0);
            expect(next - every * 1_000).toBeLessThanOrEqual(now);
            expect(missed).toBe((next - start) / (every * 1_000) - 1);
          }
          expect(next % MINUTE).toBe(calendar === "interval" ? next % MINUTE : 0);
        },
      ),
      { numRuns: 100 },
    );
  });
});
