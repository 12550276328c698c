import { planError } from "../../analytics/odds/past-coverage.ts";
import type { Consensus } from "../../analytics/score/consensus.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { Signal } from "../../domain/signal/signal.ts";
import { rounded } from "../../lib/rounded.ts";
import type { SignalOddsOutcome } from "./signal-odds.ts";

/** Confidence of a signal with its basis. */
export type Confidence = Pick<Signal, "confidence" | "confidence_basis" | "confidence_base" | "agreement">;

/**
 * Returns the odds that the first target of a LONG or SHORT is touched before its stop, with their base rate.
 * A WAIT has no plan: its confidence is the agreement of the drivers, which is not a probability.
 */
export function confidenceOf({
  consensus: { direction, agreement },
  odds: { odds },
}: {
  readonly consensus: Pick<Consensus, "direction" | "agreement">;
  readonly odds: SignalOddsOutcome;
}): Confidence {
  if (direction === "WAIT" || odds === null)
    return {
      confidence: agreement,
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
  { direction, assetClass, timeframe }: ConfidenceSubject,
): Signal["confidence_interval"] {
  if (confidence_basis !== "odds" || direction === "WAIT") return null;
  const error = planError(assetClass, direction, timeframe);
  return error === null
    ? null
    : {
        low: rounded(Math.max(0, confidence - error), 2),
        high: rounded(Math.min(1, confidence + error), 2),
      };
}

interface ConfidenceSubject extends Pick<Consensus, "direction"> {
  readonly assetClass: AssetClass;
  readonly timeframe: Timeframe;
}
