import { type Bars, mapColumns, sliceBars } from "../../domain/market/bars.ts";
import type { Decisions, Strategy } from "./types.ts";

/** The first decision that depends on later bars. */
export interface LookAhead {
  readonly bar: number;
  /** Start of the bar, epoch ms. */
  readonly time: number;
  readonly field: (typeof FIELDS)[number] | "start";
}

const FIELDS = ["action", "stop", "target", "limit", "trail"] as const;
const COLUMNS = ["time", "open", "high", "low", "close", "volume"] as const;
const CUTS = 400;

/**
 * Returns the first decision that depends on later bars; null if no decision does. For each cut, the strategy runs on
 * the bars up to the cut, and again with altered bars after it (later moves mirrored, volumes changed). Both runs must
 * make the same decisions up to the cut as the run on all bars. A history of more than `cuts` bars (default 400) is
 * cut at bars with an action and at evenly spaced bars; if a difference is found, all earlier cuts are tried too.
 * @throws TypeError if the strategy modifies its bars, or returns decisions for a different number of bars
 */
export function lookAhead(
  strategy: Strategy,
  bars: Bars,
  { cuts = CUTS }: { readonly cuts?: number } = {},
): LookAhead | null {
  const fullRun = run(strategy, bars);
  const tried = cutsOf(fullRun, cuts);
  const found = firstOf(strategy, bars, fullRun, tried);
  if (found === null || tried.length === bars.time.length) return found?.lookAhead ?? null;
  const before = Array.from({ length: found.cut }, (_, cut) => cut);
  return (firstOf(strategy, bars, fullRun, before) ?? found).lookAhead;
}

interface Found {
  readonly cut: number;
  readonly lookAhead: LookAhead;
}

function firstOf(strategy: Strategy, bars: Bars, fullRun: Decisions, cuts: Iterable<number>): Found | null {
  for (const cut of cuts) {
    const short = firstDifference(run(strategy, sliceBars(bars, 0, cut + 1)), fullRun, cut);
    const other = firstDifference(run(strategy, mirroredAfter(bars, cut)), fullRun, cut);
    const first = other !== null && (short === null || other.bar < short.bar) ? other : short;
    if (first !== null) return { cut, lookAhead: { ...first, time: bars.time[first.bar]! } };
  }
  return null;
}

/**
 * Returns the bars after which to cut, ascending: all bars of a short history, else up to half of `most` with an action
 * and half evenly spaced.
 */
function cutsOf({ action }: Decisions, most: number): readonly number[] {
  const all = [...action.keys()];
  if (all.length <= most) return all;
  const spread = (from: readonly number[]) => {
    const step = Math.max(1, from.length / (most / 2));
    return Array.from({ length: Math.ceil(from.length / step) }, (_, i) => from[Math.floor(i * step)]!);
  };
  const acting = all.filter((bar) => action[bar] !== 0);
  return [...new Set([...spread(acting), ...spread(all)])].sort((a, b) => a - b);
}

type Column = Uint8Array | Float64Array;

const columnOf = (decisions: Decisions, field: (typeof FIELDS)[number]): Column | undefined =>
  field === "trail" ? decisions.trail?.distance : decisions[field];

/** Returns true if the first `count` values of two columns are the same bytes, which means that they are equal. */
const sameBytes = (one: Column, other: Column, count: number): boolean => {
  const bytes = ({ buffer, byteOffset, BYTES_PER_ELEMENT }: Column) =>
    new Uint8Array(buffer, byteOffset, count * BYTES_PER_ELEMENT);
  return Buffer.compare(bytes(one), bytes(other)) === 0;
};

/** Returns the first bar, up to `last`, at which two runs differ; null if they agree. */
function firstDifference(cut: Decisions, fullRun: Decisions, last: number): Omit<LookAhead, "time"> | null {
  const isSame = (one?: Column, other?: Column) =>
    one === other || (one !== undefined && other !== undefined && sameBytes(one, other, last + 1));
  if (
    cut.start === fullRun.start &&
    FIELDS.every((field) => isSame(columnOf(cut, field), columnOf(fullRun, field)))
  )
    return null;
  for (let bar = 0; bar <= last; bar++) {
    if (cut.start <= bar !== fullRun.start <= bar) return { bar, field: "start" };
    for (const field of FIELDS)
      if (
        !Object.is(columnOf(cut, field)?.[bar] ?? Number.NaN, columnOf(fullRun, field)?.[bar] ?? Number.NaN)
      )
        return { bar, field };
  }
  return null;
}

/** Runs the strategy on a copy of the bars. Throws if it modified them or returned a wrong number of decisions. */
function run(strategy: Strategy, bars: Bars): Decisions {
  const own = mapColumns(bars, (column) => column.slice());
  const decisions = strategy(own);
  for (const name of COLUMNS) {
    if (sameBytes(own[name], bars[name], bars[name].length)) continue;
    for (let bar = 0; bar < bars[name].length; bar++)
      if (!Object.is(own[name][bar], bars[name][bar]))
        throw new TypeError(`The strategy modified its input: ${name} of bar ${bar}`);
  }
  for (const column of FIELDS.map((field) => columnOf(decisions, field)))
    if (column !== undefined && column.length !== bars.time.length)
      throw new TypeError(
        `The strategy returned decisions for ${column.length} bars, not ${bars.time.length}`,
      );
  return decisions;
}

/**
 * Returns bars that are unchanged up to the cut; later prices are mirrored at the cut's close, so that rises become
 * equal falls, and volumes are changed.
 */
function mirroredAfter(bars: Bars, cut: number): Bars {
  const own = mapColumns(bars, (column) => column.slice());
  const square = bars.close[cut]! ** 2;
  for (let bar = cut + 1; bar < bars.time.length; bar++) {
    own.open[bar] = square / bars.open[bar]!;
    own.close[bar] = square / bars.close[bar]!;
    own.high[bar] = square / bars.low[bar]!;
    own.low[bar] = square / bars.high[bar]!;
    own.volume[bar] = bars.volume[bar]! * (bar % 2 === 0 ? 3 : 0.5);
  }
  return own;
}
