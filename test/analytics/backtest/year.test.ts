import { expect, it } from "vitest";
import { tradingYear } from "../../../src/analytics/backtest/year.ts";

const days = (count: number, keep: (day: number) => boolean) =>
  Float64Array.from(
    Array.from({ length: count }, (_, i) => Date.UTC(2026, 0, 5 + i)).filter((at) =>
      keep(new Date(at).getUTCDay()),
    ),
  );

it("A year has 365 trading days where weekends trade, and 252 where they do not or hardly do", () => {
  expect(tradingYear(days(70, () => true))).toBe(365);
  expect(tradingYear(days(70, (day) => day % 6 !== 0))).toBe(252);
  // every fourth Saturday: under .6 of two sevenths
  expect(tradingYear(days(28, (day) => day !== 0))).toBe(252);
  expect(tradingYear(new Float64Array(0))).toBe(252);
});
