import { describe, expect, it } from "vitest";
import { lastRun, nextRun, plansOf } from "../../../src/features/nightly/schedule.ts";

const [stocks, coins] = plansOf("live") as [
  ReturnType<typeof plansOf>[number],
  ReturnType<typeof plansOf>[number],
];
const next = (plan: typeof stocks, after: string) => new Date(nextRun(plan, Date.parse(after))).toISOString();
const last = (plan: typeof stocks, at: string) => new Date(lastRun(plan, Date.parse(at))).toISOString();

describe("the schedule of stocks and funds", () => {
  it.each([
    ["2026-01-15T15:00:00Z", "2026-01-15T21:20:00.000Z", "16:20 in winter"],
    ["2026-07-15T15:00:00Z", "2026-07-15T20:20:00.000Z", "16:20 in summer"],
    ["2026-03-06T21:20:00Z", "2026-03-09T20:20:00.000Z", "over the change to summer time"],
    ["2026-10-30T20:20:00Z", "2026-11-02T21:20:00.000Z", "over the change to winter time"],
    ["2026-11-25T22:00:00Z", "2026-11-27T21:20:00.000Z", "over Thanksgiving to the half day after it"],
    ["2026-12-31T22:00:00Z", "2027-01-04T21:20:00.000Z", "over New Year and a weekend"],
    ["2026-01-15T21:19:59.999Z", "2026-01-15T21:20:00.000Z", "just before it"],
    ["2026-01-16T02:00:00Z", "2026-01-16T21:20:00.000Z", "in New York's evening"],
  ])("after %s is %s: %s", (after, expected) => {
    expect(stocks.universe).toBe("sp500");
    expect(next(stocks, after)).toBe(expected);
    expect(last(stocks, expected)).toBe(expected);
  });

  it("has its last run at the session before", () => {
    expect(last(stocks, "2026-03-09T20:19:59Z")).toBe("2026-03-06T21:20:00.000Z");
  });
});

describe("the schedule of coins", () => {
  it("is 00:10 UTC every day, including weekends and clock changes", () => {
    expect(coins.universe).toBe("crypto");
    expect(next(coins, "2026-01-16T23:59:00Z")).toBe("2026-01-17T00:10:00.000Z");
    expect(next(coins, "2026-03-08T00:10:00Z")).toBe("2026-03-09T00:10:00.000Z");
    expect(last(coins, "2026-01-17T00:09:59Z")).toBe("2026-01-16T00:10:00.000Z");
    expect(last(coins, "2026-01-17T00:10:00Z")).toBe("2026-01-17T00:10:00.000Z");
  });
});

it("the sample market has one daily run over all members", () => {
  const [plan, ...others] = plansOf("sample");
  expect(others).toEqual([]);
  expect(plan!.universe).toBe("all");
  expect(next(plan!, "2026-01-17T12:00:00Z")).toBe("2026-01-18T00:10:00.000Z");
});
