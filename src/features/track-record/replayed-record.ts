import type { OddsRecord } from "../../domain/odds/odds-record.ts";
import type { PublishedRecord } from "../../domain/track-record/track.ts";
import type { TrackRecord } from "../../domain/track-record/track-port.ts";

/** Records that come with a market; null if there is none. */
export interface ReplayedRecords {
  record(): PublishedRecord | null;
  odds(): OddsRecord | null;
}

/**
 * Adds the daily records that come with a market to the stored records of an installation. A stored record is returned
 * once it has at least as many signals or forecasts; the two are never combined.
 */
export const withReplayedRecord = (stored: TrackRecord, replayed: ReplayedRecords): TrackRecord => ({
  async published(timeframe) {
    const own = await stored.published(timeframe);
    const other = timeframe === "1d" ? replayed.record() : null;
    return other === null || (own !== null && own.signals >= other.signals) ? own : other;
  },
  async odds() {
    const own = await stored.odds();
    const other = replayed.odds();
    return other === null || (own !== null && own.forecasts >= other.forecasts) ? own : other;
  },
  ofSymbol: stored.ofSymbol,
});
