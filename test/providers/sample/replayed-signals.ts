import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import { GRADES } from "../../../src/analytics/score/grade.ts";
import type { PublishedRecord, ROverBase, ScoredSignal } from "../../../src/domain/track-record/track.ts";
import { HORIZONS } from "../../../src/domain/track-record/track.ts";
import { outcomesOf, publishedOf } from "../../../src/features/track-record/outcomes.ts";
import { groupBy } from "../../../src/lib/group-by.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { dayAt, startOf } from "../../../src/providers/sample/time.ts";
import { marketAt } from "./fixture.ts";

const FILE = join(import.meta.dirname, "replayed-signals.gz");
const FACTS = join(import.meta.dirname, "facts-over-base.json");
const RECORD = join(import.meta.dirname, "../../../src/providers/sample/replayed-record.json");

/** First decision of the record, and the time at which its last outcome is known, epoch ms. */
export const FIRST_DECISION = Date.UTC(2022, 0, 1);
export const COMPUTED_AT = Date.UTC(2026, 10, 1);
/** Distance of the closes at which signals with and without facts are compared, in days. */
export const FACT_STEP_DAYS = 15;

/** Days whose closes are decisions: a day ends when the next one begins. */
const FIRST_DAY = dayAt(FIRST_DECISION) - 1;
const DAYS = dayAt(COMPUTED_AT) - FIRST_DAY;

const DIRECTIONS = ["LONG", "SHORT", "WAIT"] as const;
/** Each grade, and none. */
const GRADE_CODES = [...GRADES, null] as const;
const PARTS_PER_R = 1_000;
const NO_RESULT = -32_768;

/** A signal of the record by symbol and day, with its result in R, rounded to 0.001; null without one. */
export interface ReplayedSignal extends Pick<ScoredSignal, "direction" | "grade" | "r"> {
  readonly symbol: string;
  /** Day at whose end it was decided, counted from the first of the market. */
  readonly day: number;
}

/** Returns the code of a verdict, from 1; 0 stands for no signal. */
const codeOf = ({ direction, grade }: ReplayedSignal): number =>
  1 + DIRECTIONS.indexOf(direction) * GRADE_CODES.length + GRADE_CODES.indexOf(grade);

/** Writes the signals of a replay to a file: a byte for each day of each listing, then the results of trades. */
export function writeReplayedSignals(signals: readonly ReplayedSignal[]): void {
  const verdicts = new Uint8Array(LISTINGS.length * DAYS);
  const found = new Map(signals.map((signal) => [placeOf(signal), signal]));
  const results: number[] = [];
  for (let place = 0; place < verdicts.length; place++) {
    const signal = found.get(place);
    if (signal === undefined) continue;
    verdicts[place] = codeOf(signal);
    if (signal.direction !== "WAIT") results.push(signal.r === null ? NO_RESULT : signal.r * PARTS_PER_R);
  }
  const bytes = Buffer.from(Int16Array.from(results, Math.round).buffer);
  writeFileSync(FILE, gzipSync(Buffer.concat([verdicts, bytes]), { level: 9 }));
}

const places = new Map(LISTINGS.map(({ instrument }, i) => [instrument.symbol, i]));
const placeOf = ({ symbol, day }: ReplayedSignal): number => places.get(symbol)! * DAYS + (day - FIRST_DAY);

/** Returns the signals of the record. */
export function readReplayedSignals(): readonly ReplayedSignal[] {
  const bytes = gunzipSync(readFileSync(FILE));
  const verdicts = bytes.subarray(0, LISTINGS.length * DAYS);
  const results = bytes.subarray(verdicts.length);
  let trades = 0;
  const signals: ReplayedSignal[] = [];
  for (const [place, code] of verdicts.entries()) {
    if (code === 0) continue;
    const direction = DIRECTIONS[Math.floor((code - 1) / GRADE_CODES.length)]!;
    const parts = direction === "WAIT" ? NO_RESULT : results.readInt16LE(2 * trades++);
    signals.push({
      symbol: LISTINGS[Math.floor(place / DAYS)]!.instrument.symbol,
      day: FIRST_DAY + (place % DAYS),
      direction,
      grade: GRADE_CODES[(code - 1) % GRADE_CODES.length]!,
      r: parts === NO_RESULT ? null : parts / PARTS_PER_R,
    });
  }
  return signals;
}

/** Rounds a result in R as the file does. */
export const roundedR = (r: number | null): number | null =>
  r === null ? null : Math.round(r * PARTS_PER_R) / PARTS_PER_R;

/** Scores signals by the bars of the generator, in the order of decisions; only their results in R are their own. */
async function scoredOf(signals: readonly ReplayedSignal[]): Promise<readonly ScoredSignal[]> {
  const { bars } = marketAt(COMPUTED_AT);
  const scored: ScoredSignal[] = [];
  const bySymbol = groupBy(signals, (signal) => signal.symbol);
  for (const { instrument } of LISTINGS) {
    const history = await bars.history(instrument, { timeframe: "1d", limit: 6_500 });
    const { high, low, close } = history.bars;
    const context = { bars: history.bars, horizons: HORIZONS, atr: atr(high, low, close, 14) };
    const { symbol, asset_class } = instrument;
    for (const { day, direction, grade, r } of bySymbol.get(symbol) ?? []) {
      const at = startOf(day + 1);
      // a signal without a trade, because its stop and target are not stored
      const plan = { direction: "WAIT", stop: 0, target: 0, close: close[day]! } as const;
      for (const { horizon, change, base } of outcomesOf(plan, { ...context, at: day, closedAt: String })) {
        const known = startOf(day + 1 + horizon);
        const isTrade = horizon === 20;
        scored.push({
          symbol,
          asset_class,
          direction,
          grade,
          at,
          known,
          horizon,
          change,
          r: isTrade ? r : null,
          ...(isTrade && { base }),
        });
      }
    }
  }
  return scored.sort((a, b) => a.at - b.at);
}

/** Computes the record of the signals, as an installation does after a replay. */
export async function recordOfSignals(signals: readonly ReplayedSignal[]): Promise<PublishedRecord> {
  const computed_at = new Date(COMPUTED_AT).toISOString();
  const record = await publishedOf([await scoredOf(signals)], {
    model_version: MODEL_VERSION,
    computed_at,
  });
  return record!;
}

/** Writes the record that comes with the market. */
export function writeReplayedRecord(record: PublishedRecord): void {
  const { id } = marketAt(COMPUTED_AT).market;
  writeFileSync(RECORD, `${JSON.stringify({ market: id, record }, null, 2)}\n`);
}

/** R over base of LONG and SHORT, of the same closes, without and with news, options and odds. */
export interface FactsOverBase {
  readonly without: readonly ROverBase[];
  readonly with: readonly ROverBase[];
}

/** Writes the comparison of signals with and without facts. */
export const writeFactsOverBase = (compared: FactsOverBase): void =>
  writeFileSync(FACTS, `${JSON.stringify(compared, null, 2)}\n`);

/** Returns the comparison of signals with and without facts. */
export const readFactsOverBase = (): FactsOverBase => JSON.parse(readFileSync(FACTS, "utf8"));
