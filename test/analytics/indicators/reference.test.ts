import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { adx } from "../../../src/analytics/indicators/adx.ts";
import { aroon } from "../../../src/analytics/indicators/aroon.ts";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { bollinger } from "../../../src/analytics/indicators/bollinger.ts";
import { cci } from "../../../src/analytics/indicators/cci.ts";
import { choppiness } from "../../../src/analytics/indicators/choppiness.ts";
import { cmf } from "../../../src/analytics/indicators/cmf.ts";
import { deviation } from "../../../src/analytics/indicators/deviation.ts";
import { donchian } from "../../../src/analytics/indicators/donchian.ts";
import { ema } from "../../../src/analytics/indicators/ema.ts";
import { ichimoku } from "../../../src/analytics/indicators/ichimoku.ts";
import { keltner } from "../../../src/analytics/indicators/keltner.ts";
import { linearRegression } from "../../../src/analytics/indicators/linear-regression.ts";
import { macd } from "../../../src/analytics/indicators/macd.ts";
import { mfi } from "../../../src/analytics/indicators/mfi.ts";
import { obv } from "../../../src/analytics/indicators/obv.ts";
import { rma } from "../../../src/analytics/indicators/rma.ts";
import { roc } from "../../../src/analytics/indicators/roc.ts";
import { rsi } from "../../../src/analytics/indicators/rsi.ts";
import { sma } from "../../../src/analytics/indicators/sma.ts";
import { stochastic } from "../../../src/analytics/indicators/stochastic.ts";
import { supertrend } from "../../../src/analytics/indicators/supertrend.ts";
import { trix } from "../../../src/analytics/indicators/trix.ts";
import { trueRange } from "../../../src/analytics/indicators/true-range.ts";
import { vwap } from "../../../src/analytics/indicators/vwap.ts";
import { williamsR } from "../../../src/analytics/indicators/williams-r.ts";
import { wma } from "../../../src/analytics/indicators/wma.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { describeWithData } from "../../support/test-data.ts";

// Expected values of DaveSkender/Stock.Indicators for 502 daily bars, see
// https://github.com/DaveSkender/Stock.Indicators (Apache-2.0).
describeWithData(
  "indicators against Stock.Indicators",
  ["reference", "daily502_core_expected.csv"],
  (path) => {
    const [header = "", ...rows] = readFileSync(path, "utf8").trim().split(/\r?\n/);
    const names = header.split(",");
    const cells = rows.map((row) => row.split(","));
    const column = (name: string) => {
      const at = names.indexOf(name);
      return Float64Array.from(cells, (row) => (row[at] ? Number(row[at]) : Number.NaN));
    };
    const [high, low, close, volume] = ["high", "low", "close", "volume"].map(column) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    const bars: Bars = {
      time: Float64Array.from(cells, (row) => Date.parse(`${row[0]}T00:00:00Z`)),
      open: column("open"),
      high,
      low,
      close,
      volume,
      timeframe: "1d",
      adjustment: "split",
      zone: "America/New_York",
    };

    const moved = macd(close);
    const directional = adx(high, low, close);
    const bands = bollinger(close);
    const slow = stochastic(high, low, close);
    const trend = supertrend(high, low, close);
    const cloud = ichimoku(high, low);
    const channel = keltner(high, low, close);
    const breakout = donchian(high, low);
    const extremes = aroon(high, low);
    const line = linearRegression(close, 14);
    const share = (part: Float64Array, whole: Float64Array) =>
      part.map((value, i) => (100 * value) / whole[i]!);

    it.each<[string, Float64Array]>([
      ["sma20", sma(close, 20)],
      ["ema20", ema(close, 20)],
      ["wma14", wma(close, 14)],
      ["smma20", rma(close, 20)],
      ["rsi14", rsi(close)],
      ["macd", moved.macd],
      ["macd_signal", moved.signal],
      ["macd_hist", moved.histogram],
      ["tr", trueRange(high, low, close)],
      ["atr14", atr(high, low, close)],
      ["atrp14", share(atr(high, low, close), close)],
      ["adx14", directional.adx],
      ["pdi14", directional.plus],
      ["mdi14", directional.minus],
      ["bb_upper", bands.upper],
      ["bb_mid", bands.middle],
      ["bb_lower", bands.lower],
      ["bb_pctb", bands.percentB],
      ["bb_width", bands.width],
      ["stdev14", deviation(close, 14).deviation],
      ["stoch_k", slow.k],
      ["stoch_d", slow.d],
      ["obv", obv(close, volume)],
      ["cmf20", cmf(high, low, close, volume)],
      ["mfi14", mfi(high, low, close, volume)],
      ["supertrend", trend.line],
      ["tenkan9", cloud.tenkan],
      ["kijun26", cloud.kijun],
      ["senkouA", cloud.senkouA],
      ["senkouB", cloud.senkouB],
      ["kc_upper", channel.upper],
      ["kc_mid", channel.middle],
      ["kc_lower", channel.lower],
      ["dc_upper", breakout.upper],
      ["dc_mid", breakout.middle],
      ["dc_lower", breakout.lower],
      ["cci20", cci(high, low, close)],
      ["willr14", williamsR(high, low, close)],
      ["trix14", trix(close)],
      ["roc14", roc(close, 14)],
      ["aroon_up25", extremes.up],
      ["aroon_down25", extremes.down],
      ["aroon_osc25", extremes.oscillator],
      ["slope14", line.slope],
      ["slope_r2_14", line.r2],
      ["chop14", choppiness(high, low, close)],
      // The reference anchors its average at the first bar: one session for the whole series.
      ["vwap", vwap(bars, new Uint8Array(close.length))],
    ])("agrees on %s to 1e-9, relative above 1 and absolute below", (name, actual) => {
      const expected = column(name);
      const distance = (value: number, i: number) =>
        Math.abs(value - expected[i]!) / Math.max(1, Math.abs(expected[i]!));
      const wrong = [...actual].flatMap((value, i) => {
        if (Number.isNaN(value) && Number.isNaN(expected[i]!)) return [];
        return distance(value, i) <= 1e-9 ? [] : [{ bar: i, value, expected: expected[i] }];
      });
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(actual.length).toBe(502);
      expect(expected.some((value) => !Number.isNaN(value))).toBe(true);
    });

    it("points up exactly where the reference's line is below the close", () => {
      const below = column("st_lower");
      expect([...trend.direction].map((way) => way === 1)).toEqual(
        [...below].map((value) => !Number.isNaN(value)),
      );
    });
  },
);
