import { sql } from "kysely";
import { z } from "zod";
import type { ContractSnapshotRepository, Log } from "../../domain/ports.ts";
import type { LevelBet, LevelSnapshot } from "../../domain/prediction-markets/contracts.ts";
import { compare, deleteOldest, deleteRows, findRow, type MarketDb } from "../queries.ts";
import { readRow } from "../row-schemas.ts";

/** Minimum time between two snapshots of a symbol. */
const MIN_INTERVAL_MS = 15 * 60_000;
/**
 * Retention of snapshots. Each new snapshot deletes expired ones, and the oldest ones of its symbol beyond the row
 * limit.
 */
const RETENTION_MS = 400 * 86_400_000;
const MAX_ROWS = 10_000;

const Bet: z.ZodType<LevelBet> = z.object({
  venue: z.string(),
  id: z.string(),
  kind: z.enum(["at", "touch"]),
  level: z.number().positive(),
  by: z.number().nullable(),
  probability: z.number().min(0).max(1),
  dollars: z.number().positive(),
  at: z.number(),
});
const StoredSnapshot: z.ZodType<Omit<LevelSnapshot, "at">> = z.object({
  price: z.number().positive().nullable(),
  bets: z.array(Bet),
  reason: z.string().nullable(),
});

/**
 * Creates the repository of one market's contract snapshots: at most one per symbol every 15 minutes, at most 10,000
 * per symbol, none older than 400 days.
 */
export function contractSnapshotRepository({
  db,
  market,
  log,
}: MarketDb & {
  readonly log: Log;
}): ContractSnapshotRepository {
  async function prune(symbol: string, now: number): Promise<void> {
    await deleteOldest(db, "contract_snapshots", { market, symbol }, { column: "at", newest: MAX_ROWS });
    await deleteRows(db, "contract_snapshots", {
      market,
      symbol,
      at: compare({ "<=": toIso(now - RETENTION_MS) }),
    });
  }

  return {
    async newest(symbol, { since, until }) {
      const at = compare({ "<=": toIso(until), ">=": toIso(since) });
      const row = await findRow(db, "contract_snapshots", { market, symbol, at }, { order: ["at desc"] });
      const read = readRow(StoredSnapshot, row?.json);
      return row === undefined || read === null ? null : { at: Date.parse(row.at), ...read };
    },

    async oldestSavedAt(symbol) {
      const page = { columns: ["at"], order: ["at"] } as const;
      const row = await findRow(db, "contract_snapshots", { market, symbol }, page);
      return row === undefined ? null : Date.parse(row.at);
    },

    async save(symbol, { at, ...snapshot }) {
      try {
        const near = db
          .selectFrom("contract_snapshots")
          .where((is) => is.and({ market, symbol }))
          .select("at")
          .where("at", ">", toIso(at - MIN_INTERVAL_MS))
          // a later one was saved while the clock was ahead
          .where("at", "<", toIso(at + MIN_INTERVAL_MS));
        const row = db
          .selectNoFrom([
            sql.val(market).as("market"),
            sql.val(symbol).as("symbol"),
            sql.val(toIso(at)).as("at"),
            sql.val(JSON.stringify(snapshot)).as("json"),
          ])
          .where(({ not, exists }) => not(exists(near)));
        // One statement checks and inserts, so that only one of two concurrent processes saves.
        await db
          .insertInto("contract_snapshots")
          .columns(["market", "symbol", "at", "json"])
          .expression(row)
          .execute();
        await prune(symbol, at);
      } catch (cause) {
        log.warn("contracts_not_stored", { symbol, cause });
      }
    },
  };
}

const toIso = (at: number): string => new Date(at).toISOString();
