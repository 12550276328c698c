import type { OddsRecord } from "../../domain/odds/odds-record.ts";
import type { PublishedRecord, TrackRow } from "../../domain/track-record/track.ts";
import type { TrackRecord } from "../../domain/track-record/track-port.ts";
import { oddsRecordOf } from "./odds-record.ts";
import { publishedOf } from "./outcomes.ts";

/** Records of signals and of odds; null without an outcome. */
interface Records {
  readonly record: PublishedRecord | null;
  readonly odds: OddsRecord | null;
}

/**
 * Computes the records of one symbol from its stored signals of fixed universes and its stored odds. The record that
 * comes with the sample market has no symbols.
 */
export async function symbolRecords(
  symbol: string,
  { trackRecord, now }: { readonly trackRecord: Pick<TrackRecord, "ofSymbol">; readonly now: Date },
): Promise<Records> {
  const { model_version, scored, observed } = trackRecord.ofSymbol(symbol);
  const computed_at = now.toISOString();
  return {
    record: await publishedOf(scored(), { model_version, computed_at }),
    odds: await oddsRecordOf(observed, computed_at),
  };
}

/** Returns why a symbol has no record. */
export const noSymbolRecord = (symbol: string): string =>
  `${symbol} has no record of its own: no stored signal of it has an outcome yet. The first needs 5 more bars after a nightly run; the owner of the server can build a record from history.`;

const HORIZON = 20;

/** States in one sentence for each side how often the price moved in the direction of the signals of a symbol. */
export const symbolSentences = (symbol: string, rows: readonly TrackRow[]): readonly string[] =>
  (["LONG", "SHORT"] as const).flatMap((direction) => {
    const own = rows.filter((row) => row.direction === direction && row.horizon === HORIZON);
    const n = own.reduce((sum, row) => sum + row.n, 0);
    if (n === 0) return [];
    const hits = own.reduce((sum, row) => sum + row.n * (row.hit_rate ?? 0), 0);
    const moved = direction === "LONG" ? "higher" : "lower";
    return `${symbol} ${direction}: ${percent(hits / n)} of ${n} signals closed ${moved} after ${HORIZON} bars, ${percent(own[0]!.base_rate ?? 0)} of all its signals did.`;
  });

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
