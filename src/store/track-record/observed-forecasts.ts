import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Timeframe } from "../../domain/market/bars.ts";
import { AssetClass } from "../../domain/market/market.ts";
import type { ForecastOutcome } from "../../domain/odds/forecast.ts";
import { PLAN_ENDS } from "../../domain/odds/plan-end.ts";
import { Horizon } from "../../domain/track-record/track.ts";
import type { ObservedForecast } from "../../domain/track-record/track-port.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { isPostgres } from "../engine.ts";
import { compare, listRows, type MarketDb } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { readForecast } from "./forecast-text.ts";

/** Forecasts read before yielding to the event loop. */
const PAGE_SIZE = 200;

const StoredOutcome = z.object({
  horizon: Horizon,
  known_at: z.string(),
  change: z.number(),
  highest: z.number(),
  lowest: z.number(),
  plan_end: z.enum(PLAN_ENDS).nullable(),
});

/** Implements `TrackRepository.observedForecasts` for one market; reads page by page. Default: of every symbol. */
export async function* observedForecasts(
  { db, market }: MarketDb,
  timeframe: Timeframe,
  symbol?: string,
): AsyncGenerator<readonly ObservedForecast[]> {
  let after: PageCursor = { decided_at: "", id: "" };
  // The forecasts of the newest bar read, by symbol and method; the next page may hold more of them.
  let bar = new Map<string, Head>();
  for (;;) {
    const rows = await headsAfter(db, {
      of: { market, timeframe, ...(symbol !== undefined && { symbol }) },
      after,
    });
    const settled: Head[] = [];
    for (const row of rows) {
      if (bar.size > 0 && bar.values().next().value?.decided_at !== row.decided_at) {
        settled.push(...bar.values());
        bar = new Map();
      }
      const name = `${row.symbol}|${row.version}`;
      const first = bar.get(name);
      if (first === undefined || row.logged_at < first.logged_at) bar.set(name, row);
    }
    const last = rows.length < PAGE_SIZE ? undefined : rows.at(-1);
    if (last === undefined) settled.push(...bar.values());
    if (settled.length > 0) yield await withOutcomes(db, settled);
    if (last === undefined) return;
    after = last;
    await yieldToEventLoop();
  }
}

type PageCursor = Pick<Schema["signals"], "decided_at" | "id">;
interface PageRequest {
  readonly of: { readonly market: string; readonly timeframe: Timeframe; readonly symbol?: string };
  readonly after: PageCursor;
}
type StoredForecastOutcome = Omit<ForecastOutcome, "planSide"> & { readonly replayed: boolean };
type Head = Awaited<ReturnType<typeof headsAfter>>[number];

/** SQL of whether a plan is long, as 1 or 0; null without a plan. */
const [IS_LONG, NO_PLAN] = ["CASE WHEN stop < target THEN 1 ELSE 0 END", "CAST(NULL AS INTEGER)"];

/** Reads the next forecasts, with a signal or without, in the order of decision. */
const headsAfter = (db: Kysely<Schema>, page: PageRequest) =>
  pageIn(db, "signals", page)
    .unionAll(pageIn(db, "odds_answers", page))
    .orderBy("decided_at")
    .orderBy("id")
    .limit(PAGE_SIZE)
    .execute();

/** SQLite merges what two indexes return in order; PostgreSQL sorts it, so that it gets no more than a page of each. */
function pageIn(db: Kysely<Schema>, table: "signals" | "odds_answers", page: PageRequest) {
  const all = forecastsIn(db, table, page);
  if (!isPostgres(db)) return all;
  const first = all.orderBy("answer.decided_at").orderBy("answer.id").limit(PAGE_SIZE);
  return db.selectFrom(first.as("page")).selectAll() as unknown as typeof all;
}

const forecastsIn = (db: Kysely<Schema>, table: "signals" | "odds_answers", { of, after }: PageRequest) =>
  db
    .selectFrom(db.dynamic.table(table).as("answer"))
    .innerJoin("odds_forecasts as forecast", "forecast.id", "answer.id")
    .select([
      "answer.id as id", // an alias, because ORDER BY would be ambiguous
      "answer.symbol",
      "answer.decided_at",
      "answer.logged_at",
      "answer.asset_class",
    ])
    .select(["forecast.version", "forecast.json"])
    // answers of `get_odds` have no levels
    .select(sql<number | null>`${sql.raw(table === "signals" ? IS_LONG : NO_PLAN)}`.as("is_long"))
    .where((is) => is.and(of))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("answer.decided_at", "answer.id"), ">", tuple(after.decided_at, after.id)),
    );

/** Returns the forecasts that have an outcome, in the same order. */
async function withOutcomes(
  db: Kysely<Schema>,
  heads: readonly Head[],
): Promise<readonly ObservedForecast[]> {
  const byId = new Map(heads.map(({ id }) => [id, [] as StoredForecastOutcome[]]));
  const loggedAt = new Map(heads.map(({ id, logged_at }) => [id, logged_at]));
  const rows = await listRows(
    db,
    "signal_outcomes",
    { id: [...byId.keys()], highest: compare({ "!=": null }) },
    { order: ["id", "horizon"] },
  );
  for (const row of rows) {
    const outcome = StoredOutcome.safeParse(row).data;
    if (outcome === undefined) continue;
    byId.get(row.id)!.push({
      bars: outcome.horizon,
      close: Math.log1p(outcome.change),
      high: outcome.highest,
      low: outcome.lowest,
      planEnd: outcome.plan_end,
      replayed: loggedAt.get(row.id)! >= outcome.known_at,
    });
  }
  return heads.flatMap(({ id, symbol, version, json, asset_class, decided_at, is_long }) => {
    const planSide = is_long === null ? null : is_long === 1 ? ("LONG" as const) : ("SHORT" as const);
    const outcomes = byId.get(id)!.map((outcome) => ({ ...outcome, planSide }));
    const kind = AssetClass.safeParse(asset_class).data;
    const forecast = outcomes.length === 0 ? null : readForecast(version, json);
    if (forecast === null || kind === undefined) return [];
    return [{ symbol, at: Date.parse(decided_at), asset_class: kind, forecast, outcomes }];
  });
}
