import { z } from "zod";
import type { PrintRepository } from "../../domain/off-exchange/print-repository-port.ts";
import { PRINT_CONDITIONS } from "../../domain/off-exchange/prints.ts";
import { compare, deleteRows, insertMissing, listRows, type MarketDb } from "../queries.ts";
import { readRow } from "../row-schemas.ts";

const MAX_AGE_MS = 730 * 86_400_000;

const StoredDay = z.object({
  prints: z.array(
    z.object({
      id: z.string(),
      price: z.number(),
      size: z.number(),
      executedAt: z.number(),
      reportedAt: z.number(),
      conditions: z.array(z.enum(PRINT_CONDITIONS)),
      nbbo: z.object({ bid: z.number(), ask: z.number() }).nullable(),
    }),
  ),
  /** Null for the whole session. */
  completeFrom: z.number().nullable(),
  completeUntil: z.number().nullable(),
});

/** Creates the repository of one market's off-exchange prints. */
export const printDays = ({ db, market }: MarketDb): PrintRepository => ({
  async days(symbol, { from, to }) {
    const range = { market, symbol, day: compare({ ">=": from, "<=": to }) };
    const rows = await listRows(db, "print_days", range, { order: ["day"] });
    return rows.flatMap(({ day, source, fetched_at, json }) => {
      const stored = readRow(StoredDay, json);
      if (stored === null) return [];
      const answer = {
        prints: stored.prints,
        completeFrom: stored.completeFrom ?? Number.NEGATIVE_INFINITY,
        completeUntil: stored.completeUntil ?? Number.POSITIVE_INFINITY,
      };
      return [{ date: day, answer, source, fetchedAt: fetched_at, stale: false, tried: [] }];
    });
  },

  async save(symbol, day, { answer, source, fetchedAt }) {
    // JSON has no infinity
    const finite = (time: number) => (Number.isFinite(time) ? time : null);
    const json = JSON.stringify({
      prints: answer.prints,
      completeFrom: finite(answer.completeFrom),
      completeUntil: finite(answer.completeUntil),
    });
    await insertMissing(db, "print_days", [{ market, symbol, day, source, fetched_at: fetchedAt, json }]);
    const oldest = new Date(Date.parse(day) - MAX_AGE_MS).toISOString().slice(0, 10);
    await deleteRows(db, "print_days", { market, symbol, day: compare({ "<": oldest }) });
  },
});
