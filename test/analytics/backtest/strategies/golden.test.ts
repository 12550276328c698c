import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FLAT, HOLD, LONG, SHORT } from "../../../../src/analytics/backtest/types.ts";
import { readDailyBars } from "../../../support/daily-bars.ts";
import { describeWithData } from "../../../support/test-data.ts";
import { decide } from "./decide.ts";

/** The trades of a reference run of backtesting.py 0.6.6 (Zach Lůža, kernc) on GOOG, one per row. */
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

  it("crosses averages of 10 and 20 bars one bar before each of the 93 reference entries, on the same side", () => {
    const trades = tradesOf(folder, "sma10_20_comm0.002_exclusive");
    const { action, start } = decide("sma_cross", bars, { fast: 10, slow: 20, side: "both" });
    expect(start).toBe(20);
    // The last cross opens a trade that is still open in the reference and so not listed.
    expect(
      acting(action)
        .slice(0, trades.length)
        .map((bar) => [bar + 1, action[bar]]),
    ).toEqual(trades.map(({ EntryBar, Size }) => [EntryBar, Size! > 0 ? LONG : SHORT]));
    expect(acting(action)).toHaveLength(trades.length + 1);
  });

  it("crosses averages of 50 and 200 bars one bar before each of the 5 reference entries and 4 exits", () => {
    const trades = tradesOf(folder, "sma50_200_longonly_comm0.001");
    const { action } = decide("sma_cross", bars, { fast: 50, slow: 200, side: "long" });
    const bought = acting(action).filter((bar) => action[bar] === LONG);
    const sold = acting(action).filter((bar) => action[bar] === FLAT);
    expect(bought.map((bar) => bar + 1)).toEqual(trades.map(({ EntryBar }) => EntryBar));
    // The reference closes the fifth trade at the end of the data; an initial downward cross closes nothing.
    expect(sold.filter((bar) => bar > bought[0]!).map((bar) => bar + 1)).toEqual(
      trades.slice(0, 4).map(({ ExitBar }) => ExitBar),
    );
  });

  it("breaks out of 20 bars at exactly the 87 reference entries, with their stops and targets", () => {
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
