import { describe, expect, it } from "vitest";
import {
  type NamedStrategy,
  paramsOf,
  STRATEGY_TABLE,
} from "../../../../src/analytics/backtest/strategies/table.ts";
import { supertrend } from "../../../../src/analytics/indicators/supertrend.ts";
import { tapeOf } from "../../../support/signal-tape.ts";
import { barsAround, syntheticBars } from "../../../support/synthetic-bars.ts";
import { decide, words } from "./decide.ts";

const { NaN: none } = Number;

describe("moving average crossovers", () => {
  // Against an average of 2 bars, the close is above it exactly when it rose.
  const turns = barsAround([5, 4, 3, 4, 5, 4, 4, 5]);

  it.each(["sma_cross", "ema_cross"] as const)(
    "%s enters long at the upward cross and exits at the downward one",
    (name) => {
      const { start, action } = decide(name, turns, { fast: 1, slow: 2, side: "long" });
      expect(start).toBe(2);
      expect(words(action).slice(0, 6)).toEqual(["-", "-", "-", "LONG", "-", "FLAT"]);
    },
  );

  it("goes short at the downward cross with both sides, and does not count touching as a cross", () => {
    const { action } = decide("sma_cross", turns, { fast: 1, slow: 2, side: "both" });
    // Bar 6 touches, so bar 7 has no side to cross from.
    expect(words(action)).toEqual(["-", "-", "-", "LONG", "-", "SHORT", "-", "-"]);
  });

  it("macd trades crosses of its signal line", () => {
    const bars = barsAround([4, 4, 3, 3, 5, 6, 5, 4]);
    const { start, action } = decide("macd", bars, { fast: 1, slow: 2, signal: 2 });
    expect(start).toBe(3);
    // Slow average from bar 1: 4, 10/3, 28/9, 118/27, 442/81, 1252/243, so the line is 0, -1/3, -1/9, 17/27, 44/81,
    // -37/243. Signal from bar 2: -1/6, -7/54, .38, .49, .06. The line is below it at bar 2, above at 3, 4 and 5, below
    // at 6.
    expect(words(action)).toEqual(["-", "-", "-", "LONG", "-", "-", "FLAT", "-"]);
  });
});

describe("mean-reversion strategies", () => {
  it("rsi_reversion enters when RSI rises back above low and exits when it falls back below high", () => {
    // RSI2 is 0, 75, 37.5
    const bars = barsAround([10, 9, 8, 11, 9]);
    const long = decide("rsi_reversion", bars, { period: 2 });
    expect(long.start).toBe(3);
    expect(words(long.action)).toEqual(["-", "-", "-", "LONG", "FLAT"]);
    expect(words(decide("rsi_reversion", bars, { period: 2, side: "both" }).action).at(-1)).toBe("SHORT");
    expect(words(decide("rsi_reversion", bars, { period: 2, high: 76 }).action).at(-1)).toBe("-");
  });

  it("bollinger_reversion enters when the price returns into the bands and exits at the middle", () => {
    // Bands of 3 bars and 1 deviation: 7 is below 7.59; 8 is above 7.09 and below 8.33; 9 is above 8; 12 is above
    // 11.37; 11 is below 11.91 and above 10.67; 10 is below 11.
    const bars = barsAround([10, 10, 7, 8, 9, 12, 11, 10]);
    const long = decide("bollinger_reversion", bars, { period: 3, width: 1 });
    expect(long.start).toBe(3);
    expect(words(long.action)).toEqual(["-", "-", "-", "LONG", "FLAT", "-", "-", "FLAT"]);
    const both = decide("bollinger_reversion", bars, { period: 3, width: 1, side: "both" });
    expect(words(both.action)).toEqual(["-", "-", "-", "LONG", "FLAT", "-", "SHORT", "FLAT"]);
  });

  it("bollinger_reversion does not enter if the return reaches the middle at once", () => {
    const { action } = decide("bollinger_reversion", barsAround([10, 10, 7, 12]), { period: 3, width: 1 });
    expect(words(action)).toEqual(["-", "-", "-", "FLAT"]);
  });
});

