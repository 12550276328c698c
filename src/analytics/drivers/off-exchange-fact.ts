import type { OffExchangeDay } from "../../domain/off-exchange/off-exchange.ts";
import { clip } from "./driver-value.ts";
import type { DatedFact } from "./facts.ts";

const DAY = 86_400_000;
/** Days that a share is compared with, itself among them. */
const WINDOW = 60;
/** Deviations at which the driver is full. */
const FULL = 2;
/** Age at which figures say nothing of today any more: a week, with a holiday on either side. */
const MAX_AGE_MS = 9 * DAY;

/** The share of off-exchange volume that was sold short, 0-1; null on a day without volume. */
export const shortShare = ({ short, total }: OffExchangeDay): number | null =>
  total > 0 && short >= 0 && short <= total ? short / total : null;

/**
 * The fact behind d_offex: population deviations of the newest off-exchange short share above the mean of the last 60
 * days, itself among them, over 2, within [-1, 1]. Reads only what had been published by `at` (epoch ms). Null under 60
 * days with volume, where the share does not move, and where the newest is more than nine days old.
 *
 * High reads as bought: wholesalers sell short what their customers buy. Others read the same share as selling, so the
 * sign is contested, and the inputs say so.
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
    value: clip(z / FULL),
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
