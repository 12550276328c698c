import { type OddsRequest, oddsOf } from "../../analytics/odds/odds.ts";
import { QUANTILES } from "../../analytics/odds/quantiles.ts";
import { TIME_EXIT } from "../../analytics/track/outcome.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";
import type { RangeBand } from "../../domain/odds/odds.ts";

/** Numbers of bars ahead at which the range is computed; between them it is drawn straight. */
const RANGE_BARS = [1, 2, 3, 5, 8, 12, 16, TIME_EXIT] as const;

/** Range of the next 20 bars; the reason is null if there is one. */
export type RangeOutcome =
  | { readonly range: readonly RangeBand[]; readonly range_reason: null }
  | { readonly range: null; readonly range_reason: string };

type RangeInput = Pick<OddsRequest, "bars" | "symbol" | "assetClass">;

/** Computes the range of the close over the next 20 bars, of the same paths as the odds of a signal. */
export const rangeTask: ComputeTask<RangeInput, RangeOutcome> = {
  name: "range",
  duration: "short",
  run(input) {
    const { odds, reason } = oddsOf({ ...input, horizons: RANGE_BARS, withBase: false });
    if (odds === null) return { range: null, range_reason: reason };
    return {
      range: odds.horizons.map(({ bars, quantiles }) => {
        const at = (share: (typeof QUANTILES)[number]) => quantiles[QUANTILES.indexOf(share)]!;
        return {
          bars,
          p5: at(0.05),
          p10: at(0.1),
          p25: at(0.25),
          p50: at(0.5),
          p75: at(0.75),
          p90: at(0.9),
          p95: at(0.95),
        };
      }),
      range_reason: null,
    };
  },
};
