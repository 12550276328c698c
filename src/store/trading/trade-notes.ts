import type { Kysely } from "kysely";
import type { TradeNotes } from "../../domain/trading/trade-notes-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Schema } from "../schema.ts";

const MAX_NOTES_PER_ORDER = 50;

/** Trade notes of one market. */
export function tradeNotes({
  db,
  market,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
}): TradeNotes {
  return {
    add: (account, { id, order: order_id, note, at: noted_at }) =>
      db.transaction().execute(async (tx) => {
        const before = await tx
          .selectFrom("trade_notes")
          .select("id")
          .where((is) => is.and({ account, market, order_id }))
          .execute();
        if (before.length >= MAX_NOTES_PER_ORDER)
          throw new ToolError("REFUSED", `An order has ${MAX_NOTES_PER_ORDER} notes at most`);
        await tx
          .insertInto("trade_notes")
          .values({ account, market, id, order_id, note, noted_at })
          .execute();
      }),
    async list(account) {
      const rows = await db
        .selectFrom("trade_notes")
        .select(["id", "order_id", "note", "noted_at"])
        .where((is) => is.and({ account, market }))
        .orderBy("noted_at")
        .orderBy("id")
        .execute();
      return rows.map(({ id, order_id, note, noted_at }) => ({ id, order: order_id, note, at: noted_at }));
    },
  };
}
