import type { Levels } from "../../analytics/levels/levels.ts";
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
 * Returns the odds that the first target of the levels is touched before their stop, with their base rate and an
 * interval; for a WAIT those of the levels to watch. Without odds it is the share of targets in a market without drift
 * and time limit, which is not calibrated.
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
