import type { NoSplits } from "../../domain/market/no-splits-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { countRows, deleteRows, insertMissing, listRows, type MarketDb } from "../queries.ts";
import { storeTransaction } from "../transactions.ts";

const MAX_DECLARATIONS = 1_000;

export function noSplits({ db, market }: MarketDb): NoSplits {
  return {
    async list(symbol) {
      const filter = { market, ...(symbol !== undefined && { symbol }) };
      const rows = await listRows(db, "no_splits", filter, { order: ["symbol", "date"] });
      return rows.map(({ symbol: name, date, declared_at }) => ({ symbol: name, date, declared_at }));
    },
    declare: (declared) =>
      storeTransaction(db, async (tx) => {
        if ((await countRows(tx, "no_splits", { market })) >= MAX_DECLARATIONS)
          throw new ToolError("REFUSED", `At most ${MAX_DECLARATIONS} price changes are declared no split`, {
            hint: "declare_no_split with remove: true removes one; without input it lists all.",
          });
        return (await insertMissing(tx, "no_splits", [{ market, ...declared }])) > 0;
      }),
    async remove({ symbol, date }) {
      return (await deleteRows(db, "no_splits", { market, symbol, date })) > 0;
    },
  };
}
