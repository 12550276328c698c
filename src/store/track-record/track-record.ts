import { PublishedRecord } from "../../domain/track-record/track.ts";
import type { TrackRecord } from "../../domain/track-record/track-port.ts";
import type { MarketDb } from "../queries.ts";
import { readRow } from "../row-schemas.ts";

/** Published track record of one market and model, cached until it is computed again. */
export function trackRecord({
  db,
  market,
  model,
}: MarketDb & {
  /** Current model version. */
  readonly model: string;
}): TrackRecord {
  const cached = new Map<string, { readonly at: string; readonly record: PublishedRecord | null }>();
  return {
    async published(timeframe) {
      const ofModel = db
        .selectFrom("track_records")
        .where((is) => is.and({ market, timeframe, model_version: model }));
      const head = await ofModel.select("computed_at").executeTakeFirst();
      if (head === undefined) return null;
      const before = cached.get(timeframe);
      if (before?.at === head.computed_at) return before.record;
      const row = await ofModel.select("said").executeTakeFirst();
      const record = readRow(PublishedRecord, row?.said);
      cached.set(timeframe, { at: head.computed_at, record });
      return record;
    },
  };
}
