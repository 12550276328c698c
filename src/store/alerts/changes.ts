import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { WatchRepository, WatchUpdate } from "../../domain/alerts/alerts-port.ts";
import { CHANGE_RETENTION_MS, SignalChange } from "../../domain/alerts/changes.ts";
import type { ChangeRepository, SeriesKey } from "../../domain/alerts/changes-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import {
  compare,
  deleteRows,
  findRow,
  insertMissing,
  listRows,
  type MarketDb,
  updateRows,
  upsert,
} from "../queries.ts";
import { readRow, SeenRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { storeTransaction } from "../transactions.ts";
import { addAlerts } from "./deliveries.ts";

const CHANGE_ID = /^sc_[0-9a-f]{20}$/;
const CURSOR = /^cu_([0-9a-f]{8})_(\d{1,15})$/;
/** Maximum number of old changes that each new one deletes. */
const SWEEP_LIMIT = 20;

/** Creates the repository of one market's signal states and signal changes. */
export function changeRepository({
  db,
  market,
}: MarketDb): ChangeRepository & Pick<WatchRepository, "state" | "save"> {
  const tag = createHash("sha256").update(market).digest("hex").slice(0, 8);
  const cursorAt = (seq: number): string => `cu_${tag}_${seq}`;
  const seqIn = (cursor: string): number | null => {
    const [, cursorTag, seq] = CURSOR.exec(cursor) ?? [];
    return cursorTag === tag ? Number(seq) : null;
  };
  const own = () => db.selectFrom("signal_changes").where("market", "=", market);
  const find = (filter: { readonly id: string } | { readonly seq: number }) =>
    findRow(db, "signal_changes", { market, ...filter }, { columns: ["seq"] });

  async function last(): Promise<number> {
    const row = await findRow(db, "signal_changes", { market }, { columns: ["seq"], order: ["seq desc"] });
    return row?.seq ?? 0;
  }

  /** Returns the number of the newest change that was noticed by a time (epoch ms); 0 before the first. */
  async function lastBy(until: number): Promise<number> {
    const noticed_at = compare({ "<=": new Date(until).toISOString() });
    const row = await findRow(
      db,
      "signal_changes",
      { market, noticed_at },
      { columns: ["seq"], order: ["seq desc"] },
    );
    return row?.seq ?? 0;
  }

  /** Resolves a cursor or change id to its sequence number. @throws ToolError INVALID_INPUT */
  async function seqOf(after: string, newest: number): Promise<number> {
    if (CHANGE_ID.test(after)) {
      const row = await find({ id: after });
      if (row !== undefined) return row.seq;
    }
    const seq = seqIn(after);
    if (seq !== null && (seq === 0 || (seq <= newest && (await isStored(seq))))) return seq;
    throw new ToolError("INVALID_INPUT", "The cursor is invalid, expired or from another market", {
      hint: "Pass a cursor returned by what_changed within the last 90 days, or a time as since.",
      data: { errors: [{ pointer: "/after", detail: "is not a valid cursor of this market" }] },
    });
  }

  /** Returns true if a change is stored; all later changes are then stored too. */
  const isStored = async (seq: number): Promise<boolean> => (await find({ seq })) !== undefined;

  return {
    last,
    cursorAt,
    seqIn,
    now: async () => cursorAt(await last()),

    async after(seq, limit) {
      const order = ["seq"] as const;
      const rows = await listRows(
        db,
        "signal_changes",
        { market, seq: compare({ ">": seq }) },
        { order, limit },
      );
      return rows.map((row) => ({ seq: row.seq, change: SignalChange.parse(JSON.parse(row.json)) }));
    },

    async since({ series, after, from, until, limit }) {
      const newest = await last();
      const end = until === undefined ? newest : await lastBy(until);
      const start = after === undefined ? 0 : await seqOf(after, newest);
      if (series.length === 0) return { changes: [], cursor: cursorAt(Math.max(start, end)), more: false };
      const rows = await own()
        .select(["seq", "json"])
        .where("seq", ">", start)
        .where("seq", "<=", end)
        .$if(from !== undefined, (query) => query.where("noticed_at", ">=", new Date(from!).toISOString()))
        .where((is) =>
          is.or(
            bySeries(series).map((some) =>
              is.and([is("timeframe", "=", some.timeframe), is("symbol", "in", some.symbols)]),
            ),
          ),
        )
        .orderBy("seq")
        .limit(limit + 1)
        .execute();
      const page = rows.slice(0, limit);
      const more = rows.length > limit;
      return {
        changes: page.map(({ json }) => SignalChange.parse(JSON.parse(json))),
        cursor: cursorAt(more ? page.at(-1)!.seq : Math.max(start, end)),
        more,
      };
    },

    async observedRanges(series) {
      const rows = await Promise.all(series.map((one) => stateOf(db, market, one)));
      return rows.map((row) => (row === undefined ? null : { since: row.since, until: row.evaluated_at }));
    },

    async state(series) {
      const row = await stateOf(db, market, series);
      return row === undefined ? null : { state: row.state, since: row.since, evaluatedAt: row.evaluated_at };
    },

    save: (update) => storeTransaction(db, (tx) => write(tx, market, update)),
  };
}

const stateOf = (db: Kysely<Schema>, market: string, { symbol, timeframe }: SeriesKey) =>
  findRow(db, "signal_states", { market, symbol, timeframe });

/** Groups the symbols by timeframe. */
function bySeries(series: readonly SeriesKey[]) {
  const timeframes = [...new Set(series.map(({ timeframe }) => timeframe))];
  return timeframes.map((timeframe) => ({
    timeframe,
    symbols: series.filter((one) => one.timeframe === timeframe).map(({ symbol }) => symbol),
  }));
}

async function write(tx: Kysely<Schema>, market: string, update: WatchUpdate) {
  const { at, change } = update;
  const stateWritten = await writeState(tx, market, update);
  const changed = stateWritten && change !== null && (await writeChange(tx, market, change));
  const alerts = [...(changed ? update.alerts : [])];
  for (const seen of update.seen) {
    const { account, subscription: id } = seen;
    const row = await findRow(tx, "subscriptions", { account, market, id, state: "active" });
    const known = readRow(SeenRow, row?.seen) ?? {};
    if (row === undefined || (known[seen.symbol] ?? null) !== seen.before) continue;
    const now = JSON.stringify({ ...known, [seen.symbol]: seen.now });
    await updateRows(tx, "subscriptions", { account, market, id }, { seen: now });
    alerts.push(...seen.alerts.map((alert) => ({ account, alert })));
  }
  return { changed, alerts: await addAlerts(tx, { market, at, alerts }) };
}

/**
 * Stores the new state of a signal. Returns false when the update has no new state or another process changed the state
 * meanwhile.
 */
async function writeState(
  tx: Kysely<Schema>,
  market: string,
  { series: { symbol, timeframe }, at, state }: WatchUpdate,
): Promise<boolean> {
  if (state === null) return false;
  const row = await stateOf(tx, market, { symbol, timeframe });
  if ((row?.state ?? null) !== state.before) return false;
  const evaluated_at = new Date(at).toISOString();
  const since = row === undefined || state.restarted === true ? evaluated_at : row.since;
  await upsert(tx, "signal_states", { market, symbol, timeframe }, { state: state.now, evaluated_at, since });
  return true;
}

/** Stores a change. Returns false when another process has already stored the change of that bar. */
async function writeChange(tx: Kysely<Schema>, market: string, change: SignalChange): Promise<boolean> {
  const { change_id: id, symbol, timeframe, decided_at, noticed_at } = change;
  const row = { market, id, symbol, timeframe, decided_at, noticed_at, json: JSON.stringify(change) };
  if ((await insertMissing(tx, "signal_changes", [row])) !== 1) return false;
  await sweep(tx, market, Date.parse(noticed_at));
  return true;
}

/** Deletes a few of the oldest changes whose retention has passed. */
async function sweep(tx: Kysely<Schema>, market: string, now: number): Promise<void> {
  const page = { columns: ["seq"], order: ["seq"], limit: SWEEP_LIMIT } as const;
  const oldest = await listRows(tx, "signal_changes", { market }, page);
  const until = new Date(now - CHANGE_RETENTION_MS).toISOString();
  const seq = oldest.map((row) => row.seq);
  await deleteRows(tx, "signal_changes", { seq, noticed_at: compare({ "<": until }) });
}
