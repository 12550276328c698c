import type { Kysely } from "kysely";
import { z } from "zod";
import { AssetClass } from "../../domain/market/market.ts";
import { Direction, Grade } from "../../domain/signal/signal.ts";
import { Horizon, type ScoredSignal } from "../../domain/track-record/track.ts";
import type { TrackRepository } from "../../domain/track-record/track-port.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { listRows, type MarketDb } from "../queries.ts";
import type { Schema } from "../schema.ts";

/** Signals read before yielding to the event loop. */
const PAGE_SIZE = 500;
/** Horizon of results in R and their base, bars. */
const BASE_HORIZON: Horizon = 20;
/** Origins of signals that no caller requested. */
const PUBLISHED_ORIGINS = ["scheduled", "replay"] as const;

const StoredSignal = z.object({
  symbol: z.string(),
  decided_at: z.string(),
  asset_class: AssetClass,
  direction: Direction,
  grade: Grade.nullable(),
});
const StoredOutcome = z.object({
  known_at: z.string(),
  horizon: Horizon,
  change: z.number(),
  r: z.number().nullable(),
});

/** Implements `TrackRepository.scored` for one market; reads page by page. */
export async function* scoredSignals(
  { db, market }: MarketDb,
  of: ScoredQuery,
): AsyncGenerator<readonly ScoredSignal[]> {
  let after: PageCursor = { decided_at: "", symbol: "", id: "" };
  // The preferred signal of the current bar; the next page may hold more candidates.
  let chosen: SignalHead | undefined;
  for (;;) {
    const rows = await signalHeadsAfter(db, { market, ...of, after });
    const settled: SignalHead[] = [];
    for (const row of rows) {
      const sameBar = chosen?.symbol === row.symbol && chosen.decided_at === row.decided_at;
      if (!sameBar && chosen !== undefined) settled.push(chosen);
      if (chosen === undefined || !sameBar || takesPrecedence(row, chosen)) chosen = row;
    }
    const last = rows.length < PAGE_SIZE ? undefined : rows.at(-1);
    if (last === undefined && chosen !== undefined) settled.push(chosen);
    if (settled.length > 0) yield await withOutcomes(db, settled);
    if (last === undefined) return;
    after = last;
    await yieldToEventLoop();
  }
}

/** Default: of every symbol. */
type ScoredQuery = Parameters<TrackRepository["scored"]>[0] & { readonly symbol?: string };
type PageCursor = Pick<Schema["signals"], "decided_at" | "symbol" | "id">;
type SignalHead = Awaited<ReturnType<typeof signalHeadsAfter>>[number];

const signalHeadsAfter = (
  db: Kysely<Schema>,
  { after, ...of }: { readonly market: string; readonly after: PageCursor } & ScoredQuery,
) =>
  db
    .selectFrom("signals")
    .select(["id", "symbol", "origin", "decided_at", "logged_at", "asset_class", "direction", "grade"])
    .where((is) => is.and(of))
    .where("origin", "in", PUBLISHED_ORIGINS)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("decided_at", "symbol", "id"), ">", tuple(after.decided_at, after.symbol, after.id)),
    )
    .orderBy("decided_at")
    .orderBy("symbol")
    .orderBy("id")
    .limit(PAGE_SIZE)
    .execute();

/**
 * Returns true when `one` is preferred to `other`, a signal of the same bar: scheduled before replayed, then the one
 * logged first.
 */
const takesPrecedence = (one: SignalHead, other: SignalHead): boolean =>
  one.origin === other.origin ? one.logged_at < other.logged_at : one.origin === "scheduled";

/** Returns the outcomes of the signals, in the same order. */
async function withOutcomes(
  db: Kysely<Schema>,
  headings: readonly SignalHead[],
): Promise<readonly ScoredSignal[]> {
  const id = headings.map((heading) => heading.id);
  const rows = await listRows(db, "signal_outcomes", { id }, { order: ["id", "horizon"] });
  const bases = new Map((await listRows(db, "base_results", { id })).map((row) => [row.id, row]));
  const byId = new Map(id.map((one) => [one, [] as typeof rows]));
  for (const row of rows) byId.get(row.id)!.push(row);
  return headings.flatMap((heading) => {
    const signal = StoredSignal.safeParse(heading).data;
    if (signal === undefined) return [];
    const { decided_at, ...fields } = signal;
    const at = Date.parse(decided_at);
    return byId.get(heading.id)!.flatMap((row): readonly ScoredSignal[] => {
      const stored = StoredOutcome.safeParse(row).data;
      if (stored === undefined) return [];
      const { known_at, ...outcome } = stored;
      const base = outcome.horizon === BASE_HORIZON ? bases.get(heading.id) : undefined;
      return [
        {
          ...fields,
          ...outcome,
          ...(base !== undefined && { base: { long: base.long_r, short: base.short_r } }),
          at,
          known: Date.parse(known_at),
        },
      ];
    });
  });
}
