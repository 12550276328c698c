import type { Bars } from "../../domain/market/bars.ts";
import { mean } from "../statistics.ts";

/** Number of bars of the mean. */
const BARS = 20;

/**
 * Returns the mean volume of the last 20 closed bars, in units of the instrument. Null with fewer bars, or if the volume
 * of one is missing, infinite or 0.
 */
export function meanVolume({ volume }: Pick<Bars, "volume">): number | null {
  const last = volume.subarray(Math.max(0, volume.length - BARS));
  const isKnown = last.every((units) => units > 0 && Number.isFinite(units));
  return last.length < BARS || !isKnown ? null : mean(last);
}
