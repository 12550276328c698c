import { describe, expect, it } from "vitest";
import { thirtyWeekAverage, weinsteinStage } from "../../../src/analytics/indicators/weinstein-stage.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const MONDAY = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

/** Bars every `every` days, starting on a Monday. */
const from = (close: readonly number[], every: number): Bars => ({
  ...barsAround(close),
  time: Float64Array.from(close, (_, i) => MONDAY + i * every * DAY),
});

/** `weeks` closes, each `growth` times the previous one. */
const leg = (start: number, growth: number, weeks: number) =>
  Array.from({ length: weeks }, (_, i) => start * growth ** (i + 1));

/** The sequence of stages, without repeats. */
const course = (stages: Float64Array) => [...stages].filter((stage, i) => !Object.is(stage, stages[i - 1]));

describe("weinsteinStage", () => {
  it("is known from the week after the 34th complete one", () => {
    const rising = weinsteinStage(from(leg(100, 1.01, 36), 7));
    expect([...rising].map(Number.isNaN)).toEqual([...Array(34).fill(true), false, false]);
    expect([...rising.slice(34)]).toEqual([2, 2]);
    expect(weinsteinStage(from(leg(100, 0.99, 35), 7))[34]).toBe(4);
  });

  it("counts weeks from Monday to Sunday", () => {
    const daily = weinsteinStage(from(leg(100, 1.002, 240), 1));
    // 34 * 7 = 238 days: the first bar after them is a Monday.
    expect([...daily].findIndex((stage) => !Number.isNaN(stage))).toBe(238);
    expect(new Date(MONDAY + 238 * DAY).getUTCDay()).toBe(1);
  });

  it("passes through all four stages and holds each until the next is confirmed", () => {
    const closes = [
      ...leg(100, 1.01, 50),
      ...leg(164, 1, 50),
      ...leg(164, 0.98, 50),
      ...leg(60, 1, 50),
      ...leg(60, 1.02, 30),
    ];
    expect(course(weinsteinStage(from(closes, 7)))).toEqual([Number.NaN, 2, 3, 4, 1, 2]);
  });

  it("is NaN in a market that never leaves its base", () => {
    expect([...weinsteinStage(from(leg(100, 1, 80), 7))].every(Number.isNaN)).toBe(true);
  });

  it("needs a slope of more than one percent in four weeks", () => {
    // One close of 129 or 131 after weeks at 100 lifts the mean of 30 by 29/30 or 31/30 percent.
    expect(weinsteinStage(from([...leg(100, 1, 33), 129, 129], 7))[34]).toBeNaN();
    expect(weinsteinStage(from([...leg(100, 1, 33), 131, 131], 7))[34]).toBe(2);
  });

  it("ignores the current, incomplete week", () => {
    const calm = leg(100, 1.002, 300);
    const wild = calm.map((close, i) => (i >= 294 ? close / 10 : close));
    expect(weinsteinStage(from(wild, 1)).slice(294)).toEqual(weinsteinStage(from(calm, 1)).slice(294));
  });
});

describe("thirtyWeekAverage", () => {
  it("is the mean of the 30 weekly closes before the last bar's week", () => {
    const closes = Array.from({ length: 33 }, (_, i) => 100 + i);
    // Weeks 2 to 31 of 33: the first two have left the window, the last is the current one.
    expect(thirtyWeekAverage(from(closes, 7))).toEqual({ value: 102 + 29 / 2, weeks: 32 });
    const other = thirtyWeekAverage(from([...closes.slice(0, -1), 999], 7));
    expect(other.value).toBe(102 + 29 / 2);
  });

  it("is null with a reason for fewer weeks, and reports their number", () => {
    expect(thirtyWeekAverage(from(leg(100, 1, 30), 7))).toEqual({ value: null, weeks: 29 });
    expect(thirtyWeekAverage(from(leg(100, 1, 31), 7))).toEqual({ value: 100, weeks: 30 });
    expect(thirtyWeekAverage(from([], 7))).toEqual({ value: null, weeks: 0 });
  });
});
