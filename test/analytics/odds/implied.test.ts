import { describe, expect, it } from "vitest";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { closedFormVolatility } from "../../../src/analytics/odds/closed-form.ts";
import { impliedMove, nearerRecord } from "../../../src/analytics/odds/implied.ts";
import { realizedVolatility } from "../../../src/analytics/odds/volatility.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import type { FlowDay } from "../../../src/domain/options-flow/options.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const bars = syntheticBars(7, 300);
const flowDay = (index: number, atmIv: number | null): FlowDay => ({
  day: new Date(bars.time[index]!).toISOString().slice(0, 10),
  at: bars.time[index]!,
  callVolume: null,
  putVolume: null,
  callPremium: null,
  putPremium: null,
  atmIv,
  putIv: null,
});

describe("the implied move", () => {
  it("is the mean absolute move over 20 of 252 sessions", () => {
    // .3 x sqrt(20 / 252) x sqrt(2 / pi)
    expect(impliedMove(0.3)).toBeCloseTo(0.0674337, 6);
  });
});

describe("the comparison of implied and forecast moves", () => {
  const at = 200;
  const happened = Math.abs(bars.close[at + 20]! / bars.close[at]! - 1);
  const known = sliceBars(bars, 0, at + 1);
  const range = atr(known.high, known.low, known.close, 14).at(-1)!;
  const forecast = closedFormVolatility(known, range, 20) * Math.sqrt(2 / Math.PI);
  /** The volatility whose implied move has a given error. */
  const ivFor = (move: number) => move / (Math.sqrt(20 / 252) * Math.sqrt(2 / Math.PI));

  it("counts the smaller error of each day, from bars known on that day", () => {
    const error = Math.abs(forecast - happened);
    expect(nearerRecord(bars, [flowDay(at, ivFor(happened + 0.9 * error))])).toEqual({
      days: 1,
      forecast: 0,
      implied: 1,
    });
    expect(nearerRecord(bars, [flowDay(at, ivFor(happened + 1.1 * error))])).toEqual({
      days: 1,
      forecast: 1,
      implied: 0,
    });
  });

  it("omits days without an implied volatility, with too few bars before or fewer than 20 after", () => {
    const days = [
      flowDay(at, null),
      flowDay(118, 0.3),
      flowDay(280, 0.3),
      { ...flowDay(at, 0.3), day: "1999-01-04" },
    ];
    expect(nearerRecord(bars, days)).toEqual({ days: 0, forecast: 0, implied: 0 });
    expect(nearerRecord(bars, [flowDay(119, 0.3), flowDay(279, 0.3)])).toMatchObject({ days: 2 });
  });
});

describe("the realized volatility", () => {
  it("is the sample standard deviation of the last log returns, null with too few", () => {
    const close = Float64Array.from([100, 110, 99, 103.95].map((price) => price));
    const returns = [Math.log(1.1), Math.log(0.9), Math.log(1.05)];
    const middle = (returns[0]! + returns[1]! + returns[2]!) / 3;
    const squares = returns.reduce((sum, one) => sum + (one - middle) ** 2, 0);
    expect(realizedVolatility({ close }, 3)).toBeCloseTo(Math.sqrt(squares / 2), 12);
    expect(realizedVolatility({ close }, 4)).toBeNull();
  });
});
