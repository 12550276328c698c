import { OddsRecord } from "../../domain/odds/odds-record.ts";
import { PublishedRecord } from "../../domain/track-record/track.ts";
import type { TrackRecord } from "../../domain/track-record/track-port.ts";
import { findRow, type MarketDb } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import { observedForecasts } from "./observed-forecasts.ts";
import { scoredSignals } from "./scored-signals.ts";

/** Creates the store of the published track record of one market and model, cached until it is computed again. */
export function trackRecord({
  db,
  market,
  model,
}: MarketDb & {
  /** Current model version. */
  readonly model: string;
}): TrackRecord {
  const cached = new Map<string, { readonly at: string; readonly record: PublishedRecord | null }>();
  let odds: { readonly at: string; readonly record: OddsRecord | null } | undefined;
  return {
    async published(timeframe) {
      const ofModel = { market, timeframe, model_version: model };
      const head = await findRow(db, "track_records", ofModel, { columns: ["computed_at"] });
      if (head === undefined) return null;
      const before = cached.get(timeframe);
      if (before?.at === head.computed_at) return before.record;
      const row = await findRow(db, "track_records", ofModel);
      const record = readRow(PublishedRecord, row?.json);
      cached.set(timeframe, { at: head.computed_at, record });
      return record;
    },
    async odds() {
      const head = await findRow(db, "odds_records", { market }, { columns: ["computed_at"] });
      if (head === undefined) return null;
      if (odds?.at === head.computed_at) return odds.record;
      const row = await findRow(db, "odds_records", { market });
      const record = readRow(OddsRecord, row?.json);
      odds = { at: head.computed_at, record };
      return record;
    },
    ofSymbol: (symbol) => ({
      model_version: model,
      scored: () => scoredSignals({ db, market }, { timeframe: "1d", model_version: model, symbol }),
      observed: (timeframe) => observedForecasts({ db, market }, timeframe, symbol),
    }),
  };
}
