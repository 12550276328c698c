import { type Bars, sliceBars } from "../../domain/market/bars.ts";
import type { Print } from "../../domain/off-exchange/prints.ts";
import { blocksAmong, knownPrints } from "../conviction/blocks.ts";
import { lastClose } from "../conviction/known.ts";
import { sidesOf } from "../conviction/side.ts";
import { clip } from "./driver-value.ts";
import type { DatedFact } from "./facts.ts";

const DAY = 86_400_000;
/** Signed share of an average day at which the driver is full. */
const FULL = 0.05;

/**
 * The fact behind d_block: notional of the last day's large off-exchange prints, bought less sold, in average days
 * over .05, within [-1, 1]. A print above the middle of the quotes was bought, under it sold; on it, or without
 * quotes, the last other price before it decides. The last day goes back to the close of the newest bar that began
 * a day or more before the last one. Null where no large print of it has a sign: that says nothing.
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
  return found.blocks === found.unsigned ? null : { value: clip(days / FULL), time, inputs: found };
}

/** Close of the newest bar that began a day or more before the last one; the beginning of time without one. */
function dayBefore(bars: Bars): number {
  const { time } = bars;
  let bar = time.length - 1;
  while (bar >= 0 && time[bar]! > time[time.length - 1]! - DAY) bar--;
  return bar < 0 ? Number.NEGATIVE_INFINITY : lastClose(sliceBars(bars, 0, bar + 1));
}
