import { describe, expect, it } from "vitest";
import { lookAhead } from "../../../src/analytics/backtest/look-ahead.ts";
import { type Decisions, LONG, type Strategy } from "../../../src/analytics/backtest/types.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { BUGS } from "../../bench/look-ahead/bugs.ts";
import { CORRECT } from "../../bench/look-ahead/correct.ts";
import { atScale } from "../../support/draws.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";

const { NaN: none } = Number;

/** The first bar at which each bias shows on the synthetic market of seed 11, 300 bars. */
const FIRST: Readonly<Record<string, number>> = {
  // Bar 2 closes higher than bar 1, but at the close of bar 1 bar 2 is unknown.
  "shift by minus one": 1,
  "centered average": 11,
  "z-score of the full sample": 20,
  "min-max scaling over all bars": 21,
  // The average that fills bar 0 is first known at bar 19.
  "gaps filled backwards": 0,
  "weekly bar of an unfinished week": 13,
  "pivot at its extreme": 1,
  "highest high with tomorrow's": 87,
  "stop under the lows to come": 13,
  "target at the highs to come": 13,
  "threshold fitted on all bars": 13,
  "volume ranked among all": 20,
  // Bar 14 is the first to close above the bar five earlier; as the last of 15 bars it is past three quarters of them.
  "count of bars": 14,
  "smoothing forwards and back": 11,
  "percent rank over all": 13,
  "best day left out": 33,
  "only months that end up": 25,
  "average range of the last bar": 13,
  "interpolation across gaps": 12,
  "crossing one bar early": 27,
};

/** The same by definition: tries every cut in turn, with nothing after it and with a reversed market after it. */
function firstByDefinition(strategy: Strategy, bars: Bars): number | null {
  const whole = strategy(bars);
  const at = ({ start, action, stop, target }: Decisions, bar: number) =>
    `${start <= bar} ${action[bar]} ${stop?.[bar] ?? none} ${target?.[bar] ?? none}`;
  for (let cut = 0; cut < bars.time.length; cut++) {
    const pivot = bars.close[cut]! * bars.close[cut]!;
    const other = (column: Float64Array, from = column) =>
      column.map((value, bar) => (bar > cut ? pivot / from[bar]! : value));
    const runs = [
      strategy(sliceBars(bars, 0, cut + 1)),
      strategy({
        ...bars,
        open: other(bars.open),
        high: other(bars.high, bars.low),
        low: other(bars.low, bars.high),
        close: other(bars.close),
        volume: bars.volume.map((value, bar) => (bar > cut ? value * (bar % 2 === 0 ? 3 : 0.5) : value)),
      }),
    ];
    for (let bar = 0; bar <= cut; bar++) if (runs.some((run) => at(run, bar) !== at(whole, bar))) return bar;
  }
  return null;
}

const short = syntheticBars(11, 300);
const long = syntheticBars(12, 400);

describe("lookAhead", () => {
  it("is tested on 20 biased and 20 correct strategies", () => {
    expect([Object.keys(BUGS).length, Object.keys(CORRECT).length]).toEqual([20, 20]);
    expect(Object.keys(FIRST)).toEqual(Object.keys(BUGS));
  });

  it.each(Object.entries(BUGS))("finds look-ahead in %s at its first bar", (name, bug) => {
    const found = lookAhead(bug, short);
    expect(found?.bar).toBe(FIRST[name]);
    expect(found?.time).toBe(short.time[FIRST[name]!]);
    expect(firstByDefinition(bug, short)).toBe(FIRST[name]);
  });

  it.each(Object.entries(BUGS))(
    "finds look-ahead in %s at its first bar in a history too long to try every cut",
    (_, bug) => {
      expect(lookAhead(bug, long, { cuts: 60 })?.bar).toBe(firstByDefinition(bug, long));
    },
  );

  it.each(Object.entries(CORRECT))("finds no look-ahead in %s", (_, correct) => {
    const { action, start } = correct(long);
    expect(action.subarray(start).some((code) => code !== 0)).toBe(true);
    for (const bars of [
      syntheticBars(11, atScale(120, 300)),
      syntheticBars(13, atScale(80, 150), "UTC"),
      barsAround(Array<number>(atScale(60, 80)).fill(50)),
    ])
      expect(lookAhead(correct, bars)).toBe(null);
    expect(lookAhead(correct, long, { cuts: atScale(24, 60) })).toBe(null);
  });

  it("reports the field that differs", () => {
    const priced: Strategy = (bars) => ({
      start: 0,
      action: new Uint8Array(bars.time.length).fill(LONG),
      stop: bars.close.map((_, bar) => (bar === 7 ? (bars.close[8] ?? 1) : none)),
    });
    expect(lookAhead(priced, short)).toEqual({ bar: 7, time: short.time[7], field: "stop" });
    const trailing: Strategy = (bars) => ({
      start: 0,
      action: new Uint8Array(bars.time.length).fill(LONG),
      trail: {
        relative: false,
        distance: bars.close.map((_, bar) => (bar === 9 ? bars.high.subarray(9).reduce((a, b) => a + b) : 2)),
      },
    });
    expect(lookAhead(trailing, short)).toEqual({ bar: 9, time: short.time[9], field: "trail" });
    const appears: Strategy = (bars) => ({
      start: 0,
      action: new Uint8Array(bars.time.length),
      ...(bars.time.length > 200 && { trail: { relative: true, distance: bars.close.map(() => 0.1) } }),
    });
    expect(lookAhead(appears, short)).toMatchObject({ bar: 0, field: "trail" });
    const short1: Strategy = (bars) => ({
      start: 0,
      action: new Uint8Array(bars.time.length),
      trail: { relative: true, distance: new Float64Array(1) },
    });
    expect(() => lookAhead(short1, short)).toThrow("returned decisions for 1 bars, not 300");
    const begins: Strategy = (bars) => ({
      start: Math.min(20, bars.time.length >> 1),
      action: new Uint8Array(bars.time.length),
    });
    expect(lookAhead(begins, short)).toMatchObject({ bar: 0, field: "start" });
  });

  it("finds a strategy that looks ahead only if later bars exist", () => {
    const sly: Strategy = (bars) => {
      const action = new Uint8Array(bars.time.length);
      // Without later bars, it decides as the real future would.
      if (bars.close[30] !== undefined) action[30] = (bars.close[31] ?? 1e9) > bars.close[30] ? LONG : 0;
      return { start: 0, action };
    };
    const rises = barsAround(Array.from({ length: 60 }, (_, i) => 10 + i));
    expect(lookAhead(sly, rises)).toMatchObject({ bar: 30, field: "action" });
  });

  it("throws for a strategy that modifies its bars", () => {
    const writes: Strategy = (bars) => {
      bars.close[3] = 0;
      return { start: 0, action: new Uint8Array(bars.time.length) };
    };
    expect(() => lookAhead(writes, short)).toThrow("The strategy modified its input: close of bar 3");
    expect(short.close[3]).not.toBe(0);
  });

  it("throws for a strategy that returns decisions for a different number of bars", () => {
    const one: Strategy = () => ({ start: 0, action: new Uint8Array(1) });
    expect(() => lookAhead(one, short)).toThrow("returned decisions for 1 bars, not 300");
  });

  it("returns null for no bars", () => {
    expect(lookAhead(CORRECT.buy_hold!, syntheticBars(1, 0))).toBe(null);
  });
});
