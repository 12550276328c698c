import type { Kysely } from "kysely";
import type { EngineResult, EngineRuns } from "../ports/index.ts";
import type { Schema } from "./schema.ts";

/** The newest finished result per symbol and timeframe; one market never sees another's. */
export const engineRuns = ({
  db,
  market,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
}): EngineRuns => ({
  async latest(symbol, timeframe) {
    const row = await db
      .selectFrom("engine_results")
      .select(["run_id", "run_at as runAt", "score", "grade", "direction"])
      .where("market", "=", market)
      .where("symbol", "=", symbol)
      .where("timeframe", "=", timeframe)
      .orderBy("run_at", "desc")
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? null : { ...row, direction: row.direction as EngineResult["direction"] };
  },
});
