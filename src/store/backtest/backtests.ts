import { z } from "zod";
import { MAX_BACKTESTS } from "../../domain/backtest/backtest.ts";
import type { Backtests } from "../../domain/backtest/backtests-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { deleteRows, findRow, listRows, type MarketDb, upsert } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import { accountTransaction } from "../transactions.ts";

/** Maximum size of one backtest, bytes. */
const MAX_BACKTEST_BYTES = 4_000_000;

const JsonObject = z.record(z.string(), z.unknown());
const NEWEST_FIRST = ["created_at desc", "id desc"] as const;

/** Creates the repository of one market's backtests. Backtests of another market are not found. */
export function backtests({ db, market }: MarketDb): Backtests {
  return {
    async save({ account, id, createdAt, ...backtest }) {
      const request = JSON.stringify(backtest.request);
      const result = JSON.stringify(backtest.result);
      rejectOversized(Buffer.byteLength(request) + Buffer.byteLength(result));
      const row = { created_at: createdAt, request, result };
      await accountTransaction(db, account, async (tx) => {
        await upsert(tx, "backtests", { account, market, id }, row);
        const others = tx
          .selectFrom("backtests")
          .where("account", "=", account)
          .where((is) => is.not(is.and({ market, id })));
        const spare = await others
          .select(["market", "id"])
          .orderBy("created_at", "desc")
          .orderBy("id", "desc")
          .offset(MAX_BACKTESTS - 1)
          .limit(MAX_BACKTESTS)
          .execute();
        for (const old of spare) await deleteRows(tx, "backtests", { account, ...old });
      });
    },

    async find(account, id) {
      const row = await findRow(db, "backtests", { account, market, id });
      const request = readRow(JsonObject, row?.request);
      const result = readRow(JsonObject, row?.result);
      return row === undefined || request === null || result === null
        ? null
        : { id, createdAt: row.created_at, request, result };
    },

    async list(account, limit) {
      const page = { columns: ["id", "created_at", "request"], order: NEWEST_FIRST, limit } as const;
      const rows = await listRows(db, "backtests", { account, market }, page);
      return rows.flatMap(({ id, created_at, request }) => {
        const parsed = readRow(JsonObject, request);
        return parsed === null ? [] : [{ id, createdAt: created_at, request: parsed }];
      });
    },
  };
}

function rejectOversized(bytes: number): void {
  if (bytes <= MAX_BACKTEST_BYTES) return;
  const tenth = (value: number) => (Math.ceil(value / 100_000) / 10).toFixed(1);
  throw new ToolError(
    "INVALID_INPUT",
    `A backtest of ${tenth(bytes)} MB cannot be stored: the maximum is ${tenth(MAX_BACKTEST_BYTES)} MB`,
    { hint: "Use fewer symbols, a shorter date range or a longer timeframe." },
  );
}
