import { type Bars, mapColumns, sliceBars } from "../../domain/market/bars.ts";
import type { OmittedRow } from "../../domain/market/omitted-rows.ts";

/** Factor by which a price differs from its neighbours that no move explains which is soon undone. */
const SPIKE_FACTOR = 8;
/** Factor within which the bar after a spike is back at the earlier level. */
const BACK_FACTOR = 3;
/** Possible lengths of a spike in bars. A new level that lasts longer is a change of price. */
const SPIKE_LENGTHS = [1, 2];
/** Number of bars read beyond a limit, so that spikes leave out no bar of the limit. */
const SPARE_BARS = 20;

/**
 * Leaves out one or two bars in a row with a price more than 8 times, or less than an eighth of, the close before them,
 * if the next close is back within a factor of 3 of that close; the first bars are compared with the close after them.
 * The newest bar is left out until the next one confirms its level, unless it looks like the first after a split. Returns the same bars if there is none.
 */
export function omitSpikes(bars: Bars): { readonly bars: Bars; readonly omitted: readonly OmittedRow[] } {
  const { time } = bars;
  const spikes = new Set<number>();
  const addSpike = (start: number, end: number) => {
    for (let at = start; at < end; at++) spikes.add(at);
  };
  const first = firstSpikeLength(bars);
  addSpike(0, first);
  let before = bars.close[first]!;
  let at = first + 1;
  while (at < time.length) {
    const length = spikeLength(bars, at, before);
    addSpike(at, at + length);
    if (length === 0) before = bars.close[at]!;
    at += Math.max(1, length);
  }
  if (spikes.size === 0) return { bars, omitted: [] };
  return {
    bars: mapColumns(bars, (column) => column.filter((_, at) => !spikes.has(at))),
    omitted: [...spikes].map((at) => ({ time: time[at]!, reason: "spike" })),
  };
}

/**
 * Returns the newest `limit` bars without spikes, and the rows left out of their period: the spikes and the given rows.
 * The period of all bars includes the rows before them.
 */
export function newestPlausible(
  bars: Bars,
  limit: number,
  dropped: readonly OmittedRow[],
): { readonly bars: Bars; readonly omitted: readonly OmittedRow[] } {
  const start = Math.max(0, bars.time.length - limit - SPARE_BARS);
  const plausible = omitSpikes(sliceBars(bars, start));
  const spare = Math.max(0, plausible.bars.time.length - limit);
  const newest = sliceBars(plausible.bars, spare);
  const from = start + spare === 0 ? -Infinity : (newest.time[0] ?? Infinity);
  return {
    bars: newest,
    omitted: [...dropped, ...plausible.omitted].filter(({ time }) => time >= from),
  };
}

/** Returns the length of a spike that begins with the first bar; 0 if there is none. */
function firstSpikeLength(bars: Bars): number {
  const found = SPIKE_LENGTHS.find((length) => {
    const level = bars.close[length]!;
    const isLevel = spikeLength(bars, length, bars.close[length - 1]!) === 0;
    return isAllFar(bars, 0, length, level) && isBack(bars, length + 1, level) && isLevel;
  });
  return found ?? 0;
}

/** Returns the length of a spike that begins at a bar after the close `before`; 0 if there is none. */
function spikeLength(bars: Bars, at: number, before: number): number {
  if (!isFar(bars, at, before)) return 0;
  if (at === bars.time.length - 1) return isLikeSplit(bars, at, before) ? 0 : 1;
  const found = SPIKE_LENGTHS.find(
    (length) => isAllFar(bars, at, length, before) && isBack(bars, at + length, before),
  );
  return found ?? 0;
}

/**
 * Returns true if a bar of unadjusted prices looks like the first after a split rather than a wrong price: all its prices
 * are at the new level, and its volume, unless unknown, changed with them so that the traded value is closer to usual
 * than the volume is.
 */
function isLikeSplit({ high, low, close, volume, adjustment }: Bars, at: number, before: number): boolean {
  if (adjustment === "split" || adjustment === "total_return" || high[at]! > low[at]! * 2) return false;
  const usual = volume.slice(Math.max(0, at - SPARE_BARS), at).sort()[Math.min(at, SPARE_BARS) >> 1] ?? 0;
  if (usual === 0 || volume[at] === 0) return true;
  const traded = volume[at]! / usual;
  return Math.abs(Math.log((traded * close[at]!) / before)) < Math.abs(Math.log(traded));
}

const isFar = ({ high, low }: Bars, at: number, level: number): boolean =>
  high[at]! > level * SPIKE_FACTOR || low[at]! < level / SPIKE_FACTOR;

/** Returns true if `length` bars from a bar on are all far from a level. */
const isAllFar = (bars: Bars, at: number, length: number, level: number): boolean =>
  isFar(bars, at, level) && (length === 1 || isAllFar(bars, at + 1, length - 1, level));

const isBack = ({ close }: Bars, at: number, level: number): boolean =>
  close[at]! < level * BACK_FACTOR && close[at]! > level / BACK_FACTOR;
