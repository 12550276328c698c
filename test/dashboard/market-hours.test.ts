import { describe, expect, it } from "vitest";
import { hoursAt, spanText } from "../../src/dashboard/pages/today/market-hours.ts";
import { visitAt } from "../../src/dashboard/pages/today/visit.ts";

const at = (iso: string) => {
  const { state, holiday, next } = hoursAt(Date.parse(iso));
  return [state, holiday, `${next.kind} ${new Date(next.at).toISOString()}`];
};

describe("the hours of US exchanges", () => {
  it.each([
    ["2026-11-25T14:29:00Z", ["pre", null, "opens 2026-11-25T14:30:00.000Z"]],
    ["2026-11-25T14:30:00Z", ["regular", null, "closes 2026-11-25T21:00:00.000Z"]],
    ["2026-11-25T21:00:00Z", ["post", null, "opens 2026-11-27T14:30:00.000Z"]],
    ["2026-11-26T15:00:00Z", ["closed", "Thanksgiving Day", "opens 2026-11-27T14:30:00.000Z"]],
    ["2026-11-27T17:59:00Z", ["regular", "Day after Thanksgiving", "closes 2026-11-27T18:00:00.000Z"]],
    ["2026-11-27T22:30:00Z", ["closed", "Day after Thanksgiving", "opens 2026-11-30T14:30:00.000Z"]],
    ["2026-07-03T02:00:00Z", ["closed", null, "opens 2026-07-06T13:30:00.000Z"]],
    ["2026-12-25T15:00:00Z", ["closed", "Christmas Day", "opens 2026-12-28T14:30:00.000Z"]],
    ["2026-04-03T14:00:00Z", ["closed", "Good Friday", "opens 2026-04-06T13:30:00.000Z"]],
    ["2026-10-31T15:00:00Z", ["closed", null, "opens 2026-11-02T14:30:00.000Z"]],
  ])("at %s", (iso, expected) => {
    expect(at(iso)).toEqual(expected);
  });

  it("are named as a span", () => {
    expect([spanText(59_000), spanText(5_400_000), spanText(93_600_000)]).toEqual([
      "1 min",
      "1 h 30 min",
      "1 d 2 h",
    ]);
  });
});

describe("a visit", () => {
  const minutes = (count: number) => count * 60_000;

  it("is the first one without a stored visit", () => {
    expect(visitAt(null, 7)).toEqual({ since: null, seen: 7 });
  });

  it("goes on within 30 minutes, and then begins anew where it ended", () => {
    const visit = { since: 1, seen: minutes(10) };
    expect(visitAt(visit, minutes(40))).toEqual({ since: 1, seen: minutes(40) });
    expect(visitAt(visit, minutes(41))).toEqual({ since: minutes(10), seen: minutes(41) });
  });
});
