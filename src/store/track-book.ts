import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import { TIMEFRAME_MS, Timeframe } from "../domain/bars.ts";
import { AssetClass } from "../domain/market.ts";
import { Direction, Grade } from "../domain/signal.ts";
import { HORIZONS, Horizon, type LoggedSignal, type ScoredSignal } from "../domain/track.ts";
import type { Clock } from "../ports/index.ts";
import type { DueSignal, TrackBook } from "../ports/track.ts";
import type { Schema } from "./schema.ts";

/** Rows of one statement; a statement may have some thousands of values. */
const AT_ONCE = 200;
/** Rows read before others have their turn. */
const PAGE = 5_000;
/** Signals older than twice the bars that a series is read with are never reached by them. */
const OLDEST_BARS = 1_000;
/** What nobody chose to ask for. */
const PUBLISHED: ReadonlySet<string> = new Set(["scheduled", "replay"]);

const Due = z.object({
  id: z.string(),
  symbol: z.string(),
  asset_class: AssetClass,
  timeframe: Timeframe,
  decided_at: z.string(),
  direction: Direction,
  grade: Grade.nullable(),
  entry: z.number(),
  stop: z.number(),
  target: z.number(),
  close: z.number(),
  model_version: z.string(),
});
const Scored = z.object({
  decided_at: z.string(),
  known_at: z.string(),
  asset_class: AssetClass,
  direction: Direction,
  grade: Grade.nullable(),
  horizon: Horizon,
  change: z.number(),
  r: z.number().nullable(),
});

export interface TrackBookOptions {
  readonly db: Kysely<Schema>;
  /** Names the market; one never sees another's. */
  readonly market: string;
  readonly clock: Clock;
}

/** Names a signal by what makes it the same: said again with the same inputs, it is no second one. */
export const signalId = (market: string, one: LoggedSignal): string =>
  createHash("sha256")
    .update(
      [
        ...[market, one.symbol, one.timeframe, one.decided_at],
        ...[one.origin, one.model_version, one.inputs_hash],
      ].join("\n"),
    )
    .digest("hex")
    .slice(0, 24);

