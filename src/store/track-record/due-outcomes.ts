import type { Kysely } from "kysely";
import { z } from "zod";
import { TIMEFRAME_MS, Timeframe } from "../../domain/market/bars.ts";
import { Direction } from "../../domain/signal/signal.ts";
import { HORIZONS, type Horizon } from "../../domain/track-record/track.ts";
import type { DueOutcome, DueSince } from "../../domain/track-record/track-port.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import type { MarketDb } from "../queries.ts";
import type { Schema } from "../schema.ts";

/** Maximum age of a due signal or odds answer, bars: twice the length of a series. */
const MAX_AGE_BARS = 1_000;
/**
 * Length of a time window, bars. Yields to the event loop after each window. Every longer horizon is a multiple of it.
 */
const WINDOW_BARS = 10;
/** Maximum number of decisions that one statement reads, so that it ends in time however many symbols there are. */
const PAGE_SIZE = 5_000;

const RowHead = z.object({
  id: z.string(),
  symbol: z.string(),
  timeframe: Timeframe,
  decided_at: z.string(),
});
/** Schema of the rows of each table. */
const ROW_SCHEMAS = {
  signals: RowHead.extend({
    direction: Direction,
    stop: z.number(),
    target: z.number(),
    close: z.number(),
  }).transform(({ direction, stop, target, close, ...head }) => ({
    ...head,
    signal: { direction, stop, target, close },
  })),
  odds_answers: RowHead.transform((head) => ({ ...head, signal: null })),
} as const;
type DueTable = keyof typeof ROW_SCHEMAS;

interface AgeWindow {
  readonly market: string;
  readonly timeframe: Timeframe;
  /** Default: every symbol. */
  readonly symbol?: string;
  /** Exclusive start and inclusive end of the decision time, ISO 8601 UTC. */
  readonly after: string;
  readonly until: string;
  /** Horizons that may already have all their bars. */
  readonly horizons: readonly Horizon[];
}

/** Position of a decision in the order in which a window is read. */
interface Position {
  readonly decided_at: string;
  readonly id: string;
}

/**
 * Implements `TrackRepository.due` for one market. Reads one time window after another, in pages of `pageSize` decisions.
 * Default: 5,000.
 */
export async function dueOutcomes(
  { db, market }: MarketDb,
  now: number,
  pageSize = PAGE_SIZE,
): Promise<readonly DueOutcome[]> {
  const found: DueOutcome[] = [];
  for (const timeframe of Timeframe.options) {
    const ago = (bars: number) => new Date(now - bars * TIMEFRAME_MS[timeframe]).toISOString();
    /** By table, the newest decision that no window has read; null if there is none. */
    const newest = new Map<DueTable, string | null>();
    for (let age: number = HORIZONS[0]; age < MAX_AGE_BARS; ) {
      const next = (Math.floor(age / WINDOW_BARS) + 1) * WINDOW_BARS;
      const horizons = HORIZONS.filter((horizon) => horizon <= age);
      const window = { market, timeframe, after: ago(next), until: ago(age), horizons };
      for (const table of ["signals", "odds_answers"] as const) {
        const last = newest.get(table);
        if (last === undefined || (last !== null && last > window.until))
          newest.set(table, await newestIn(db, table, window));
        if ((newest.get(table) ?? "") > window.after)
          for await (const page of pagesOf(db, table, { ...window, pageSize })) found.push(...page);
      }
      age = next;
      await yieldToEventLoop();
    }
  }
  return found;
}

