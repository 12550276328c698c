import { describe, expect, it } from "vitest";
import { averagesOf } from "../../../src/analytics/drivers/averages.ts";
import { adx } from "../../../src/analytics/indicators/adx.ts";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { ema } from "../../../src/analytics/indicators/ema.ts";
import { macd } from "../../../src/analytics/indicators/macd.ts";
import { rsi } from "../../../src/analytics/indicators/rsi.ts";
import { supertrend } from "../../../src/analytics/indicators/supertrend.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";

/** Computes each indicator separately. */
function apart({ high, low, close }: Bars) {
  const directional = adx(high, low, close, 14);
  const trend = supertrend(high, low, close, 10, 3);
  return {
    atr: atr(high, low, close, 14),
    ema20: ema(close, 20).at(-1),
    ema50: ema(close, 50).at(-1),
    ema200: ema(close, 200).at(-1),
    rsi14: rsi(close, 14).at(-1),
    histogram: macd(close, 12, 26, 9).histogram.at(-1),
    adx14: directional.adx.at(-1),
    plus: directional.plus.at(-1),
    minus: directional.minus.at(-1),
    supertrend: trend.line.at(-1),
    side: trend.direction.at(-1),
  };
}

describe("averagesOf", () => {
  it("matches each individual indicator exactly", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const all = syntheticBars(seed, 500);
      for (const end of [200, 201, 263, 500]) {
        const bars = sliceBars(all, 0, end);
        expect(averagesOf(bars)).toEqual(apart(bars));
      }
    }
  });

  it("matches them in a market that is flat or moves in one direction only", () => {
    for (const slope of [0, 1, -0.1]) {
      const bars = barsAround(Array.from({ length: 220 }, (_, i) => 100 + slope * i));
      expect(averagesOf(bars)).toEqual(apart(bars));
    }
  });

  it.each([
    [15, ["rsi14", "supertrend", "side", "atr"]],
    [28, ["adx14", "plus", "minus"]],
    [34, ["histogram"]],
    [50, ["ema20", "ema50"]],
  ] as const)("is right as soon as the indicators are, after %i bars", (count, names) => {
    const bars = sliceBars(syntheticBars(3, 60), 0, count);
    const [together, alone] = [averagesOf(bars), apart(bars)];
    for (const name of names) expect(together[name], name).toEqual(alone[name]);
  });
});