/** Signals of one market and what came of them. Rows are added and never changed. */
export const trackBook = ({ db, market, clock }: TrackBookOptions): TrackBook => ({
  async log(signals) {
    const logged_at = clock.now().toISOString();
    const rows = signals.map((one) => ({ ...columnsOf(one), id: signalId(market, one), market, logged_at }));
    await db.transaction().execute(async (tx) => {
      for (let i = 0; i < rows.length; i += AT_ONCE)
        await tx
          .insertInto("signals")
          .values(rows.slice(i, i + AT_ONCE))
          .onConflict((conflict) => conflict.column("id").doNothing())
          .execute();
    });
    return rows.map(({ id }) => id);
  },

  async due(now) {
    const found = new Map<string, DueSignal>();
    for (const timeframe of Timeframe.options)
      for (const horizon of HORIZONS) {
        const length = TIMEFRAME_MS[timeframe];
        const rows = await db
          .selectFrom("signals as signal")
          .selectAll("signal")
          .where("signal.market", "=", market)
          .where("signal.timeframe", "=", timeframe)
          .where("signal.decided_at", "<=", iso(now - horizon * length))
          .where("signal.decided_at", ">=", iso(now - OLDEST_BARS * length))
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("signal_outcomes as outcome")
                  .select("outcome.id")
                  .whereRef("outcome.id", "=", "signal.id")
                  .where("outcome.horizon", "=", horizon),
              ),
            ),
          )
          .execute();
        for (const row of rows) {
          const read = found.get(row.id) ?? Due.safeParse(row).data;
          if (read === undefined) continue;
          const horizons = [...("horizons" in read ? read.horizons : []), horizon];
          found.set(row.id, { ...read, horizons });
        }
      }
    return [...found.values()];
  },

  async score(outcomes) {
    let added = 0;
    await db.transaction().execute(async (tx) => {
      for (let i = 0; i < outcomes.length; i += AT_ONCE) {
        const [result] = await tx
          .insertInto("signal_outcomes")
          .values(
            outcomes
              .slice(i, i + AT_ONCE)
              .map(({ id, horizon, known_at, change, r }) => ({ id, horizon, known_at, change, r })),
          )
          .onConflict((conflict) => conflict.columns(["id", "horizon"]).doNothing())
          .execute();
        added += Number(result?.numInsertedOrUpdatedRows ?? 0);
      }
    });
    return added;
  },

  async scored({ timeframe, model_version }) {
    const chosen = new Map<string, Heading>();
    for await (const rows of pages((after) => headingsAfter(db, after)))
      for (const row of rows) {
        if (row.market !== market || row.timeframe !== timeframe || row.model_version !== model_version)
          continue;
        if (!PUBLISHED.has(row.origin)) continue;
        const name = `${row.symbol}|${row.decided_at}`;
        const other = chosen.get(name);
        if (other === undefined || before(row, other)) chosen.set(name, row);
      }
    const byId = new Map([...chosen.values()].map((one) => [one.id, one]));
    const all: ScoredSignal[] = [];
    for await (const rows of pages((after) => outcomesAfter(db, after)))
      for (const row of rows) {
        const one = byId.get(row.id);
        const read = one === undefined ? undefined : Scored.safeParse({ ...one, ...row }).data;
        if (read === undefined) continue;
        const { decided_at, known_at, ...rest } = read;
        all.push({ ...rest, at: Date.parse(decided_at), known: Date.parse(known_at) });
      }
    return all;
  },

  async publish(timeframe, record) {
    const { model_version, computed_at } = record;
    const row = { market, timeframe, model_version, computed_at, said: JSON.stringify(record) };
    await db
      .insertInto("track_records")
      .values(row)
      .onConflict((conflict) => conflict.columns(["market", "timeframe", "model_version"]).doUpdateSet(row))
      .execute();
  },
});

const columnsOf = (one: LoggedSignal): Omit<Schema["signals"], "id" | "market" | "logged_at"> => ({
  symbol: one.symbol,
  asset_class: one.asset_class,
  timeframe: one.timeframe,
  decided_at: one.decided_at,
  origin: one.origin,
  run_id: one.run_id,
  direction: one.direction,
  grade: one.grade,
  score: one.score,
  tier: one.tier,
  entry: one.entry,
  stop: one.stop,
  target: one.target,
  close: one.close,
  inputs_hash: one.inputs_hash,
  model_version: one.model_version,
});

type Heading = Awaited<ReturnType<typeof headingsAfter>>[number];

/** Whether a signal takes the other's place: a run said it at the time, a replay looked back. */
const before = (one: Heading, other: Heading): boolean =>
  one.origin === other.origin ? one.logged_at < other.logged_at : one.origin === "scheduled";

// by the primary key alone, and chosen afterwards, so that each page is found at once however many there are
const headingsAfter = (db: Kysely<Schema>, after: string) =>
  db
    .selectFrom("signals")
    .select(["id", "market", "symbol", "timeframe", "model_version", "origin", "decided_at", "logged_at"])
    .select(["asset_class", "direction", "grade"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(PAGE)
    .execute();

/** The next outcomes, all horizons of a signal together. */
async function outcomesAfter(db: Kysely<Schema>, after: string) {
  const rows = await db
    .selectFrom("signal_outcomes")
    .selectAll()
    .where("id", ">", after)
    .orderBy("id")
    .limit(PAGE)
    .execute();
  const last = rows.at(-1)?.id;
  // the last signal of a full page may go on
  return rows.length < PAGE ? rows : rows.filter(({ id }) => id !== last);
}

/** Pages in the order of their ids until one is empty; others have their turn between them. */
async function* pages<Row extends { readonly id: string }>(
  read: (after: string) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after = ""; ; ) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
    await new Promise((next) => setImmediate(next));
  }
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();
