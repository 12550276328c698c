import type { Kysely } from "kysely";
import { ReportHour } from "../../domain/earnings/earnings.ts";
import type {
  EstimateRepository,
  EstimateSnapshot,
  ReportDateRecord,
} from "../../domain/earnings/estimate-repository-port.ts";
import type { Schema } from "../schema.ts";

/** Retention of estimate snapshots. */
const RETENTION_MS = 800 * 86_400_000;
/** Snapshots read of one symbol: of two years and several sources. */
const MAX_SNAPSHOTS = 400;

/** Estimates of one market in the store. */
export function estimateRepository({
  db,
  market,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
}): EstimateRepository {
  async function dateKnownAt(symbol: string, moment: number): Promise<ReportDateRecord | null> {
    const row = await db
      .selectFrom("report_dates")
      .select(["noted_at", "source", "date", "hour", "confirmed"])
      .where("market", "=", market)
      .where("symbol", "=", symbol)
      .where("noted_at", "<=", new Date(moment).toISOString())
      .orderBy("noted_at", "desc")
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { noted_at, source, date, hour, confirmed } = row;
    return {
      symbol,
      source,
      date,
      notedAt: Date.parse(noted_at),
      hour: ReportHour.parse(hour),
      confirmed: confirmed === 1,
    };
  }

  return {
    dateKnownAt,
    async saveDate({ symbol, source, notedAt, date, hour, confirmed }) {
      const last = await dateKnownAt(symbol, notedAt);
      const told = (one: ReportDateRecord) => [one.source, one.date, one.hour, one.confirmed].join(" ");
      if (last !== null && told(last) === told({ symbol, source, notedAt, date, hour, confirmed })) return;
      const said = { source, date, hour, confirmed: Number(confirmed) };
      await db
        .insertInto("report_dates")
        .values({ market, symbol, noted_at: new Date(notedAt).toISOString(), ...said })
        .onConflict((conflict) => conflict.columns(["market", "symbol", "noted_at"]).doNothing())
        .execute();
    },
    async save({ symbol, source, period, takenAt, eps, revenue }) {
      const taken_at = new Date(takenAt).toISOString();
      const row = { market, symbol, source, period, day: taken_at.slice(0, 10), taken_at, eps, revenue };
      await db
        .insertInto("estimate_snapshots")
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(["market", "symbol", "source", "period", "day"]).doUpdateSet(row),
        )
        .execute();
      await db
        .deleteFrom("estimate_snapshots")
        .where("market", "=", market)
        .where("symbol", "=", symbol)
        .where("taken_at", "<", new Date(takenAt - RETENTION_MS).toISOString())
        .execute();
    },
    async list(symbol) {
      const rows = await db
        .selectFrom("estimate_snapshots")
        .select(["source", "period", "taken_at", "eps", "revenue"])
        .where("market", "=", market)
        .where("symbol", "=", symbol)
        .orderBy("taken_at", "desc")
        .limit(MAX_SNAPSHOTS)
        .execute();
      return rows.map(
        ({ taken_at, ...row }): EstimateSnapshot => ({ symbol, ...row, takenAt: Date.parse(taken_at) }),
      );
    },
  };
}
