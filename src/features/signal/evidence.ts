import type { Consensus } from "../../analytics/score/consensus.ts";
import { shrunkRate } from "../../analytics/track/shrink.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Evidence } from "../../domain/signal/signal.ts";
import type { Horizon } from "../../domain/track-record/track.ts";

/** Minimum numbers of effective outcomes and of decision dates for a usable record. */
const MIN_EFFECTIVE = 100;
const MIN_DATES = 60;
const HORIZON: Horizon = 20;

interface ServedSignal {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  /** true: the signal is for a past time, at which today's record was not known. */
  readonly past?: boolean;
  readonly consensus: Pick<
    Consensus,
    "direction" | "grade" | "confidence" | "confidence_basis" | "model_version"
  >;
}

/** Confidence of a signal with its basis and the record of similar signals. */
export interface Confidence {
  readonly confidence: number;
  readonly confidence_basis: "uncalibrated" | "track_record_20_bars";
  /** null if the record of similar signals is missing or too short. */
  readonly evidence: Evidence | null;
}

/**
 * Returns the share of past signals of the same grade, direction, asset class, timeframe and model that were correct 20
 * bars later, shrunk towards the base rate of the asset class. For WAIT, for a past time, or with fewer than 100
 * effective outcomes or 60 decision dates, returns the uncalibrated confidence of the consensus.
 */
export async function confidenceOf(
  { instrument, timeframe, past = false, consensus }: ServedSignal,
  { trackRecord }: Pick<Ports, "trackRecord">,
): Promise<Confidence> {
  const { direction, grade, confidence, confidence_basis, model_version } = consensus;
  const uncalibrated = { confidence, confidence_basis, evidence: null };
  if (direction === "WAIT" || past) return uncalibrated;
  const record = await trackRecord.published(timeframe);
  if (record === null || record.model_version !== model_version) return uncalibrated;
  const row = record.rows.find(
    (one) =>
      one.horizon === HORIZON &&
      one.grade === grade &&
      one.direction === direction &&
      one.asset_class === instrument.asset_class,
  );
  if (row === undefined || row.n_eff < MIN_EFFECTIVE || row.entry_dates < MIN_DATES) return uncalibrated;
  const { n_eff, hit_rate, interval, base_rate } = row;
  if (hit_rate === null || interval === null || base_rate === null) return uncalibrated;
  return {
    confidence: shrunkRate(hit_rate, { n: n_eff, base: base_rate }),
    confidence_basis: "track_record_20_bars",
    evidence: { n_eff, hit_rate, interval, base_rate },
  };
}
