import type { Levels } from "../../analytics/levels/levels.ts";
import { planError } from "../../analytics/odds/past-coverage.ts";
import type { InstrumentKind } from "../../analytics/odds/profile.ts";
import type { Consensus } from "../../analytics/score/consensus.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { Signal } from "../../domain/signal/signal.ts";
import { rounded } from "../../lib/rounded.ts";
import type { SignalOddsOutcome } from "./signal-odds.ts";

/** Confidence of a signal with its basis. */
export type Confidence = Pick<Signal, "confidence" | "confidence_basis" | "confidence_base" | "agreement">;

/**
 * Returns the odds that the first target of the levels is touched before their stop, with their base rate; for a
 * WAIT those of the levels to watch. Without odds it is the share of targets in a market without drift and time limit,
 * which is not calibrated.
 */
export function confidenceOf({
  consensus: { agreement, levels },
  odds: { odds },
}: {
  readonly consensus: Pick<Consensus, "agreement"> & { readonly levels: Pick<Levels, "break_even_win_rate"> };
  readonly odds: SignalOddsOutcome;
}): Confidence {
  if (odds === null)
    return {
      confidence: levels.break_even_win_rate,
      confidence_basis: "uncalibrated",
      confidence_base: null,
      agreement,
    };
  const { target_first, base } = odds;
  return {
    confidence: target_first,
    confidence_basis: "odds",
    confidence_base: base?.target_first ?? null,
    agreement,
  };
}

/**
 * Returns the odds that are the confidence of a signal plus and minus the error of such odds in past forecasts, at most
 * so large with 95 % certainty; null without odds, and where the error is not measured.
 */
export function confidenceInterval(
  { confidence, confidence_basis }: Pick<Confidence, "confidence" | "confidence_basis">,
  { side, assetClass, kind, timeframe }: ConfidenceSubject,
): Signal["confidence_interval"] {
  if (confidence_basis !== "odds") return null;
  const error = planError({ assetClass, kind }, side, timeframe);
  return error === null
    ? null
    : {
        low: rounded(Math.max(0, confidence - error), 2),
        high: rounded(Math.min(1, confidence + error), 2),
      };
}

interface ConfidenceSubject extends Pick<Levels, "side"> {
  readonly assetClass: AssetClass;
  readonly kind: InstrumentKind;
  readonly timeframe: Timeframe;
}
