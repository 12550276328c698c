import type { Consensus } from "../../analytics/score/consensus.ts";
import type { Signal } from "../../domain/signal/signal.ts";
import { rounded } from "../../lib/rounded.ts";
import type { SignalOddsOutcome } from "./signal-odds.ts";

/** Usual error of past odds, 0-1; see docs/odds.md. */
const ODDS_ERROR = 0.03;

/** Confidence of a signal with its basis. */
export type Confidence = Pick<
  Signal,
  "confidence" | "confidence_basis" | "confidence_base" | "confidence_interval" | "agreement"
>;

/**
 * Returns the odds that the first target of a LONG or SHORT is touched before its stop, with their base rate and an
 * interval. A WAIT has no plan: its confidence is the agreement of the drivers, which is not a probability.
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
      confidence_interval: null,
      agreement,
    };
  const { target_first, base } = odds;
  return {
    confidence: target_first,
    confidence_basis: "odds",
    confidence_base: base?.target_first ?? null,
    confidence_interval: {
      low: rounded(Math.max(0, target_first - ODDS_ERROR), 2),
      high: rounded(Math.min(1, target_first + ODDS_ERROR), 2),
    },
    agreement,
  };
}
