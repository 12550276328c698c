import { type Consensus, MODEL_VERSION } from "../../analytics/score/consensus.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Evidence } from "../../domain/signal/signal.ts";
import type { Horizon } from "../../domain/track-record/track.ts";
import type { TrackRecord } from "../../domain/track-record/track-port.ts";

/** Minimum numbers of effective outcomes and of decision dates for a usable record. */
const MIN_EFFECTIVE = 100;
const MIN_DATES = 60;
const HORIZON: Horizon = 20;

interface ServedSignal {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  /** True for a signal of a past time, at which today's record was not known. Default: false. */
  readonly past?: boolean;
  readonly consensus: Pick<Consensus, "direction" | "grade">;
}

/**
 * Returns the hit rate after 20 bars of past signals of the same grade, direction, asset class and timeframe. Null for WAIT,
 * for a past time, and with fewer than 100 effective outcomes or 60 decision dates.
 */
export async function evidenceOf(
  { instrument, timeframe, past = false, consensus }: ServedSignal,
  { trackRecord }: { readonly trackRecord: Pick<TrackRecord, "published"> },
): Promise<Evidence | null> {
  const { direction, grade } = consensus;
  if (direction === "WAIT" || past) return null;
  const record = await trackRecord.published(timeframe);
  if (record === null || record.model_version !== MODEL_VERSION) return null;
  const row = record.rows.find(
    (one) =>
      one.horizon === HORIZON &&
      one.grade === grade &&
      one.direction === direction &&
      one.asset_class === instrument.asset_class,
  );
  if (row === undefined || row.n_eff < MIN_EFFECTIVE || row.entry_dates < MIN_DATES) return null;
  const { n_eff, hit_rate, interval, base_rate } = row;
  if (hit_rate === null || interval === null || base_rate === null) return null;
  return { n_eff, hit_rate, interval, base_rate };
}
