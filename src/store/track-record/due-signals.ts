import type { Kysely } from "kysely";
import { z } from "zod";
import { TIMEFRAME_MS, Timeframe } from "../../domain/market/bars.ts";
import { AssetClass } from "../../domain/market/market.ts";
import { Direction, Grade } from "../../domain/signal/signal.ts";
import { HORIZONS, type Horizon } from "../../domain/track-record/track.ts";
import type { DueSignal } from "../../domain/track-record/track-port.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import type { MarketDb } from "../queries.ts";
import type { Schema } from "../schema.ts";

/** Maximum age of a due signal, bars: twice the length of a series. */
const MAX_AGE_BARS = 1_000;
/**
 * Length of a time window, bars. Yields to the event loop after each window. Every longer horizon is a multiple of it.
 */
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
  /** Exclusive start and inclusive end of the decision time, ISO 8601 UTC. */
  readonly after: string;
  readonly until: string;
  /** Horizons that may already have all their bars. */
  readonly horizons: readonly Horizon[];
}

/** Implements `TrackRepository.due` for one market; reads one time window after another. */
export async function dueSignals({ db, market }: MarketDb, now: number): Promise<readonly DueSignal[]> {
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
    .leftJoin("signal_outcomes as known", (on) =>
      on.onRef("known.id", "=", "signal.id").on("known.horizon", "in", horizons),
    )
    .selectAll("signal")
    .select("known.horizon as known")
    .where((is) => is.and({ market, timeframe }))
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
    const signal = found.get(row.id) ?? Due.transform((due) => ({ ...due, horizons })).safeParse(row).data;
    if (signal === undefined) continue;
    found.set(row.id, { ...signal, horizons: signal.horizons.filter((horizon) => horizon !== row.known) });
  }
  return [...found.values()];
}