/** Implements `TrackRepository.dueOf` for one market: reads only decisions of that series, of all ages together. */
export async function dueOutcomesOf(
  { db, market }: MarketDb,
  { symbol, timeframe, since }: DueSince,
  now: number,
): Promise<readonly DueOutcome[]> {
  const timeOf = (bars: number) => now - bars * TIMEFRAME_MS[timeframe];
  const ago = (bars: number) => new Date(timeOf(bars)).toISOString();
  const window = {
    ...{ market, symbol, timeframe, horizons: HORIZONS, pageSize: PAGE_SIZE },
    after: new Date(Math.max(timeOf(MAX_AGE_BARS), Date.parse(since) - 1)).toISOString(),
    until: ago(HORIZONS[0]),
  };
  const found: DueOutcome[] = [];
  for (const table of ["signals", "odds_answers"] as const)
    for await (const page of pagesOf(db, table, window))
      for (const due of page) {
        const horizons = due.horizons.filter((horizon) => due.decided_at <= ago(horizon));
        if (horizons.length > 0) found.push({ ...due, horizons });
      }
  return found;
}

/** Returns the time of the newest decision until the end of a window, however old; null if there is none. */
async function newestIn(
  db: Kysely<Schema>,
  table: DueTable,
  { market, timeframe, until }: AgeWindow,
): Promise<string | null> {
  const row = await db
    .selectFrom(db.dynamic.table(table).as("due"))
    .select("decided_at")
    .where((is) => is.and({ market, timeframe }))
    .where("decided_at", "<=", until)
    .orderBy("decided_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.decided_at ?? null;
}

/** Yields what is due in a window, page by page. */
async function* pagesOf(
  db: Kysely<Schema>,
  table: DueTable,
  { pageSize, ...window }: AgeWindow & { readonly pageSize: number },
) {
  for (let from: Position | undefined, isLast = false; !isLast; ) {
    const to = await decisionsIn(db, table, window, { from })
      .select(["decided_at", "id"])
      .orderBy("decided_at")
      .orderBy("id")
      .offset(pageSize - 1)
      .limit(1)
      .executeTakeFirst();
    yield await dueIn(db, table, window, { from, to });
    await yieldToEventLoop();
    from = to;
    isLast = to === undefined;
  }
}

/** Selects the decisions of a window after the position `from`, up to `to`. Default: the start and end of the window. */
function decisionsIn(
  db: Kysely<Schema>,
  table: DueTable,
  { market, timeframe, symbol, after, until }: AgeWindow,
  { from, to }: { readonly from?: Position | undefined; readonly to?: Position | undefined },
) {
  const decisions = db
    .selectFrom(db.dynamic.table(table).as("due"))
    .where((is) => is.and({ market, timeframe, ...(symbol !== undefined && { symbol }) }))
    .where("decided_at", ">", after)
    .where("decided_at", "<=", until);
  const within = (query: typeof decisions, comparison: ">" | "<=", position: Position | undefined) =>
    position === undefined
      ? query
      : query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple("due.decided_at", "due.id"), comparison, tuple(position.decided_at, position.id)),
        );
  return within(within(decisions, ">", from), "<=", to);
}

async function dueIn(
  db: Kysely<Schema>,
  table: DueTable,
  window: AgeWindow,
  page: { readonly from: Position | undefined; readonly to: Position | undefined },
): Promise<readonly DueOutcome[]> {
  const { horizons } = window;
  const rows = await decisionsIn(db, table, window, page)
    .leftJoin("signal_outcomes as known", (on) =>
      on.onRef("known.id", "=", "due.id").on("known.horizon", "in", horizons),
    )
    .selectAll("due")
    .select("known.horizon as known")
    .where(
      ({ selectFrom }) =>
        selectFrom("signal_outcomes as outcome")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .whereRef("outcome.id", "=", "due.id")
          .where("outcome.horizon", "in", horizons),
      "<",
      horizons.length,
    )
    .execute();
  const found = new Map<string, DueOutcome>();
  for (const row of rows) {
    const due =
      found.get(row.id) ??
      ROW_SCHEMAS[table].transform((head) => ({ ...head, horizons })).safeParse(row).data;
    if (due === undefined) continue;
    found.set(row.id, { ...due, horizons: due.horizons.filter((horizon) => horizon !== row.known) });
  }
  return [...found.values()];
}
