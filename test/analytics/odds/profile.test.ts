import { describe, expect, it } from "vitest";
import { barsInYear, barsPerDay } from "../../../src/analytics/odds/bars-per-day.ts";
import { instrumentProfile } from "../../../src/analytics/odds/profile.ts";
import { type BarTimeframe, TIMEFRAME_MS } from "../../../src/domain/market/bars.ts";
import { barsAround, thinBars } from "../../support/synthetic-bars.ts";

/** Bars of whole days: `perDay` a day from 14:30 UTC on. */
const barsOf = (timeframe: BarTimeframe, perDay: number, days = 30) => ({
  timeframe,
  time: Float64Array.from(
    { length: perDay * days },
    (_, i) => Date.UTC(2026, 0, 5 + Math.floor(i / perDay), 14, 30) + (i % perDay) * TIMEFRAME_MS[timeframe],
  ),
});
const PER_DAY = { "4h": 2, "1h": 7, "30m": 13, "15m": 26, "5m": 78 } as const;

/** Daily bars around 100 of which each has the same range, a fraction of the price. */
function evenBars(range: number, count = 200) {
  const close = new Array<number>(count).fill(100);
  close[count - 1] = 100.000001;
  return barsAround(close, { high: close.map((price) => price * (1 + range)) });
}
/** The range whose estimate of a volatility is 1 %. */
const ONE_PERCENT = Math.expm1(0.01 * Math.sqrt(4 * Math.LN2));

describe("the number of bars a day", () => {
  it("is counted in the series, because markets differ in their hours", () => {
    for (const [timeframe, perDay] of Object.entries(PER_DAY) as [keyof typeof PER_DAY, number][])
      expect(barsPerDay(barsOf(timeframe, perDay))).toBe(perDay);
    const allDay = {
      timeframe: "1h" as const,
      time: Float64Array.from({ length: 240 }, (_, i) => Date.UTC(2026, 0, 5) + i * 3_600_000),
    };
    expect(barsPerDay(allDay)).toBe(24);
    expect(barsInYear("crypto", allDay)).toBe(365 * 24);
    expect(barsInYear("equity", barsOf("1h", 7))).toBe(252 * 7);
  });

  it("is 1 for daily bars and a fifth for weekly ones", () => {
    expect(barsPerDay(barsOf("1d", 1))).toBe(1);
    expect(barsPerDay(barsOf("1w", 1))).toBe(0.2);
    expect(barsInYear("equity", barsOf("1d", 1))).toBe(252);
    expect(barsInYear("etf", barsOf("1w", 1))).toBe(52);
  });

  it("is at least 1, also without bars", () => {
    expect(barsPerDay({ timeframe: "1h", time: new Float64Array(0) })).toBe(1);
  });
});

describe("the profile of an instrument", () => {
  it("assumes 5 % a year at a volatility of 20 % a year, in proportion below it, and never more", () => {
    const profile = (factor: number) => instrumentProfile(evenBars(factor * ONE_PERCENT), "etf");
    const yearly = 0.01 * Math.sqrt(252); // 15.9 %
    expect(profile(1).sessionVolatility).toBeCloseTo(0.01, 12);
    expect(profile(1).yearlyDriftPercent).toBe(4); // 3.97
    expect(profile(1).drift).toBeCloseTo(2e-4 * (yearly / 0.2), 12);
    expect(profile(3)).toMatchObject({ yearlyDriftPercent: 5, drift: 2e-4 });
    expect(instrumentProfile(evenBars(3 * ONE_PERCENT), "crypto")).toMatchObject({
      yearlyDriftPercent: 0,
      drift: 0,
    });
  });

  it("names the kind by class and volatility, and draws the forecasts of coins and quiet funds to their mean", () => {
    const kinds = ([0.1, 0.4, 1, 3] as const).map((factor) => {
      const { kind, reversion } = instrumentProfile(evenBars(factor * ONE_PERCENT), "etf");
      return [kind, reversion];
    });
    expect(kinds).toEqual([
      ["near_cash", 0.2],
      ["fund", 0.2],
      ["fund", 0],
      ["leveraged", 0],
    ]);
    expect(instrumentProfile(evenBars(3 * ONE_PERCENT), "equity")).toMatchObject({
      kind: "stock",
      reversion: 0,
    });
    expect(instrumentProfile(evenBars(3 * ONE_PERCENT), "crypto")).toMatchObject({
      kind: "coin",
      reversion: 0.2,
    });
  });

  it("has the share of bars at one price, which do not count in its volatility", () => {
    const [thin, full] = [thinBars(5, 800, 0.4), thinBars(5, 800, 0)];
    const { emptyShare, sessionVolatility } = instrumentProfile(thin, "equity");
    expect(emptyShare).toBeCloseTo(0.4, 1);
    expect(sessionVolatility / instrumentProfile(full, "equity").sessionVolatility).toBeCloseTo(1, 0);
    expect(instrumentProfile(barsAround([7, 7, 7]), "equity")).toMatchObject({
      emptyShare: 1,
      sessionVolatility: 0,
      drift: 0,
    });
  });

  it("takes the own rise of a fund like cash as its drift, if it is certain", () => {
    const closes = (rise: number) =>
      Array.from({ length: 500 }, (_, bar) => 100 * Math.exp(rise * bar) + (bar % 2 === 0 ? 0.01 : -0.01));
    const profileOf = (rise: number) => instrumentProfile(barsAround(closes(rise)), "etf");
    const accruing = profileOf(0.00018);
    expect(accruing.kind).toBe("near_cash");
    expect(accruing.drift).toBeCloseTo(0.00018, 5);
    expect(accruing.yearlyDriftPercent).toBeCloseTo(4.5, 0);
    // the mean return of half a thousand bars, each of which may err by .02 %, is no rise
    expect(profileOf(0.0000005).drift).toBeLessThan(0.00001);
  });

  it("assumes no drift of a price that never moved", () => {
    const pinned = barsAround(new Array<number>(200).fill(10), { high: new Array<number>(200).fill(10.01) });
    expect(instrumentProfile(pinned, "equity").drift).toBe(0);
  });
});
