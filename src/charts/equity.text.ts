import { plainText } from "../lib/plain-text.ts";
import { deepestOf, drawdownOf } from "./drawdown.ts";
import { changeText, fixedText, momentText } from "./figures.ts";
import { moneyText } from "./growth-scale.ts";
import { INK } from "./theme.ts";
import type { TradeMark } from "./trade-strip.ts";

/** Columns are as long as `time`. */
export interface EquityChart {
  readonly title: string;
  /** Starts of the bars drawn, epoch ms, ascending. */
  readonly time: Float64Array;
  /** Number of bars of the run, of which those drawn are a part. */
  readonly bars: number;
  /** Value of the account at each close. */
  readonly equity: Float64Array;
  /** Value of the same cash in the same symbols, bought once and held; null if unknown. */
  readonly benchmark: Float64Array | null;
  /** Closed trades. */
  readonly trades: readonly TradeMark[];
  /** Initial cash of the account. */
  readonly cash: number;
  readonly currency: string;
  readonly source: string;
  /** Close time of the last bar, ISO 8601 UTC. */
  readonly asOf: string;
  /** Label of simulated prices; null for real ones. */
  readonly simulated: string | null;
  /** Result of the run in one line, e.g. `Sharpe 0.81, 93 trades`. */
  readonly summary: string;
}

export function equityAltText(picture: EquityChart): string {
  const { title, time, bars, equity, benchmark, trades, cash, currency, simulated } = picture;
  const day = barDateFormatter(time);
  const last = equity.at(-1)!;
  const worth = (amount: number) => `${moneyText(amount)} ${currency}`;
  const marks = highLowMarks(picture).map(
    ({ name, index }) => `${name.toLowerCase()} ${moneyText(equity[index]!)} on ${day(index)}`,
  );
  const deepest = deepestOf(drawdownOf(equity));
  return [
    `Equity of ${plainText(title, 120)}${simulated === null ? "" : " over simulated prices"}: `,
    `${barsText(bars)} from ${day(0)} to ${day(time.length - 1)}, from ${worth(cash)} to ${worth(last)} (${changeText(cash, last)})`,
    ...marks.map((mark) => `, ${mark}`),
    deepest === null
      ? ", never below its peak"
      : `, deepest drawdown ${percentText(deepest.percent)} on ${day(deepest.index)}`,
    benchmark === null
      ? ". "
      : `. Buying and holding ends at ${worth(benchmark.at(-1)!)} (${changeText(cash, benchmark.at(-1)!)}). `,
    trades.length === 0
      ? "No trade was closed."
      : `Closed trades: ${trades.length}, profitable: ${trades.filter(({ profit }) => profit > 0).length}.`,
  ].join("");
}

/** A close to label. */
export interface EquityMark {
  readonly name: "Highest" | "Lowest";
  readonly index: number;
  readonly colour: string;
}

/** Returns the highest and the lowest close, each unless it is the last close or equals the initial cash. */
export function highLowMarks({ equity, cash }: EquityChart): readonly EquityMark[] {
  let [high, low] = [0, 0];
  for (const [index, value] of equity.entries()) {
    if (value > equity[high]!) high = index;
    if (value < equity[low]!) low = index;
  }
  const isLabelled = (index: number) => index !== equity.length - 1 && equity[index] !== cash;
  return [
    ...(isLabelled(high) ? [{ name: "Highest", index: high, colour: INK.target } as const] : []),
    ...(isLabelled(low) && low !== high ? [{ name: "Lowest", index: low, colour: INK.stop } as const] : []),
  ];
}

export const barsText = (bars: number): string => `${fixedText(bars, 0)} ${bars === 1 ? "bar" : "bars"}`;

export const percentText = (percent: number, decimals = 1): string => `${fixedText(percent, decimals)}%`;

const DAY = 86_400_000;
/** Returns true if bars are labelled by their day only. */
export const isDaily = (time: Float64Array): boolean => time.every((start) => start % DAY === 0);
/**
 * Returns a function that labels a bar with its day, or with its start to the minute if not all bars start at 00:00
 * UTC.
 */
export function barDateFormatter(time: Float64Array): (index: number) => string {
  const daily = isDaily(time);
  return (index) => {
    const iso = new Date(time[index]!).toISOString();
    return daily ? iso.slice(0, 10) : momentText(iso);
  };
}
