import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { suspectedSplits } from "../../src/analytics/backtest/splits.ts";
import { ruleColumn, ruleOf } from "../../src/analytics/conditions/rule.ts";
import { type Odds, oddsOf } from "../../src/analytics/odds/odds.ts";
import { QUANTILES } from "../../src/analytics/odds/quantiles.ts";
import { consensus } from "../../src/analytics/score/consensus.ts";
import type { Bars } from "../../src/domain/market/bars.ts";
import type { AssetClass } from "../../src/domain/market/market.ts";
import { readDailyBars } from "../support/daily-bars.ts";
import { unsoundNumbers } from "../support/hostile-kernels.ts";
import { splitWindows } from "../support/split-windows.ts";
import { barsAround } from "../support/synthetic-bars.ts";
import { describeWithData } from "../support/test-data.ts";

const HORIZONS = [5, 20, 60];
const outcomeOf = (bars: Bars, assetClass: AssetClass) =>
  oddsOf({ bars, assetClass, symbol: "X", horizons: HORIZONS });

/** Price of a share of the forecast or of the base of a horizon. */
const at = (quantiles: readonly number[] | null, share: (typeof QUANTILES)[number]): number =>
  quantiles![QUANTILES.indexOf(share)]!;

/** A rarely traded symbol is refused by its share of bars without a range, or its range stays near its base. */
function expectThin(file: string): void {
  const { odds, reason } = outcomeOf(readDailyBars(file), "etf");
  expect(unsoundNumbers(odds)).toEqual([]);
  if (odds === null) {
    expect(reason).toMatch(/^\d+% of the \d+ bars have no range/);
    return;
  }
  for (const { quantiles, baseQuantiles } of odds.horizons) {
    const width = (prices: readonly number[] | null) => at(prices, 0.95) - at(prices, 0.05);
    expect(width(quantiles)).toBeLessThanOrEqual(3 * width(baseQuantiles));
  }
}

/** The 80 % range overlaps the base range, and the median is within a standard deviation of the close. */
function expectCash(file: string): void {
  const bars = readDailyBars(file);
  const { odds, reason } = outcomeOf(bars, "etf");
  if (odds === null) throw new Error(reason);
  expect(odds.horizons.map((horizon) => horizon.bars)).toEqual(HORIZONS);
  for (const { quantiles, baseQuantiles, deviation } of odds.horizons as Odds["horizons"]) {
    expect(at(quantiles, 0.1)).toBeLessThanOrEqual(at(baseQuantiles, 0.9));
    expect(at(baseQuantiles, 0.1)).toBeLessThanOrEqual(at(quantiles, 0.9));
    expect(Math.abs(Math.log(at(quantiles, 0.5) / odds.close))).toBeLessThanOrEqual(deviation);
  }
}

/** Levels at a step of at most .01 % of the price, one ratio in field and reason, the stop outside the zone. */
function expectCoin(file: string): void {
  const bars: Bars = { ...readDailyBars(file, "UTC"), timeframe: "1h" };
  const { levels, direction, reason, close } = consensus({
    bars,
    assetClass: "crypto",
    benchmark: null,
    isBenchmark: false,
    peers: [],
    universe: null,
  });
  if (levels === null) throw new Error("no levels");
  const { entry, stop, targets, reward_to_risk: ratio } = levels;
  // both coins are between 1 and 10 USD: a step of .0001 is at most .01 % of the price, one of .01 is not
  const prices = [entry.low, entry.high, stop, ...targets];
  expect(close).toBeGreaterThan(1);
  expect(prices).toEqual(prices.map((price) => Number(price.toFixed(4))));
  expect(prices).not.toEqual(prices.map((price) => Number(price.toFixed(3))));
  expect(entry.low).toBeLessThan(entry.high);
  expect(stop < entry.low || stop > entry.high).toBe(true);
  const worse = levels.side === "LONG" ? entry.high : entry.low;
  const exact = Math.abs(targets[0]! - worse) / Math.abs(worse - stop);
  expect(ratio).toBe(Number(ratio.toFixed(2)));
  expect(Math.abs(ratio - exact)).toBeLessThan(0.01);
  const said = /[Rr]eward to risk (?:is )?([\d.]+)/.exec(reason ?? "");
  if (said !== null) expect(Number(said[1])).toBe(ratio);
  if (direction !== "WAIT") expect(ratio).toBeGreaterThanOrEqual(1.5);
}

function expectSplits(file: string): void {
  const { noSplit, split } = splitWindows(file);
  const found = (bars: Bars) => suspectedSplits(bars).map(({ index, ratio }) => `${index} ${ratio}`);
  expect(noSplit.map(({ symbol, bars }) => [symbol, found(bars)])).toEqual(
    noSplit.map(({ symbol }) => [symbol, []]),
  );
  expect(split.map(({ symbol, bars }) => [symbol, found(bars)])).toEqual(
    split.map(({ symbol, ratio }) => [symbol, [`30 ${ratio}`]]),
  );
}

function expectCrossings(file: string): void {
  const { cross } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly cross: readonly {
      readonly closes: readonly number[];
      readonly op: string;
      readonly level: number;
      readonly right_bars: readonly number[];
    }[];
  };
  for (const { closes, op, level, right_bars } of cross) {
    const rule = ruleOf(`close ${op} ${level}`);
    if ("problems" in rule) throw new Error(JSON.stringify(rule.problems));
    const { held } = ruleColumn(rule, barsAround(closes));
    expect([...held.keys()].filter((bar) => held[bar] === 1)).toEqual(right_bars);
  }
}

/** What is right for each file, from the README of the folder; null for the README itself. */
const CASES: Readonly<Record<string, ((file: string) => void) | null>> = {
  "README.md": null,
  "cash-a.csv": expectCash,
  "coin-1h-a.csv": expectCoin,
  "coin-1h-b.csv": expectCoin,
  "cross.json": expectCrossings,
  "splits.json": expectSplits,
  "thin-a.csv": expectThin,
};

describeWithData("recorded edge cases", ["numbers"], (folder) => {
  it("each have a test", () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(CASES));
  });

  describe("are as the README says", () => {
    const cases = Object.entries(CASES).flatMap(([name, check]) => (check === null ? [] : [{ name, check }]));
    it.each(cases)("$name", ({ name, check }) => check(join(folder, name)));
  });
});
