import type { OddsRecord } from "../../domain/odds/odds-record.ts";
import type { PublishedRecord } from "../../domain/track-record/track.ts";
import odds from "./replayed-odds.json" with { type: "json" };
import stored from "./replayed-record.json" with { type: "json" };

interface ReplayedRecordRequest {
  /** Id of the simulated market. */
  readonly market: string;
  readonly model: string;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * Returns the track record that comes with the simulated market: its past signals and their outcomes, as
 * `market-signal track replay` computes them. Null for another version or seed of the market, for another model, and
 * before the last of its outcomes was known.
 */
export function replayedRecord({ market, model, now }: ReplayedRecordRequest): PublishedRecord | null {
  const record = stored.record as PublishedRecord;
  const isCurrent = stored.market === market && record.model_version === model;
  return isCurrent && Date.parse(record.computed_at) <= now ? record : null;
}

/** Returns the record of odds that comes with the simulated market, under the same conditions. */
export function replayedOdds({ market, model, now }: ReplayedRecordRequest): OddsRecord | null {
  const record = odds.record as OddsRecord;
  const isCurrent = odds.market === market && odds.model === model;
  return isCurrent && Date.parse(record.computed_at) <= now ? record : null;
}
