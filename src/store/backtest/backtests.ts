import type { Kysely } from "kysely";
import { z } from "zod";
import { MAX_BACKTESTS } from "../../domain/backtest/backtest.ts";
import type { Backtests } from "../../domain/backtest/backtests-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

/** Maximum size of one backtest, bytes. */
const MAX_BACKTEST_BYTES = 4_000_000;

const JsonObject = z.record(z.string(), z.unknown());

/** Backtests of one market. Backtests of another market are not found. */
export function backtests({
  db,
  market,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
}): Backtests {
  const ofAccount = (account: string) =>
    db.selectFrom("backtests").where("account", "=", account).where("market", "=", market);
  return {
    async save({ account, id, createdAt, ...said }) {
      const request = JSON.stringify(said.request);
      const result = JSON.stringify(said.result);
      rejectOversized(Buffer.byteLength(request) + Buffer.byteLength(result));
      const row = { created_at: createdAt, request, result };
      await db.transaction().execute(async (tx) => {
        await tx
          .insertInto("backtests")
          .values({ account, market, id, ...row })
          .onConflict((conflict) => conflict.columns(["account", "market", "id"]).doUpdateSet(row))
          .execute();
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
        for (const old of spare)
          await tx
            .deleteFrom("backtests")
            .where("account", "=", account)
            .where("market", "=", old.market)
            .where("id", "=", old.id)
            .execute();
      });
    },

    async find(account, id) {
      const row = await ofAccount(account).where("id", "=", id).selectAll().executeTakeFirst();
      const request = readRow(JsonObject, row?.request);
      const result = readRow(JsonObject, row?.result);
      return row === undefined || request === null || result === null
        ? null
        : { id, createdAt: row.created_at, request, result };
    },

    async list(account, limit) {
      const rows = await ofAccount(account)
        .select(["id", "created_at", "request"])
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.flatMap(({ id, created_at, request }) => {
        const read = readRow(JsonObject, request);
        return read === null ? [] : [{ id, createdAt: created_at, request: read }];
      });
    },
  };
}

function rejectOversized(bytes: number): void {
  if (bytes <= MAX_BACKTEST_BYTES) return;
  const tenth = (value: number) => (Math.ceil(value / 100_000) / 10).toFixed(1);
  throw new ToolError(
    "INVALID_INPUT",
    `A backtest of ${tenth(bytes)} MB cannot be kept: ${tenth(MAX_BACKTEST_BYTES)} MB is the most`,
    { hint: "Ask for fewer symbols, a shorter range of dates or a longer timeframe." },
  );
}
