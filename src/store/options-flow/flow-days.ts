import { z } from "zod";
import type { FlowDay } from "../../domain/options-flow/options.ts";
import type { FlowDays, Log } from "../../domain/ports.ts";
import { newYorkOffsetMs } from "../../lib/newyork.ts";
import { compare, deleteRows, findRow, listRows, type MarketDb, upsert } from "../queries.ts";
import { readRow } from "../row-schemas.ts";

/** Maximum number of days returned. */
const MAX_DAYS = 600;
const figure = z.number().nonnegative().nullable();
const StoredFlow = z.object({
  callVolume: figure,
  putVolume: figure,
  callPremium: figure,
  putPremium: figure,
  atmIv: figure,
  putIv: figure,
});

/**
 * Creates the repository of one market's option flow snapshots. The first snapshot of a day deletes those of the
 * previous day except two: the last one by the session close (16:00 New York), on which decisions at the close were
 * made, and the last one of the day.
 */
export function flowDays({
  db,
  market,
  log,
}: MarketDb & {
  readonly log: Log;
}): FlowDays {
  /** Deletes the snapshots of the newest day before `day` except the two that stay. */
  async function thin(symbol: string, day: string): Promise<void> {
    const earlier = { market, symbol, day: compare({ "<": day }) };
    const before = await findRow(db, "flow_snapshots", earlier, { columns: ["day"], order: ["day desc"] });
    if (before === undefined) return;
    const page = { columns: ["at"], order: ["at"] } as const;
    const rows = await listRows(db, "flow_snapshots", { market, symbol, day: before.day }, page);
    const close = closeOf(before.day);
    const remaining = new Set([rows.at(-1)?.at, rows.findLast(({ at }) => Date.parse(at) <= close)?.at]);
    const at = rows.flatMap((row) => (remaining.has(row.at) ? [] : [row.at]));
    await deleteRows(db, "flow_snapshots", { market, symbol, at });
  }

  return {
    async days(symbol, { until, limit }) {
      const newest = await db
        .selectFrom("flow_snapshots")
        .where((is) => is.and({ market, symbol }))
        .select(({ fn }) => ["day", fn.max<string>("at").as("at")])
        .where("at", "<=", new Date(until).toISOString())
        .groupBy("day")
        .orderBy("day", "desc")
        .limit(Math.min(MAX_DAYS, Math.max(0, limit)))
        .execute();
      const last = newest.map(({ at }) => at);
      const rows = await listRows(db, "flow_snapshots", { market, symbol, at: last }, { order: ["day"] });
      return rows.flatMap(({ day, at, json }): FlowDay[] => {
        const read = readRow(StoredFlow, json);
        return read === null ? [] : [{ day, at: Date.parse(at), ...read }];
      });
    },

    async save(symbol, { day, at, ...sums }) {
      const row = { day, json: JSON.stringify(sums) };
      const key = { market, symbol, at: new Date(at).toISOString() };
      try {
        const isKnown = (await findRow(db, "flow_snapshots", { market, symbol, day })) !== undefined;
        await upsert(db, "flow_snapshots", key, row);
        if (!isKnown) await thin(symbol, day);
      } catch (cause) {
        log.warn("flow_snapshot_not_stored", { symbol, cause });
      }
    },
  };
}

/** Returns the time of 16:00 New York on a date, epoch ms. */
function closeOf(date: string): number {
  const day = Date.parse(date);
  return day + 16 * 3_600_000 - newYorkOffsetMs(day + 12 * 3_600_000);
}
