import { IMPLIED_BARS, type NearerRecord, nearerRecord } from "../../analytics/odds/implied.ts";
import { ODDS_VERSION, type OddsOutcome, oddsOf, type PlanRequest } from "../../analytics/odds/odds.ts";
import { MIN_ODDS_BARS } from "../../analytics/odds/range-model.ts";
import { realizedVolatility } from "../../analytics/odds/volatility.ts";
import { afterSplits } from "../../analytics/score/split-fault.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { FlowDay } from "../../domain/options-flow/options.ts";
import { digestOnce } from "../signal/inputs-hash.ts";

/** Inputs of the odds of one symbol, as plain data. */
export interface OddsInput {
  readonly bars: Bars;
  readonly symbol: string;
  readonly assetClass: AssetClass;
  readonly horizons: readonly number[];
  readonly levels: readonly number[];
  readonly plan: PlanRequest | null;
  /** Stored daily summaries of the symbol's options, oldest first. */
  readonly flowDays: readonly FlowDay[];
}

export interface ComputedOdds {
  readonly outcome: OddsOutcome;
  /** Standard deviations of log returns over 20 and 60 bars, per bar; null with fewer bars. */
  readonly realized: { readonly bars20: number | null; readonly bars60: number | null };
  /** Null without stored options or on bars that are not daily. */
  readonly nearer: NearerRecord | null;
}

export const oddsTask: ComputeTask<OddsInput, ComputedOdds> = {
  name: "odds",
  duration: "short",
  keyOf: ({ bars, flowDays, ...rest }) =>
    JSON.stringify([
      ODDS_VERSION,
      rest,
      digestOnce().series(bars),
      bars.timeframe,
      bars.adjustment,
      bars.noSplits,
      flowDays.length,
      flowDays.at(-1) ?? null,
    ]),
  run: ({ flowDays, bars: all, ...subject }) => {
    const bars = afterSplits(all, MIN_ODDS_BARS);
    return {
      outcome: oddsOf({ ...subject, bars }),
      realized: {
        bars20: realizedVolatility(bars, IMPLIED_BARS),
        bars60: realizedVolatility(bars, 60),
      },
      nearer: flowDays.length === 0 || bars.timeframe !== "1d" ? null : nearerRecord(bars, flowDays),
    };
  },
};
