import fc from "fast-check";
import { expect, it } from "vitest";
import type { OddsForecast } from "../../../src/domain/odds/forecast.ts";
import { HORIZONS } from "../../../src/domain/track-record/track.ts";
import { forecastText, readForecast } from "../../../src/store/track-record/forecast-text.ts";
import { oddsForecast } from "../../support/track.ts";

it("is JSON of integers: returns in units of 0.00001, odds in percent", () => {
  expect(JSON.parse(forecastText(oddsForecast()))).toEqual([
    [[-7_000, -5_000, -2_000, 20, 2_000, 5_000, 7_000], null, [10, 40, 50, 20], null],
    [
      [-7_000, -5_000, -2_000, 20, 2_000, 5_000, 7_000],
      [-14_000, -10_000, -4_000, 0, 4_000, 10_000, 14_000],
      [10, 40, 50, 20],
      [30, 60, 60, 30],
    ],
    [[-7_000, -5_000, -2_000, 20, 2_000, 5_000, 7_000], null, [10, 40, 50, 20], null],
    [[50, 20, 30], null],
  ]);
});

it("is read as it was stored", () => {
  const returns = (length: number) =>
    fc.array(
      fc.integer({ min: -300_000, max: 300_000 }).map((value) => value / 100_000),
      { minLength: length, maxLength: length },
    );
  const odds = fc.integer({ min: 0, max: 100 }).map((value) => value / 100);
  const four = fc.array(odds, { minLength: 4, maxLength: 4 });
  const horizon = (bars: (typeof HORIZONS)[number]) =>
    fc.record({
      bars: fc.constant(bars),
      quantiles: returns(7),
      baseQuantiles: fc.option(returns(7)),
      touch: four,
      baseTouch: fc.option(four),
    });
  const shares = fc.record({ stop: odds, target: odds, neither: odds });
  const forecast: fc.Arbitrary<OddsForecast> = fc.record({
    version: fc.constant("odds-1.0.0"),
    horizons: fc.tuple(...HORIZONS.map(horizon)),
    plan: fc.option(fc.record({ odds: shares, base: fc.option(shares) })),
  });
  fc.assert(
    fc.property(forecast, (stored) => {
      expect(readForecast(stored.version, forecastText(stored))).toEqual(stored);
    }),
  );
});

it.each(["", "[]", "{}", '[[[1],null,[1],null],[[1],null,[1],null],["x",null,[1],null],null]'])(
  "is null for damaged text: %s",
  (text) => {
    expect(readForecast("odds-1.0.0", text)).toBeNull();
  },
);
