import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Clock } from "../../domain/ports.ts";
import type { LoggedSignal } from "../../domain/track-record/track.ts";
import type { TrackRepository } from "../../domain/track-record/track-port.ts";
import type { Schema } from "../schema.ts";
import { dueSignals } from "./due-signals.ts";
import { scoredSignals } from "./scored-signals.ts";

/** Rows of one statement; a statement may have some thousands of values. */
const BATCH_SIZE = 200;

export interface TrackRepositoryOptions {
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
export const trackRepository = ({ db, market, clock }: TrackRepositoryOptions): TrackRepository => ({
  async log(signals) {
    const logged_at = clock.now().toISOString();
    const rows = signals.map((one) => ({ ...columnsOf(one), id: signalId(market, one), market, logged_at }));
    await db.transaction().execute(async (tx) => {
      for (let i = 0; i < rows.length; i += BATCH_SIZE)
        await tx
          .insertInto("signals")
          .values(rows.slice(i, i + BATCH_SIZE))
          .onConflict((conflict) => conflict.column("id").doNothing())
          .execute();
    });
    return rows.map(({ id }) => id);
  },

  due: (now) => dueSignals({ db, market }, now),

  async score(outcomes) {
    let added = 0;
    await db.transaction().execute(async (tx) => {
      for (let i = 0; i < outcomes.length; i += BATCH_SIZE) {
        const [result] = await tx
          .insertInto("signal_outcomes")
          .values(
            outcomes
              .slice(i, i + BATCH_SIZE)
              .map(({ id, horizon, known_at, change, r }) => ({ id, horizon, known_at, change, r })),
          )
          .onConflict((conflict) => conflict.columns(["id", "horizon"]).doNothing())
          .execute();
        added += Number(result?.numInsertedOrUpdatedRows ?? 0);
      }
    });
    return added;
  },

  scored: (of) => scoredSignals({ db, market }, of),

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
