import type { FlowDay } from "../../domain/options-flow/options.ts";
import { clip } from "../drivers/driver-value.ts";
import type { DatedFact } from "../drivers/facts.ts";
import { rollingZ } from "../indicators/rolling-z.ts";

const DAY = 86_400_000;
const WINDOW = 60;
/** Maximum span of sixty stored days, with allowance for missing ones. */
const MAX_SPAN_MS = 120 * DAY;
/** Maximum age of the newest day: a weekend with a holiday. */
const MAX_AGE_MS = 4 * DAY;

/**
 * Returns the fact for o_pc as known at `asOf` (epoch ms): minus half the z-score, over 60 stored days, of the share
 * of puts in option volume, clipped to [-1, 1]. Null with fewer than 60 days within 120, if the newest is older than
 * four days, or if the share does not vary.
 * @see Jun Pan and Allen Poteshman, "The Information in Option Volume for Future Stock Prices" (2006)
 */
export const putCallFact = (days: readonly FlowDay[], asOf: number): DatedFact | null =>
  factOf(days, asOf, ({ putVolume: put, callVolume: call }) =>
    put === null || call === null || put + call === 0
      ? null
      : { value: put / (put + call), inputs: { put, call } },
  );

/**
 * Returns the fact for o_skew as known at `asOf` (epoch ms): minus half the z-score, over 60 stored days, of the
 * volatility of puts with delta -0.25 minus the at-the-money volatility, both for 30 days, clipped to [-1, 1]. Null as
 * for `putCallFact`.
 * @see Yuhang Xing, Xiaoyan Zhang and Rui Zhao, "What Does the Individual Option Volatility Smirk Tell Us About Future
 * Equity Returns?" (2010)
 */
export const skewFact = (days: readonly FlowDay[], asOf: number): DatedFact | null =>
  factOf(days, asOf, ({ putIv: put_iv, atmIv: atm_iv }) =>
    put_iv === null || atm_iv === null ? null : { value: put_iv - atm_iv, inputs: { put_iv, atm_iv } },
  );

interface Measured {
  readonly value: number;
  readonly inputs: Readonly<Record<string, number>>;
}

function factOf(
  days: readonly FlowDay[],
  asOf: number,
  measure: (day: FlowDay) => Measured | null,
): DatedFact | null {
  // the newest known snapshot of each day
  const newest = new Map<string, FlowDay>();
  for (const one of days) {
    const other = newest.get(one.day);
    if (one.at <= asOf && (other === undefined || other.at < one.at)) newest.set(one.day, one);
  }
  const known = [...newest.values()]
    .sort((a, b) => a.at - b.at)
    .flatMap((one) => {
      const measured = measure(one);
      return measured === null ? [] : [{ at: one.at, ...measured }];
    })
    .slice(-WINDOW);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || known.length < WINDOW) return null;
  if (last.at - first.at > MAX_SPAN_MS || asOf - last.at > MAX_AGE_MS) return null;
  const z = rollingZ(
    Float64Array.from(known, ({ value }) => value),
    WINDOW,
  ).at(-1)!;
  if (!Number.isFinite(z)) return null;
  return { value: clip(-z / 2), time: last.at, inputs: { ...last.inputs, z, days: known.length } };
}
