import { describe, expect, it } from "vitest";
import { eventRiskOf } from "../../../src/analytics/earnings/event-risk.ts";
import { marketDays } from "../../../src/market/calendar/market-days.ts";

const DAY = 86_400_000;
const TODAY = "2026-11-23"; // a Monday; Thanksgiving is on Thursday
const plan = {
  today: TODAY,
  barMs: DAY,
  sessions: true,
  days: marketDays.between(TODAY, "2027-02-28"),
  earnings: null,
  reason: null,
  reports: true,
} as const;
const on = (date: string, confirmed = true) => ({ date, hour: "after_close", confirmed }) as const;

describe("event risk", () => {
  it("looks 20 sessions ahead, skipping Thanksgiving and including the half day after it", () => {
    // 24, 25, 27 and 30 November; 1-4, 7-11, 14-18, 21 and 22 December.
    expect(eventRiskOf(plan).horizon).toBe("2026-12-22");
    expect(eventRiskOf({ ...plan, sessions: false }).horizon).toBe("2026-12-13");
    // Two 4-hour bars per session: ten sessions.
    expect(eventRiskOf({ ...plan, barMs: DAY / 6 }).horizon).toBe("2026-12-08");
    // Seven 1-hour bars per session: three sessions.
    expect(eventRiskOf({ ...plan, barMs: DAY / 24 }).horizon).toBe("2026-11-27");
    expect(eventRiskOf({ ...plan, barMs: DAY / 6, sessions: false }).horizon).toBe("2026-11-27");
  });

  it.each([
    [TODAY, 0, true],
    ["2026-12-21", 28, true],
    ["2026-12-22", 29, false],
  ])("counts to a report on %s", (date, days, within_horizon) => {
    expect(eventRiskOf({ ...plan, days: [], earnings: on(date, false) })).toMatchObject({
      earnings: { date, hour: "after_close", confirmed: false, days, within_horizon },
      earnings_reason: null,
      within_horizon,
    });
  });

  it("ignores a past or undated report, with a reason", () => {
    for (const earnings of [null, on("2026-11-22")])
      expect(eventRiskOf({ ...plan, days: [], earnings })).toMatchObject({
        earnings: null,
        earnings_reason: "No date of the next report is known",
        within_horizon: null,
      });
    expect(eventRiskOf({ ...plan, reason: "So" }).earnings_reason).toBe("So");
  });

  it("is null for an instrument that has no earnings reports", () => {
    expect(eventRiskOf({ ...plan, days: [], reports: false })).toMatchObject({
      reports: false,
      within_horizon: false,
    });
  });

  it("is within the horizon if a holiday is, whatever is known of a report", () => {
    for (const of of [{ reports: false }, { earnings: on("2027-02-04") }, {}])
      expect(eventRiskOf({ ...plan, ...of }).within_horizon).toBe(true);
    const far = { ...plan, barMs: DAY / 24, days: marketDays.between("2026-12-01", "2027-02-28") };
    expect(eventRiskOf({ ...far, earnings: on("2027-02-04") }).within_horizon).toBe(false);
  });

  it("returns the next holiday, and null for 24-hour markets", () => {
    expect(eventRiskOf(plan).holiday).toEqual({
      date: "2026-11-26",
      kind: "closed",
      name: "Thanksgiving Day",
      days: 3,
      within_horizon: true,
    });
    expect(eventRiskOf({ ...plan, sessions: false }).holiday).toBeNull();
    expect(eventRiskOf({ ...plan, days: [] }).holiday).toBeNull();
  });
});
