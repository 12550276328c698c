import type { Kysely } from "kysely";
import { PublishedRecord } from "../../domain/track-record/track.ts";
import type { TrackRecord } from "../../domain/track-record/track-port.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

/** Published track record of one market and model, cached until it is computed again. */
export function trackRecord({
  db,
  market,
  model,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
  /** The version of the formulas in use. */
  readonly model: string;
}): TrackRecord {
  const read = new Map<string, { readonly at: string; readonly record: PublishedRecord | null }>();
  return {
    async published(timeframe) {
      const one = db
        .selectFrom("track_records")
        .where("market", "=", market)
        .where("timeframe", "=", timeframe)
        .where("model_version", "=", model);
      const head = await one.select("computed_at").executeTakeFirst();
      if (head === undefined) return null;
      const before = read.get(timeframe);
      if (before?.at === head.computed_at) return before.record;
      const row = await one.select("said").executeTakeFirst();
      const record = readRow(PublishedRecord, row?.said);
      read.set(timeframe, { at: head.computed_at, record });
      return record;
    },
  };
}
