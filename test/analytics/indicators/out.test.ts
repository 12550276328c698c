import { describe, expect, it } from "vitest";
import { adx } from "../../../src/analytics/indicators/adx.ts";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { bollinger } from "../../../src/analytics/indicators/bollinger.ts";
import { macd } from "../../../src/analytics/indicators/macd.ts";
import { rsi } from "../../../src/analytics/indicators/rsi.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const used = (length: number) => new Float64Array(length).fill(7);

const CASES: readonly { readonly name: string; readonly of: (bars: Bars, length?: number) => unknown }[] = [
  { name: "rsi", of: ({ close }, n) => (n === undefined ? rsi(close) : rsi(close, 14, used(n))) },
  {
    name: "atr",
    of: ({ high, low, close }, n) =>
      n === undefined ? atr(high, low, close) : atr(high, low, close, 14, used(n)),
  },
  {
    name: "macd",
    of: ({ close }, n) =>
      n === undefined
        ? macd(close)
        : macd(close, 12, 26, 9, { macd: used(n), signal: used(n), histogram: used(n) }),
  },
  {
    name: "adx",
    of: ({ high, low, close }, n) =>
      n === undefined
        ? adx(high, low, close)
        : adx(high, low, close, 14, { adx: used(n), plus: used(n), minus: used(n) }),
  },
  {
    name: "bollinger",
    of: ({ close }, n) =>
      n === undefined
        ? bollinger(close)
        : bollinger(close, 20, 2, {
            upper: used(n),
            middle: used(n),
            lower: used(n),
            percentB: used(n),
            width: used(n),
          }),
  },
];

describe.each(CASES)("$name into columns used before", ({ of }) => {
  it.each([0, 5, 20, 28, 40, 333])("says what new columns say about %i bars", (length) => {
    const bars = syntheticBars(3, length);
    expect(of(bars, length)).toEqual(of(bars));
  });

  it("refuses columns of another length", () => {
    expect(() => of(syntheticBars(3, 50), 49)).toThrow(RangeError);
  });
});

it("returns the columns it was given", () => {
  const out = used(30);
  expect(rsi(syntheticBars(3, 30).close, 14, out)).toBe(out);
});
