import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { WatchRepository, WatchUpdate } from "../../domain/alerts/alerts-port.ts";
import { CHANGE_RETENTION_MS, SignalChange } from "../../domain/alerts/changes.ts";
import type { ChangeRepository, SeriesKey } from "../../domain/alerts/changes-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { readRow, SeenRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { addAlerts } from "./deliveries.ts";

const CHANGE_ID = /^sc_[0-9a-f]{20}$/;
const CURSOR = /^cu_([0-9a-f]{8})_(\d{1,15})$/;
/** How many old changes each new one removes at most. */
const SWEEP_LIMIT = 20;

/** States of signals and their changes in one market of the store. */
export function changeRows({
  db,
  market,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
}): ChangeRepository & Pick<WatchRepository, "state" | "save"> {
  const tag = createHash("sha256").update(market).digest("hex").slice(0, 8);
  const cursorAt = (seq: number): string => `cu_${tag}_${seq}`;
  const own = () => db.selectFrom("signal_changes").where("market", "=", market);

  async function last(): Promise<number> {
    const row = await own().select("seq").orderBy("seq", "desc").limit(1).executeTakeFirst();
    return row?.seq ?? 0;
  }

  /** The number that a cursor or a change stands for. */
  async function placeOf(after: string, newest: number): Promise<number> {
    if (CHANGE_ID.test(after)) {
      const row = await own().select("seq").where("id", "=", after).executeTakeFirst();
      if (row !== undefined) return row.seq;
    }
    const [, ofMarket, text] = CURSOR.exec(after) ?? [];
    const seq = Number(text);
    if (ofMarket === tag && (seq === 0 || (seq <= newest && (await isKept(seq))))) return seq;
    throw new ToolError(
      "INVALID_INPUT",
      "The cursor is none of this market, or of a change that is kept no more",
      {
        hint: "Say a cursor as what_changed gave it within 90 days, or since, a time.",
        data: { errors: [{ pointer: "/after", detail: "is no cursor of this market, or too old" }] },
      },
    );
  }

  /** Whether a change is still here, and with it all that came after. */
  const isKept = async (seq: number): Promise<boolean> =>
    (await own().select("seq").where("seq", "=", seq).executeTakeFirst()) !== undefined;

  return {
    last,
    now: async () => cursorAt(await last()),

    async after(seq, limit) {
      const rows = await own()
        .select(["seq", "said"])
        .where("seq", ">", seq)
        .orderBy("seq")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ seq: row.seq, change: SignalChange.parse(JSON.parse(row.said)) }));
    },

    async since({ series, after, from, limit }) {
      const newest = await last();
      const place = after === undefined ? 0 : await placeOf(after, newest);
      if (series.length === 0) return { changes: [], cursor: cursorAt(newest), more: false };
      const rows = await own()
        .select(["seq", "said"])
        .where("seq", ">", place)
        .where("seq", "<=", newest)
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
      const told = rows.slice(0, limit);
      const more = rows.length > limit;
      return {
        changes: told.map(({ said }) => SignalChange.parse(JSON.parse(said))),
        cursor: cursorAt(more ? told.at(-1)!.seq : newest),
        more,
      };
    },

    async observedRanges(series) {
      const rows = await Promise.all(series.map((one) => stateOf(db, market, one)));
      return rows.map((row) => (row === undefined ? null : { since: row.since, until: row.looked_at }));
    },

    async state(series) {
      const row = await stateOf(db, market, series);
      return row === undefined ? null : { state: row.state, since: row.since, evaluatedAt: row.looked_at };
    },

    save: (noticed) => db.transaction().execute((tx) => write(tx, market, noticed)),
  };
}

const stateOf = (db: Kysely<Schema>, market: string, { symbol, timeframe }: SeriesKey) =>
  db
    .selectFrom("signal_states")
    .select(["state", "since", "looked_at"])
    .where((is) => is.and({ market, symbol, timeframe }))
    .executeTakeFirst();

/** The symbols of each timeframe. */
function bySeries(series: readonly SeriesKey[]) {
  const timeframes = [...new Set(series.map(({ timeframe }) => timeframe))];
  return timeframes.map((timeframe) => ({
    timeframe,
    symbols: series.filter((one) => one.timeframe === timeframe).map(({ symbol }) => symbol),
  }));
}

async function write(tx: Kysely<Schema>, market: string, noticed: WatchUpdate) {
  const { at, change } = noticed;
  const moved = await writeState(tx, market, noticed);
  const changed = moved && change !== null && (await writeChange(tx, market, change));
  const told = [...(changed ? noticed.alerts : [])];
  for (const seen of noticed.seen) {
    const { account, subscription: id } = seen;
    const row = await tx
      .selectFrom("subscriptions")
      .select("seen")
      .where((is) => is.and({ account, market, id, state: "active" }))
      .executeTakeFirst();
    const known = readRow(SeenRow, row?.seen) ?? {};
    if (row === undefined || (known[seen.symbol] ?? null) !== seen.before) continue;
    await tx
      .updateTable("subscriptions")
      .set({ seen: JSON.stringify({ ...known, [seen.symbol]: seen.now }) })
      .where((is) => is.and({ account, market, id }))
      .execute();
    told.push(...seen.alerts.map((alert) => ({ account, alert })));
  }
  return { changed, alerts: await addAlerts(tx, { market, at, alerts: told }) };
}

/** Whether the state of the signal was read and still was the one it was compared with; then it is the new one. */
async function writeState(
  tx: Kysely<Schema>,
  market: string,
  { series: { symbol, timeframe }, at, state }: WatchUpdate,
): Promise<boolean> {
  if (state === null) return false;
  const row = await stateOf(tx, market, { symbol, timeframe });
  if ((row?.state ?? null) !== state.before) return false;
  const looked_at = new Date(at).toISOString();
  const now = { state: state.now, looked_at, ...(state.restarted === true && { since: looked_at }) };
  await tx
    .insertInto("signal_states")
    .values({ market, symbol, timeframe, since: looked_at, ...now })
    .onConflict((conflict) => conflict.columns(["market", "symbol", "timeframe"]).doUpdateSet(now))
    .execute();
  return true;
}

/** Whether it was written: each bar's change once, whoever notices it. */
async function writeChange(tx: Kysely<Schema>, market: string, change: SignalChange): Promise<boolean> {
  const { change_id: id, symbol, timeframe, decided_at, noticed_at } = change;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("signal_changes")
    .values({ market, id, symbol, timeframe, decided_at, noticed_at, said: JSON.stringify(change) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await sweep(tx, market, Date.parse(noticed_at));
  return true;
}

/** Forgets a few of the oldest changes, if they are long past. */
async function sweep(tx: Kysely<Schema>, market: string, now: number): Promise<void> {
  const oldest = tx
    .selectFrom("signal_changes")
    .select("seq")
    .where("market", "=", market)
    .orderBy("seq")
    .limit(SWEEP_LIMIT);
  await tx
    .deleteFrom("signal_changes")
    .where("seq", "in", oldest)
    .where("noticed_at", "<", new Date(now - CHANGE_RETENTION_MS).toISOString())
    .execute();
}
