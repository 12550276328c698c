import { type Bars, sliceBars } from "../../domain/market/bars.ts";
import type { OffExchangeDay } from "../../domain/off-exchange/off-exchange.ts";
import type { Print } from "../../domain/off-exchange/prints.ts";
import { blocksAmong, knownPrints } from "../conviction/blocks.ts";
import { lastClose } from "../conviction/session-close.ts";
import { sidesOf } from "../conviction/side.ts";
import { clip } from "./driver-value.ts";
import type { DatedFact } from "./facts.ts";

const DAY = 86_400_000;
/** Number of days that a share is compared with, including its own. */
const WINDOW = 60;
/** Deviations at which the driver reaches 1. */
const FULL_Z = 2;
/** Maximum age of the figures: a week with a holiday on either side. */
const MAX_AGE_MS = 9 * DAY;

/** Returns the share of off-exchange volume that was sold short, 0-1; null on a day without volume. */
export const shortShare = ({ short, total }: OffExchangeDay): number | null =>
  total > 0 && short >= 0 && short <= total ? short / total : null;

/**
 * Returns the fact for d_offex: the z-score (population deviation) of the newest off-exchange short share within the
 * last 60 days, over 2, clipped to [-1, 1]. Uses only data published by `at` (epoch ms). Null with fewer than 60 days
 * with volume, if the share does not vary, and if the newest is more than nine days old.
 *
 * A high share is interpreted as buying: wholesalers sell short what their customers buy. Others interpret it as
 * selling, so the sign is contested, which the inputs state.
 * @see SqueezeMetrics, "Short Is Long" (2018)
 */
export function offExchangeFact(days: readonly OffExchangeDay[], at: number): DatedFact | null {
  const known = days
    .flatMap((day) => {
      const share = day.knownAt <= at ? shortShare(day) : null;
      return share === null ? [] : [{ ...day, share }];
    })
    .sort((a, b) => a.day - b.day)
    .slice(-WINDOW);
  const newest = known.at(-1);
  if (newest === undefined || known.length < WINDOW || at - newest.knownAt > MAX_AGE_MS) return null;
  const mean = known.reduce((sum, { share }) => sum + share, 0) / WINDOW;
  const variance = known.reduce((sum, { share }) => sum + (share - mean) ** 2, 0) / WINDOW;
  if (!(variance > 1e-12)) return null;
  const z = (newest.share - mean) / Math.sqrt(variance);
  return {
    value: clip(z / FULL_Z),
    time: newest.knownAt,
    inputs: {
      date: new Date(newest.day).toISOString().slice(0, 10),
      short_share: newest.share,
      mean_60: mean,
      z_60: z,
      sign: "contested",
    },
  };
}

/** Signed share of an average day's notional at which the driver reaches 1. */
const FULL_DAYS = 0.05;

/**
 * Returns the fact for d_block: notional of the last day's large off-exchange prints, bought minus sold, relative to
 * an average day, over .05, clipped to [-1, 1]. A print above the quote midpoint was bought, one below it sold; at it,
 * or without quotes, the tick test decides. The last day starts at the close of the newest bar that began at least a
 * day before the last one. Null if no large print has a known side.
 * @see Charles Lee and Mark Ready, "Inferring Trade Direction from Intraday Data", Journal of Finance 46 (1991)
 */
export function blockFact(prints: readonly Print[], bars: Bars): DatedFact | null {
  const known = knownPrints(prints, bars);
  const since = dayBefore(bars);
  const recent = new Map(
    blocksAmong(known, bars).flatMap((block) =>
      block.print.reportedAt > since ? [[block.print, block]] : [],
    ),
  );
  const found = { blocks: 0, unsigned: 0, bought: 0, sold: 0 };
  let [days, time] = [0, Number.NaN];
  const sides = sidesOf(known);
  for (const [i, print] of known.entries()) {
    const block = recent.get(print);
    if (block === undefined) continue;
    const { sign } = sides[i]!;
    found.blocks++;
    if (sign === 0) found.unsigned++;
    else {
      found[sign > 0 ? "bought" : "sold"] += block.notional;
      days += sign * block.days;
      time = print.reportedAt;
    }
  }
  return found.blocks === found.unsigned ? null : { value: clip(days / FULL_DAYS), time, inputs: found };
}

/**
 * Returns the close of the newest bar that began at least a day before the last one; the earliest possible time without
 * one.
 */
function dayBefore(bars: Bars): number {
  const { time } = bars;
  let bar = time.length - 1;
  while (bar >= 0 && time[bar]! > time[time.length - 1]! - DAY) bar--;
  return bar < 0 ? Number.NEGATIVE_INFINITY : lastClose(sliceBars(bars, 0, bar + 1));
}
