import { expect, it } from "vitest";
import { putCallTrend } from "../../../src/analytics/flow/tide.ts";
import type { PutCallDay } from "../../../src/domain/options-flow/options.ts";

const day = (total: number | null): PutCallDay => ({
  day: "2026-01-02",
  at: 0,
  index: null,
  etp: null,
  equity: null,
  callVolume: null,
  putVolume: null,
  total,
});
/** Sixty days alternating between .8 and 1, then these: a deviation of about .1. */
const after = (...last: readonly number[]) =>
  [...Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 0.8 : 1)), ...last].map(day);

it("is rising and bearish if the 5-day put/call mean is half a deviation above the 20-day mean", () => {
  const tide = putCallTrend(after(1, 1, 1, 1, 1), "total");
  expect(tide).toMatchObject({ latest: 1, mean5: 1, trend: "rising", direction: "BEARISH", days: 65 });
  expect(tide.mean20).toBeCloseTo((8 * 1 + 7 * 0.8 + 5) / 20, 12);
  expect(tide.strength).toBeGreaterThan(0.5);
});

it("is falling in the opposite case, and flat in between", () => {
  expect(putCallTrend(after(0.8, 0.8, 0.8, 0.8, 0.8), "total")).toMatchObject({
    trend: "falling",
    direction: "BULLISH",
  });
  expect(putCallTrend(after(0.9, 0.9, 0.9, 0.9, 0.9), "total")).toMatchObject({
    trend: "flat",
    direction: "NEUTRAL",
  });
});

it("needs enough days for means and trend, and has no trend without variation", () => {
  expect(putCallTrend(after().slice(0, 4), "total")).toMatchObject({ latest: 1, mean5: null, trend: null });
  expect(putCallTrend(after().slice(0, 19), "total")).toMatchObject({
    mean5: expect.any(Number),
    mean20: null,
  });
  expect(putCallTrend(after().slice(0, 59), "total")).toMatchObject({
    mean20: expect.any(Number),
    strength: null,
    direction: null,
  });
  expect(
    putCallTrend(
      Array.from({ length: 60 }, () => day(1)),
      "total",
    ),
  ).toMatchObject({ strength: null, trend: null });
});

it("omits days without the ratio, and is null without any", () => {
  expect(putCallTrend([...after(), day(null)], "total")).toMatchObject({ latest: 1, days: 60 });
  expect(putCallTrend(after(), "equity")).toEqual({
    latest: null,
    mean5: null,
    mean20: null,
    strength: null,
    trend: null,
    direction: null,
    days: 0,
  });
});
