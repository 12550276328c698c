import { ReportHour } from "../../domain/earnings/earnings.ts";
import type {
  EstimateRepository,
  EstimateSnapshot,
  ReportDateRecord,
} from "../../domain/earnings/estimate-repository-port.ts";
import { compare, deleteRows, findRow, insertMissing, listRows, type MarketDb, upsert } from "../queries.ts";

/** Retention of estimate snapshots. */
const RETENTION_MS = 800 * 86_400_000;
/** Maximum number of snapshots returned per symbol: two years of several providers. */
const MAX_SNAPSHOTS = 400;

/** Creates the repository of one market's analyst estimates and report dates. */
export function estimateRepository({ db, market }: MarketDb): EstimateRepository {
  async function dateKnownAt(symbol: string, moment: number): Promise<ReportDateRecord | null> {
    const known = { market, symbol, noted_at: compare({ "<=": new Date(moment).toISOString() }) };
    const row = await findRow(db, "report_dates", known, { order: ["noted_at desc"] });
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
      const isUnchanged =
        last?.source === source && last.date === date && last.hour === hour && last.confirmed === confirmed;
      if (isUnchanged) return;
      const row = { source, date, hour, confirmed: Number(confirmed) };
      await insertMissing(db, "report_dates", [
        { market, symbol, noted_at: new Date(notedAt).toISOString(), ...row },
      ]);
    },
    async save({ symbol, source, period, takenAt, eps, revenue }) {
      const taken_at = new Date(takenAt).toISOString();
      const key = { market, symbol, source, period, day: taken_at.slice(0, 10) };
      await upsert(db, "estimate_snapshots", key, { taken_at, eps, revenue });
      const until = new Date(takenAt - RETENTION_MS).toISOString();
      await deleteRows(db, "estimate_snapshots", { market, symbol, taken_at: compare({ "<": until }) });
    },
    async list(symbol) {
      const columns = ["source", "period", "taken_at", "eps", "revenue"] as const;
      const page = { columns, order: ["taken_at desc"], limit: MAX_SNAPSHOTS } as const;
      const rows = await listRows(db, "estimate_snapshots", { market, symbol }, page);
      return rows.map(
        ({ taken_at, ...row }): EstimateSnapshot => ({ symbol, ...row, takenAt: Date.parse(taken_at) }),
      );
    },
  };
}
