import { z } from "zod";
import { Iso } from "../../domain/answers.ts";
import { OddsRow } from "../../domain/odds/odds-record.ts";
import { type Horizon, type PublishedRecord, TrackRow } from "../../domain/track-record/track.ts";
import type { TrackRecord } from "../../domain/track-record/track-port.ts";
import { rangeSentence } from "./odds-record.text.ts";
import { oddsRecordOf } from "./odds-record.ts";
import { type OddsRowFilter, selectOddsRows, summarizeOdds } from "./odds-rows.ts";
import { publishedOf } from "./outcomes.ts";

/** Record of the signals and odds of one symbol. */
export const SymbolRecord = z.object({
  symbol: z.string(),
  signals: z.number().int(),
  forecasts: z.number().int(),
  from: Iso.nullable(),
  until: Iso.nullable(),
  rows: z.array(TrackRow),
  odds: z.array(OddsRow),
});
export type SymbolRecord = z.infer<typeof SymbolRecord>;

interface SymbolRecordAnswer {
  readonly symbol_record: SymbolRecord | null;
  readonly symbol_reason: string | null;
}

/** Horizon of sentences and of a concise answer. */
const SHORT_HORIZON: Horizon = 20;

/**
 * Computes the record of one symbol from its stored signals of fixed universes and its stored odds; null with a reason
 * if none has an outcome. The record that comes with the sample market has no symbols.
 */
export async function symbolRecord(
  symbol: string,
  {
    trackRecord,
    now,
    filter,
    isWanted,
  }: {
    readonly trackRecord: Pick<TrackRecord, "ofSymbol">;
    readonly now: Date;
    readonly filter: Omit<OddsRowFilter, "asset_class">;
    readonly isWanted: (row: TrackRow) => boolean;
  },
): Promise<SymbolRecordAnswer> {
  const { model_version, scored, observed } = trackRecord.ofSymbol(symbol);
  const computed_at = now.toISOString();
  const record = await publishedOf(scored(), { model_version, computed_at });
  const odds = await oddsRecordOf(observed, computed_at);
  if (record === null && odds === null)
    return {
      symbol_record: null,
      symbol_reason: `No stored signal or odds of ${symbol} has an outcome yet: the first need 5 more bars after get_signal or get_odds, or a nightly run. The owner of the server can build a record from history.`,
    };
  return {
    symbol_record: {
      symbol,
      signals: record?.signals ?? 0,
      forecasts: odds?.forecasts ?? 0,
      ...periodOf(record, odds),
      rows: (record?.rows ?? []).filter(
        (row) => isWanted(row) && (!filter.concise || row.horizon === (filter.horizon ?? SHORT_HORIZON)),
      ),
      odds: selectOddsRows(odds, { ...filter, asset_class: null }),
    },
    symbol_reason: null,
  };
}

type Period = Pick<PublishedRecord, "from" | "until">;

/** Returns the period of both records. */
function periodOf(...records: readonly (Period | null)[]): Pick<SymbolRecord, "from" | "until"> {
  const known = records.flatMap((record) => record ?? []);
  return {
    from: known.map(({ from }) => from).sort()[0] ?? null,
    until:
      known
        .map(({ until }) => until)
        .sort()
        .at(-1) ?? null,
  };
}

/** States the record of a symbol in sentences, or why it has none. */
export function symbolSentences({ symbol_record, symbol_reason }: SymbolRecordAnswer): readonly string[] {
  if (symbol_record === null) return symbol_reason === null ? [] : [symbol_reason];
  const { symbol, rows, odds } = symbol_record;
  const summary = summarizeOdds(odds);
  return [
    ...(summary === null ? [] : [`${symbol}: ${rangeSentence(summary)}`]),
    ...(["LONG", "SHORT"] as const).flatMap((direction) => {
      const own = rows.filter((row) => row.direction === direction && row.horizon === SHORT_HORIZON);
      const n = own.reduce((sum, row) => sum + row.n, 0);
      if (n === 0) return [];
      const hits = own.reduce((sum, row) => sum + row.n * (row.hit_rate ?? 0), 0);
      const base = own[0]!.base_rate ?? 0;
      const moved = direction === "LONG" ? "higher" : "lower";
      return `${symbol} ${direction}: ${percentOf(hits / n)} of ${n} signals closed ${moved} after ${SHORT_HORIZON} bars; ${percentOf(base)} of all its closes did.`;
    }),
  ];
}

const percentOf = (share: number): string => `${(100 * share).toFixed(1)}%`;
