import type { TradeNotes } from "../../domain/trading/trade-notes-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { countRows, insertRows, listRows, type MarketDb } from "../queries.ts";
import { accountTransaction } from "../transactions.ts";

const MAX_NOTES_PER_ORDER = 50;

export function tradeNotes({ db, market }: MarketDb): TradeNotes {
  return {
    add: (account, { id, order: order_id, note, at: noted_at }) =>
      accountTransaction(db, account, async (tx) => {
        if ((await countRows(tx, "trade_notes", { account, market, order_id })) >= MAX_NOTES_PER_ORDER)
          throw new ToolError("REFUSED", `An order has at most ${MAX_NOTES_PER_ORDER} notes`);
        await insertRows(tx, "trade_notes", [{ account, market, id, order_id, note, noted_at }]);
      }),
    async list(account) {
      const rows = await listRows(db, "trade_notes", { account, market }, { order: ["noted_at", "id"] });
      return rows.map(({ id, order_id, note, noted_at }) => ({ id, order: order_id, note, at: noted_at }));
    },
  };
}
