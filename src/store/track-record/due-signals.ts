import type { Kysely } from "kysely";
import { z } from "zod";
import { TIMEFRAME_MS, Timeframe } from "../../domain/market/bars.ts";
import { AssetClass } from "../../domain/market/market.ts";
import { Direction, Grade } from "../../domain/signal/signal.ts";
import { HORIZONS, type Horizon } from "../../domain/track-record/track.ts";
import type { DueSignal } from "../../domain/track-record/track-port.ts";
import { yieldToEventLoop } from "../../lib/yield-to-event-loop.ts";
import type { Schema } from "../schema.ts";

/** Signals older than twice the bars that a series is read with are never reached by them. */
const MAX_AGE_BARS = 1_000;
/** Bars that are looked through before others have their turn; every longer horizon is a multiple. */
const WINDOW_BARS = 10;

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

interface AgeWindow {
  readonly market: string;
  readonly timeframe: Timeframe;
  /** Decided later than this and at the latest then, ISO 8601 UTC. */
  readonly after: string;
  readonly until: string;
  /** Those whose bars may exist. */
  readonly horizons: readonly Horizon[];
}

/** Finds signals of one market that lack an outcome, as `TrackRepository.due` promises, one stretch of time after another. */
export async function dueSignals(
  { db, market }: { readonly db: Kysely<Schema>; readonly market: string },
  now: number,
): Promise<readonly DueSignal[]> {
  const found: DueSignal[] = [];
  for (const timeframe of Timeframe.options) {
    const ago = (bars: number) => new Date(now - bars * TIMEFRAME_MS[timeframe]).toISOString();
    for (let age: number = HORIZONS[0]; age < MAX_AGE_BARS; ) {
      const next = (Math.floor(age / WINDOW_BARS) + 1) * WINDOW_BARS;
      const horizons = HORIZONS.filter((horizon) => horizon <= age);
      found.push(...(await dueIn(db, { market, timeframe, after: ago(next), until: ago(age), horizons })));
      age = next;
      await yieldToEventLoop();
    }
  }
  return found;
}

async function dueIn(
  db: Kysely<Schema>,
  { market, timeframe, after, until, horizons }: AgeWindow,
): Promise<readonly DueSignal[]> {
  const rows = await db
    .selectFrom("signals as signal")
    .leftJoin("signal_outcomes as told", (on) =>
      on.onRef("told.id", "=", "signal.id").on("told.horizon", "in", horizons),
    )
    .selectAll("signal")
    .select("told.horizon as told")
    .where("market", "=", market)
    .where("timeframe", "=", timeframe)
    .where("decided_at", ">", after)
    .where("decided_at", "<=", until)
    .where(
      ({ selectFrom }) =>
        selectFrom("signal_outcomes as outcome")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .whereRef("outcome.id", "=", "signal.id")
          .where("outcome.horizon", "in", horizons),
      "<",
      horizons.length,
    )
    .execute();
  const found = new Map<string, DueSignal>();
  for (const row of rows) {
    const one = found.get(row.id) ?? Due.transform((read) => ({ ...read, horizons })).safeParse(row).data;
    if (one === undefined) continue;
    found.set(row.id, { ...one, horizons: one.horizons.filter((horizon) => horizon !== row.told) });
  }
  return [...found.values()];
}
