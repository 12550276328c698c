import type { Kysely } from "kysely";
import { z } from "zod";
import type { PositionRecord, PositionRepository } from "../../domain/trading/positions-port.ts";
import { Amount } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Schema } from "../schema.ts";

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

/** What reads as positions; one that does not takes no other with it. */
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

/** What does not read as a list counts as one row. */
function parseList(text: string): readonly unknown[] {
  try {
    const said: unknown = JSON.parse(text);
    return Array.isArray(said) ? said : [said];
  } catch {
    return [null];
  }
}

const MAX_LABELS = 20;

/** Positions in the store, of one market alone. */
export function positionRepository({
  db,
  market,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
}): PositionRepository {
  return {
    async saveSynced(account, { connection, at, positions }) {
      const row = { synced_at: at, positions: JSON.stringify(positions) };
      await db
        .insertInto("synced_positions")
        .values({ account, market, connection, ...row })
        .onConflict((conflict) =>
          conflict
            .columns(["account", "market", "connection"])
            .doUpdateSet(row)
            .where("synced_positions.synced_at", "<=", at),
        )
        .execute();
    },
    async listSynced(account) {
      const rows = await db
        .selectFrom("synced_positions")
        .select(["connection", "synced_at", "positions"])
        .where("account", "=", account)
        .where("market", "=", market)
        .orderBy("connection")
        .execute();
      return rows.map(({ connection, synced_at, positions }) => ({
        connection,
        at: synced_at,
        ...parsePositions(positions),
      }));
    },
    async removeSynced(account, connection) {
      await db
        .deleteFrom("synced_positions")
        .where("account", "=", account)
        .where("market", "=", market)
        .where("connection", "=", connection)
        .execute();
    },
    async saveImported(account, { label, at, positions }) {
      const row = { told_at: at, positions: JSON.stringify(positions) };
      await db.transaction().execute(async (tx) => {
        await tx
          .insertInto("imported_positions")
          .values({ account, market, label, ...row })
          .onConflict((conflict) => conflict.columns(["account", "market", "label"]).doUpdateSet(row))
          .execute();
        const labels = await tx
          .selectFrom("imported_positions")
          .select("label")
          .where((is) => is.and({ account, market }))
          .execute();
        if (labels.length > MAX_LABELS)
          throw new ToolError("REFUSED", `Positions of ${MAX_LABELS} accounts elsewhere are kept at most`, {
            hint: "Use one of the labels again, or remove one: list_positions shows them.",
          });
      });
    },
    async listImported(account) {
      const rows = await db
        .selectFrom("imported_positions")
        .select(["label", "told_at", "positions"])
        .where((is) => is.and({ account, market }))
        .orderBy("label")
        .execute();
      return rows.map(({ label, told_at, positions }) => ({
        label,
        at: told_at,
        ...parsePositions(positions),
      }));
    },
    async removeImported(account, label) {
      const { numDeletedRows } = await db
        .deleteFrom("imported_positions")
        .where((is) => is.and({ account, market, label }))
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
  };
}
