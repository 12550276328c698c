import { suspectedSplits } from "../../../src/analytics/backtest/splits.ts";
import { type Bars, mapColumns, sliceBars } from "../../../src/domain/market/bars.ts";
import { randomOf } from "../detectors/random.ts";

/** Ratios of planted splits, shares after and before. */
export const RATIOS = [
  [5, 4],
  [4, 3],
  [3, 2],
  [5, 3],
  [2, 1],
  [5, 2],
  [3, 1],
  [4, 1],
  [7, 1],
  [10, 1],
  [20, 1],
  [1, 2],
  [1, 5],
  [1, 10],
  [1, 20],
] as const;
/** Bars before and from a planted split. */
const WINDOW = { before: 40, from: 10 } as const;

/** Volumes of a planted split: of the shares of their day, or adjusted while the prices are not. */
export type VolumeForm = "raw" | "adjusted";

export interface Recall {
  readonly ratio: string;
  readonly planted: number;
  readonly found: number;
  /** The same with only one bar at the new price. */
  readonly foundOnFirstDay: number;
}

/** Returns bars whose prices before `index` are those before a split, unadjusted. */
export const withSplit = (bars: Bars, index: number, factor: number, volumes: VolumeForm): Bars =>
  mapColumns(bars, (column, name) => {
    if (name === "time" || (name === "volume" && volumes === "adjusted")) return column;
    const scale = name === "volume" ? 1 / factor : factor;
    return column.map((value, i) => (i < index ? value * scale : value));
  });

/** Plants each ratio at `perSeries` random bars of each series and counts how many are found at that bar. */
export function recallOf(
  series: readonly Bars[],
  {
    perSeries,
    seed,
    volumes,
  }: { readonly perSeries: number; readonly seed: number; readonly volumes: VolumeForm },
): readonly Recall[] {
  return RATIOS.map(([after, before]) => {
    const { whole } = randomOf(seed, 0);
    const counts = { planted: 0, found: 0, foundOnFirstDay: 0 };
    for (const bars of series)
      for (let i = 0; i < perSeries; i++) {
        const room = bars.time.length - WINDOW.before - WINDOW.from;
        const start = whole(0, room);
        const window = sliceBars(bars, start, start + WINDOW.before + WINDOW.from);
        const split = withSplit(window, WINDOW.before, after / before, volumes);
        const isFound = (one: Bars) => suspectedSplits(one).some(({ index }) => index === WINDOW.before);
        counts.planted++;
        if (isFound(split)) counts.found++;
        if (isFound(sliceBars(split, 0, WINDOW.before + 1))) counts.foundOnFirstDay++;
      }
    return { ratio: `${after}:${before}`, ...counts };
  });
}

export interface FalseAlarms {
  readonly bars: number;
  /** Overnight changes of at least 18 %, which are looked at. */
  readonly moves: number;
  readonly alarms: number;
}

/** Counts the suspected splits in series that have none. */
export function falseAlarmsOf(series: Iterable<Bars>): FalseAlarms {
  const counts = { bars: 0, moves: 0, alarms: 0 };
  for (const bars of series) {
    counts.bars += bars.time.length;
    for (let i = 1; i < bars.time.length; i++)
      if (Math.abs(Math.log(bars.open[i]! / bars.close[i - 1]!)) >= 0.18) counts.moves++;
    counts.alarms += suspectedSplits(bars).length;
  }
  return counts;
}

/** Length of a storm, bars, and how far it stretches moves and volumes at its peak. */
const STORM = { bars: 20, every: 120, stretch: 5, volume: 2.5 } as const;

/**
 * Returns a series with market crises like that of March 2020: every 120 bars the moves of 20 bars are stretched up to
 * five times, rising linearly, with volumes up to 2.5 times as high.
 */
export function stormy(bars: Bars): Bars {
  const { length } = bars.time;
  const columns = {
    open: new Float64Array(length),
    high: new Float64Array(length),
    low: new Float64Array(length),
    close: new Float64Array(length),
    volume: new Float64Array(length),
  };
  let before = bars.close[0]!;
  for (let i = 0; i < length; i++) {
    const place = i % STORM.every;
    const share = i === 0 || place >= STORM.bars ? 0 : (place + 1) / STORM.bars;
    const stretch = 1 + (STORM.stretch - 1) * share;
    const was = i === 0 ? bars.close[0]! : bars.close[i - 1]!;
    for (const name of ["open", "high", "low", "close"] as const)
      columns[name][i] = before * (bars[name][i]! / was) ** stretch;
    columns.volume[i] = bars.volume[i]! * (1 + (STORM.volume - 1) * share);
    before = columns.close[i]!;
  }
  return { ...bars, ...columns };
}