describe("trend-following strategies", () => {
  const closes = barsAround([5, 6, 5, 7, 8, 6, 4, 5]);

  it("donchian_breakout enters above the previous channel and exits below the shorter one", () => {
    const long = decide("donchian_breakout", closes, { period: 2, exit_period: 2 });
    expect(long.start).toBe(3);
    expect(words(long.action)).toEqual(["-", "-", "-", "LONG", "LONG", "FLAT", "-", "-"]);
    expect([long.stop, long.target]).toEqual([undefined, undefined]);
    const both = decide("donchian_breakout", closes, { period: 2, exit_period: 2, side: "both" });
    expect(words(both.action)).toEqual(["-", "-", "-", "LONG", "LONG", "SHORT", "SHORT", "-"]);
  });

  it("donchian_breakout sets stop and target in ATR14 of the entry bar, and then has no exit rule", () => {
    // 20 bars of range 2 around 100, then a break to 103: true range 4, ATR14 2 + (4 - 2) / 14
    const flat = new Array<number>(20).fill(100);
    const bars = barsAround([...flat, 103, 90], {
      high: [...flat.map(() => 101), 104, 91],
      low: [...flat.map(() => 99), 102, 89],
    });
    const atrs = { period: 5, stop_atr: 2, target_atr: 3 };
    const { action, stop, target } = decide("donchian_breakout", bars, atrs);
    const range = 2 + 2 / 14;
    expect(words(action).slice(20)).toEqual(["LONG", "-"]);
    expect(stop![20]).toBeCloseTo(103 - 2 * range, 12);
    expect(target![20]).toBeCloseTo(103 + 3 * range, 12);
    expect([stop![19], target![21]]).toEqual([none, none]);
    const alone = decide("donchian_breakout", bars, { period: 5, exit_period: 5, stop_atr: 2 });
    expect(words(alone.action).slice(20)).toEqual(["LONG", "FLAT"]);
    expect(alone.target).toBe(undefined);
    const short = decide("donchian_breakout", bars, { ...atrs, side: "both" });
    // True range 14, from the close of 103 to 89.
    const wide = range + (14 - range) / 14;
    expect(words(short.action).slice(20)).toEqual(["LONG", "SHORT"]);
    expect(short.stop![21]).toBeCloseTo(90 + 2 * wide, 12);
    expect(short.target![21]).toBeCloseTo(90 - 3 * wide, 12);
  });

  it("donchian_breakout has no target if its price would be below 0", () => {
    const falls = barsAround([...Array.from({ length: 20 }, (_, i) => 100 - 4 * i), 10]);
    const { action, target } = decide("donchian_breakout", falls, {
      period: 5,
      target_atr: 50,
      side: "both",
    });
    expect(words(action).at(-1)).toBe("SHORT");
    expect(target!.at(-1)).toBe(none);
  });

  it("supertrend acts exactly when its direction changes", () => {
    const bars = syntheticBars(4, 400);
    const { start, action } = decide("supertrend", bars, { side: "both" });
    const { direction } = supertrend(bars.high, bars.low, bars.close);
    const turns = [...direction.keys()].filter((i) => i > 10 && direction[i] !== direction[i - 1]);
    expect(start).toBe(11);
    expect(turns.length).toBeGreaterThan(5);
    expect([...action.keys()].filter((i) => action[i] !== 0)).toEqual(turns);
    expect(turns.map((i) => words(action)[i])).toEqual(
      turns.map((i) => (direction[i] === 1 ? "LONG" : "SHORT")),
    );
  });

  it("buy_hold is long from the first close", () => {
    expect(decide("buy_hold", closes)).toEqual({ start: 0, action: new Uint8Array(8).fill(1) });
  });
});

describe("strategies based on the signal", () => {
  // No grade, C, B+, B-, C, A+, D.
  const tape = tapeOf([none, 50, 73, 65, 50, 90, 22]);
  const bars = barsAround([1, 2, 3, 4, 5, 6, 7]);

  it("signal goes long at its entry grade and exits at its exit grade", () => {
    const { start, action } = decide("signal", bars, {}, tape);
    expect(start).toBe(1);
    expect(words(action)).toEqual(["-", "-", "LONG", "-", "FLAT", "LONG", "FLAT"]);
  });

  it("signal goes short if the mirrored score earns the grade, with both sides", () => {
    const { action } = decide("signal", bars, { side: "both" }, tapeOf([50, 27, 35, 26, 50, 73, 20]));
    // 100 - 27 earns B+; 65 is B- and holds; 50 is C and exits.
    expect(words(action)).toEqual(["-", "SHORT", "-", "SHORT", "FLAT", "LONG", "SHORT"]);
  });

  it("signal holds if there is no grade", () => {
    const { action } = decide("signal", bars, {}, tapeOf([73, none, none, 40, none, none, none]));
    expect(words(action)).toEqual(["LONG", "-", "-", "FLAT", "-", "-", "-"]);
  });

  it("momentum buys on A+ and A, and sells on D and lower", () => {
    const { action } = decide("momentum", bars, {}, tapeOf([none, 85, 80, 50, 30, 22, 90]));
    expect(words(action)).toEqual(["-", "LONG", "-", "-", "-", "FLAT", "LONG"]);
  });

  it("throws without a tape", () => {
    expect(() => decide("momentum", bars)).toThrow("requires the signal tape");
  });
});

describe("every strategy", () => {
  const names = Object.keys(STRATEGY_TABLE) as NamedStrategy[];
  it.each(names.filter((name) => !STRATEGY_TABLE[name].readsSignal))(
    "%s has its first decision at exactly its minimum number of bars",
    (name) => {
      const checked = paramsOf(name, {});
      if ("problems" in checked) throw new Error("defaults do not hold");
      const minBars = STRATEGY_TABLE[name].minBars(checked.params);
      expect(decide(name, syntheticBars(2, minBars)).start).toBe(minBars - 2);
      expect(decide(name, syntheticBars(2, minBars + 50)).start).toBe(minBars - 2);
    },
  );

  it("returns HOLD for no bars, and for a single one", () => {
    for (const name of names)
      for (const count of [0, 1]) {
        const tape = tapeOf(new Array<number>(count).fill(50));
        const { action, start } = decide(name, syntheticBars(1, count), {}, tape);
        expect([action.length, start <= count]).toEqual([count, true]);
      }
  });
});
