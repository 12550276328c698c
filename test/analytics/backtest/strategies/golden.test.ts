import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FLAT, HOLD, LONG, SHORT } from "../../../../src/analytics/backtest/types.ts";
import { readDailyBars } from "../../../support/daily-bars.ts";
import { describeWithData } from "../../../support/test-data.ts";
import { decide } from "./decide.ts";

/** The trades of a reference run of backtesting.py 0.6.6 (Zach Lůža, kernc) on GOOG, a row each. */
function tradesOf(folder: string, name: string): readonly Readonly<Record<string, number>>[] {
  const [head, ...rows] = readFileSync(join(folder, `golden_${name}_trades.csv`), "utf8")
    .trim()
    .split("\n");
  const names = head!.split(",").slice(0, 7);
  return rows.map((row) => {
    const cells = row.split(",");
    return Object.fromEntries(names.map((column, i) => [column, Number(cells[i])]));
  });
}

const acting = (action: Uint8Array) => [...action.keys()].filter((bar) => action[bar] !== HOLD);

describeWithData("the strategies of the reference runs", ["backtest"], (folder) => {
  const bars = readDailyBars(join(folder, "GOOG.csv"));

  it("cross averages of 10 and 20 bars at the bars before its 93 entries, on its sides", () => {
    const trades = tradesOf(folder, "sma10_20_comm0.002_exclusive");
    const { action, start } = decide("sma_cross", bars, { fast: 10, slow: 20, side: "both" });
    expect(start).toBe(20);
    // the last cross opens what the reference leaves open and does not list
    expect(
      acting(action)
        .slice(0, trades.length)
        .map((bar) => [bar + 1, action[bar]]),
    ).toEqual(trades.map(({ EntryBar, Size }) => [EntryBar, Size! > 0 ? LONG : SHORT]));
    expect(acting(action)).toHaveLength(trades.length + 1);
  });

  it("cross averages of 50 and 200 bars at the bars before its 5 entries and 4 exits", () => {
    const trades = tradesOf(folder, "sma50_200_longonly_comm0.001");
    const { action } = decide("sma_cross", bars, { fast: 50, slow: 200, side: "long" });
    const bought = acting(action).filter((bar) => action[bar] === LONG);
    const sold = acting(action).filter((bar) => action[bar] === FLAT);
    expect(bought.map((bar) => bar + 1)).toEqual(trades.map(({ EntryBar }) => EntryBar));
    // it closes the fifth with the data; a first cross downwards closes nothing
    expect(sold.filter((bar) => bar > bought[0]!).map((bar) => bar + 1)).toEqual(
      trades.slice(0, 4).map(({ ExitBar }) => ExitBar),
    );
  });

  it("break out of 20 bars at its 87 entries with its stops and targets, and nowhere else while out", () => {
    const trades = tradesOf(folder, "breakout20_atr_bracket_2x3_comm0.001");
    const { action, start, stop, target } = decide("donchian_breakout", bars, {
      period: 20,
      stop_atr: 2,
      target_atr: 3,
    });
    expect(start).toBe(21);
    const entered = trades.map(({ EntryBar }) => {
      const bar = EntryBar! - 1;
      return [action[bar], stop![bar], target![bar]];
    });
    trades.forEach(({ SL, TP }, i) => {
      expect(entered[i]![0]).toBe(LONG);
      expect(Math.abs(entered[i]![1]! / SL! - 1)).toBeLessThan(1e-12);
      expect(Math.abs(entered[i]![2]! / TP! - 1)).toBeLessThan(1e-12);
    });
    const out = acting(action).filter(
      (bar) => !trades.some(({ EntryBar, ExitBar }) => bar >= EntryBar! - 1 && bar < ExitBar!),
    );
    expect(out).toEqual([]);
  });
});
