import { z } from "zod";
import type { Clock } from "../../domain/ports.ts";
import type { PositionRecord, PositionRepository } from "../../domain/trading/positions-port.ts";
import { Amount } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { latestEnd } from "../../lib/expiry.ts";
import { countRows, deleteRows, listRows, type MarketDb, upsert } from "../queries.ts";
import { accountTransaction } from "../transactions.ts";

const StoredPosition: z.ZodType<PositionRecord> = z.object({
  symbol: z.string(),
  quantity: Amount,
  averagePrice: Amount,
  since: z.string(),
  opening: z
    .object({
      at: z.string(),
      direction: z.enum(["LONG", "SHORT", "WAIT"]).nullable(),
      grade: z.string().nullable(),
      score: z.number().nullable(),
      stop: z.number().nullable(),
      stopSource: z.enum(["order", "signal"]).nullable(),
    })
    .nullable(),
});

/** Parses stored positions; `unread` is the number of invalid ones. */
function parsePositions(text: string): {
  readonly positions: readonly PositionRecord[];
  readonly unread?: number;
} {
  const rows = parseList(text);
  const positions = rows.flatMap((row) => {
    const { data } = StoredPosition.safeParse(row);
    return data === undefined ? [] : [data];
  });
  const unread = rows.length - positions.length;
  return unread === 0 ? { positions } : { positions, unread };
}

/** Parses a JSON array; any other text yields one invalid row. */
function parseList(text: string): readonly unknown[] {
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored : [stored];
  } catch {
    return [null];
  }
}

const MAX_LABELS = 20;

/** Creates the repository of one market's synced and imported positions. */
export function positionRepository({
  db,
  market,
  clock,
}: MarketDb & { readonly clock: Clock }): PositionRepository {
  return {
    async saveSynced(account, { connection, at, positions }) {
      const latest = new Date(latestEnd(clock.now().getTime(), 0)).toISOString();
      const row = { synced_at: at, positions: JSON.stringify(positions) };
      await db
        .insertInto("synced_positions")
        .values({ account, market, connection, ...row })
        .onConflict((conflict) =>
          conflict
            .columns(["account", "market", "connection"])
            .doUpdateSet(row)
            // a later time was stored while the clock was ahead
            .where((is) =>
              is.or([
                is("synced_positions.synced_at", "<=", at),
                is("synced_positions.synced_at", ">", latest),
              ]),
            ),
        )
        .execute();
    },
    async listSynced(account) {
      const rows = await listRows(db, "synced_positions", { account, market }, { order: ["connection"] });
      return rows.map(({ connection, synced_at: at, positions }) => ({
        connection,
        at,
        ...parsePositions(positions),
      }));
    },
    async removeSynced(account, connection) {
      await deleteRows(db, "synced_positions", { account, market, connection });
    },
    async saveImported(account, { label, at, positions }) {
      const row = { imported_at: at, positions: JSON.stringify(positions) };
      await accountTransaction(db, account, async (tx) => {
        await upsert(tx, "imported_positions", { account, market, label }, row);
        if ((await countRows(tx, "imported_positions", { account, market })) > MAX_LABELS)
          throw new ToolError("REFUSED", `At most ${MAX_LABELS} imported accounts can be stored`, {
            hint: "Reuse one of the labels, or remove one: list_positions shows them.",
          });
      });
    },
    async listImported(account) {
      const rows = await listRows(db, "imported_positions", { account, market }, { order: ["label"] });
      return rows.map(({ label, imported_at: at, positions }) => ({
        label,
        at,
        ...parsePositions(positions),
      }));
    },
    removeImported: async (account, label) =>
      (await deleteRows(db, "imported_positions", { account, market, label })) === 1,
  };
}
