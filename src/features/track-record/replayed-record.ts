import type { PublishedRecord } from "../../domain/track-record/track.ts";
import type { TrackRecord } from "../../domain/track-record/track-port.ts";

/**
 * Adds the daily record that comes with a market to the stored records of an installation. The stored record is
 * returned once it has at least as many signals; the two are never combined.
 */
export const withReplayedRecord = (
  stored: TrackRecord,
  replayed: () => PublishedRecord | null,
): TrackRecord => ({
  async published(timeframe) {
    const own = await stored.published(timeframe);
    const other = timeframe === "1d" ? replayed() : null;
    return other === null || (own !== null && own.signals >= other.signals) ? own : other;
  },
  odds: () => stored.odds(),
});
