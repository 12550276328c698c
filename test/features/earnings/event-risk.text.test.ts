import { describe, expect, it } from "vitest";
import type { EventRisk } from "../../../src/domain/earnings/calendar.ts";
import { formatEventRisk, formatUpcomingEarnings } from "../../../src/features/earnings/event-risk.text.ts";

const risk = (days: number, over: Partial<EventRisk> = {}): EventRisk => ({
  horizon: "2026-12-22",
  earnings: { date: "2026-12-01", hour: "unknown", confirmed: false, days, within_horizon: true },
  earnings_reason: null,
  holiday: null,
  reports: true,
  within_horizon: true,
  ...over,
});
const holiday = (days: number) => ({
  holiday: { date: "2026-11-27", kind: "half", name: "Day after", days, within_horizon: true } as const,
});

describe("lines on event risk", () => {
  it("show a report by its date, and whether it is confirmed", () => {
    expect([0, 1, 8].map((days) => formatUpcomingEarnings(risk(days))[0])).toEqual([
      "2026-12-01: earnings, today, before the plan ends; the date is not confirmed",
      "2026-12-01: earnings, in 1 day, before the plan ends; the date is not confirmed",
      "2026-12-01: earnings, in 8 days, before the plan ends; the date is not confirmed",
    ]);
    const { earnings } = risk(8);
    const sure = risk(8, { earnings: { ...earnings!, confirmed: true } });
    expect(formatUpcomingEarnings(sure)).toEqual(["2026-12-01: earnings, in 8 days, before the plan ends"]);
    const later = risk(8, { earnings: { ...earnings!, within_horizon: false }, within_horizon: false });
    expect(formatEventRisk(later)).toEqual([]);
  });

  it("state that no date is known when a company may report", () => {
    const none = { earnings: null, earnings_reason: "So" } as const;
    expect(formatEventRisk(risk(1, { ...none, within_horizon: null }))).toEqual(["no earnings date: So"]);
    const within = risk(1, { ...none, ...holiday(8) });
    expect(formatEventRisk(within)).toEqual(["no earnings date: So"]);
    expect(formatEventRisk(risk(1, { ...none, reports: false, within_horizon: false }))).toEqual([]);
  });

  it("show a holiday within a week", () => {
    expect(formatEventRisk(risk(1, holiday(7)))[1]).toBe("2026-11-27: Day after, US exchanges close early");
    expect(formatEventRisk(risk(1, holiday(8)))).toHaveLength(1);
  });
});
