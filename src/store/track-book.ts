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
/** Those of a run are what was said at the time, so a replay of the same bar adds nothing. */
const PUBLISHED = ["scheduled", "replay"] as const;

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
  symbol: z.string(),
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
    const seen = new Set<string>();
    const all: ScoredSignal[] = [];
    for (const origin of PUBLISHED)
      for (let after = { id: "", horizon: 0 }; ; ) {
        const rows = await db
          .selectFrom("signal_outcomes as outcome")
          .innerJoin("signals as signal", "signal.id", "outcome.id")
          .select(["signal.symbol", "signal.decided_at", "signal.asset_class", "signal.direction"])
          .select(["signal.grade", "outcome.id", "outcome.horizon", "outcome.known_at"])
          .select(["outcome.change", "outcome.r"])
          .where("signal.market", "=", market)
          .where("signal.timeframe", "=", timeframe)
          .where("signal.model_version", "=", model_version)
          .where("signal.origin", "=", origin)
          .where(({ eb, or, and }) =>
            or([
              eb("outcome.id", ">", after.id),
              and([eb("outcome.id", "=", after.id), eb("outcome.horizon", ">", after.horizon)]),
            ]),
          )
          .orderBy("outcome.id")
          .orderBy("outcome.horizon")
          .limit(PAGE)
          .execute();
        for (const row of rows) {
          const name = `${row.symbol}|${row.decided_at}|${row.horizon}`;
          const read = Scored.safeParse(row).data;
          if (read === undefined || seen.has(name)) continue;
          seen.add(name);
          const { symbol: _, decided_at, known_at, ...rest } = read;
          all.push({ ...rest, at: Date.parse(decided_at), known: Date.parse(known_at) });
        }
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE) break;
        after = last;
        await new Promise((next) => setImmediate(next));
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

const iso = (epochMs: number): string => new Date(epochMs).toISOString();
