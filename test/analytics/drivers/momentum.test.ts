import { describe, expect, it } from "vitest";
import { driverContext } from "../../../src/analytics/drivers/context.ts";
import { momentumDrivers } from "../../../src/analytics/drivers/momentum.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const read = (bars: Bars) =>
  Object.fromEntries(momentumDrivers(driverContext(bars, "equity")).map((d) => [d.id, d]));

describe("momentumDrivers", () => {
  it("returns 0 for an unchanged price, and null if it would divide by a zero range", () => {
    const { m_rsi, m_macd, m_roc125, m_roc20, m_52w } = read(barsAround(new Array(300).fill(7.3)));
    expect([m_rsi, m_roc125, m_roc20].map((d) => d!.value)).toEqual([0, 0, 0]);
    expect(m_macd).toMatchObject({ value: null, reason: "The average true range is 0" });
    expect(m_52w).toMatchObject({ value: null, reason: "High and low of the year are equal" });
  });

  it("places the close in the year's range: +1 at the high, -1 at the low, 0 halfway", () => {
    const ending = (close: number) => {
      const flat = new Array(251).fill(10);
      return barsAround([...flat, close], {
        high: [12, ...flat.slice(1), close],
        low: [8, ...flat.slice(1), close],
      });
    };
    expect([12, 8, 10, 11].map((close) => read(ending(close)).m_52w!.value)).toEqual([1, -1, 0, 0.5]);
  });

  it("ignores a high older than a year", () => {
    const flat = new Array(251).fill(10);
    const bars = barsAround([10, ...flat, 10.5], { high: [99, ...flat, 11], low: [10, ...flat, 9] });
    expect(read(bars).m_52w!.value).toBe(0.5);
  });

  it("returns 1 for an RSI of 80 and above", () => {
    expect(read(barsAround([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])).m_rsi!.value).toBe(1);
  });
});
