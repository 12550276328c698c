import { z } from "zod";
import { Direction, Grade } from "../../domain/signal/signal.ts";
import type { BarAnswer } from "../../domain/track-record/track-port.ts";
import { compare, deleteRows, findRow, listRows, type MarketDb, upsertRows } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import { recordTransaction } from "../transactions.ts";

/** Time after which an unchanged answer is deleted, milliseconds: the longest bar is a week. */
const RETENTION_MS = 10 * 86_400_000;
/** Maximum number of bars whose answers one statement reads. */
const BATCH_SIZE = 100;
/** Maximum number of rows that are deleted at once. */
const SWEEP_LIMIT = 500;

const StoredAnswer = z.object({
  first: z.object({
    direction: Direction,
    score: z.number().nullable(),
    grade: Grade.nullable(),
    at: z.string(),
  }),
  inputs: z.record(z.string(), z.object({ fingerprint: z.string(), since: z.string() })),
});

type Bar = Pick<BarAnswer, "symbol" | "timeframe" | "decided_at">;

/** The first answer on a bar with its time, and since when each input is used, ISO 8601 UTC. */
export type KnownAnswer = Bar & z.infer<typeof StoredAnswer>;

/** Stored answers on the bars of one market. */
export interface BarAnswerRows {
  find(bar: Bar): Promise<KnownAnswer | null>;
  /** Adds answers to those of other processes, and returns the result of each. */
  merge(answers: readonly KnownAnswer[], now: Date): Promise<readonly KnownAnswer[]>;
}

export function barAnswerRows({ db, market }: MarketDb): BarAnswerRows {
  /** Returns the stored answers on these bars, and on others of their symbols and times, by the key of the bar. */
  async function storedOn(tx: MarketDb["db"], bars: readonly Bar[]) {
    const [symbol, decided_at] = [bars.map((bar) => bar.symbol), bars.map((bar) => bar.decided_at)];
    const rows = await listRows(tx, "bar_answers", { market, symbol, decided_at });
    return new Map(
      rows.flatMap((row) => {
        const stored = readRow(StoredAnswer, row.json);
        return stored === null ? [] : [[keyOf(row), stored] as const];
      }),
    );
  }
  return {
    async find({ symbol, timeframe, decided_at }) {
      const row = await findRow(db, "bar_answers", { market, symbol, timeframe, decided_at });
      const stored = readRow(StoredAnswer, row?.json);
      return stored === null ? null : { symbol, timeframe, decided_at, ...stored };
    },
    merge: (answers, now) =>
      recordTransaction(db, async (tx) => {
        const merged: KnownAnswer[] = [];
        const changed_at = now.toISOString();
        for (let i = 0; i < answers.length; i += BATCH_SIZE) {
          const batch = answers.slice(i, i + BATCH_SIZE);
          const stored = await storedOn(tx, batch);
          merged.push(
            ...batch.map((answer) => {
              const { symbol, timeframe, decided_at } = answer;
              const known = stored.get(keyOf(answer));
              return known === undefined
                ? answer
                : mergedAnswer({ symbol, timeframe, decided_at, ...known }, answer);
            }),
          );
        }
        const rows = merged.map(({ symbol, timeframe, decided_at, first, inputs }) => ({
          market,
          symbol,
          timeframe,
          decided_at,
          json: JSON.stringify({ first, inputs }),
          changed_at,
        }));
        await upsertRows(tx, "bar_answers", ["market", "symbol", "timeframe", "decided_at"], rows);
        const before = new Date(now.getTime() - RETENTION_MS).toISOString();
        await deleteRows(tx, "bar_answers", { market, changed_at: compare({ "<": before }) }, SWEEP_LIMIT);
        return merged;
      }),
  };
}

/** Returns the key of a bar. */
export const keyOf = ({
  symbol,
  timeframe,
  decided_at,
}: Pick<BarAnswer, "symbol" | "decided_at"> & { readonly timeframe: string }): string =>
  `${symbol}|${timeframe}|${decided_at}`;

/** Returns what two processes know of one bar: the first answer of both, and for each input its newest form. */
export function mergedAnswer(one: KnownAnswer, other: KnownAnswer): KnownAnswer {
  const inputs = { ...one.inputs };
  for (const [input, { fingerprint, since }] of Object.entries(other.inputs)) {
    const known = inputs[input];
    const keepsKnown =
      known !== undefined &&
      (known.fingerprint === fingerprint ? known.since <= since : known.since >= since);
    if (!keepsKnown) inputs[input] = { fingerprint, since };
  }
  return { ...one, first: one.first.at <= other.first.at ? one.first : other.first, inputs };
}
