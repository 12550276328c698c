import type { Kysely } from "kysely";
import type {
  CachedBars,
  CachedQuote,
  Disagreement,
  MarketCache,
} from "../../domain/market/market-cache-port.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import { BarsRow, DisagreementRow, QuoteRow, readRow, unlessFromFuture } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

/** How long something new waits to be written together with what else is new. */
const FLUSH_DELAY_MS = 2_000;
/** Series and quotes kept per market; those fetched longest ago go. */
const MAX_ROWS = { kept_bars: 2_000, kept_quotes: 10_000 } as const;
const DISAGREEMENT_RETENTION_MS = 30 * 86_400_000;

export interface MarketCacheOptions {
  readonly db: Kysely<Schema>;
  /** Names the market; one never sees another's. */
  readonly market: string;
  readonly log: Log;
  readonly clock: Clock;
}

/** Memory of one market in the store. A row that is spoiled or of a time to come is none. Writes are gathered; `close` writes what is left. */
export function marketCache({
  db,
  market,
  log,
  clock,
}: MarketCacheOptions): MarketCache & { close(): Promise<void> } {
  const quotes = new Map<string, CachedQuote>();
  const bars = new Map<
    string,
    { readonly symbol: string; readonly timeframe: string; readonly kept: CachedBars }
  >();
  const found: Disagreement[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  const now = () => clock.now().getTime();
  /** A memory that cannot be read is none, which costs time alone. */
  const orNone = async <T>(reading: Promise<T>): Promise<T | undefined> => {
    try {
      return await reading;
    } catch (cause) {
      log.warn("memory_not_read", { cause });
      return undefined;
    }
  };
  const soon = () => {
    timer ??= setTimeout(flush, FLUSH_DELAY_MS).unref();
  };

  /** Writes one thing after another; a write that fails is logged and lost, which costs time alone. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // in one order, so that two processes never wait for each other's rows
    const work = {
      quotes: [...quotes].sort(([a], [b]) => (a < b ? -1 : 1)),
      bars: [...bars].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kept]) => kept),
      found: found.splice(0),
    };
    quotes.clear();
    bars.clear();
    if (work.quotes.length + work.bars.length + work.found.length > 0)
      writing = writing
        .then(() => write(work))
        .catch((cause: unknown) => log.warn("memory_not_kept", { cause }));
    return writing;
  }

  const write = (work: {
    readonly quotes: readonly (readonly [string, CachedQuote])[];
    readonly bars: readonly {
      readonly symbol: string;
      readonly timeframe: string;
      readonly kept: CachedBars;
    }[];
    readonly found: readonly Disagreement[];
  }): Promise<void> =>
    db.transaction().execute(async (tx) => {
      for (const [symbol, quote] of work.quotes) {
        const row = { market, symbol, fetched_at: toIso(quote.fetchedAt), said: JSON.stringify(quote) };
        await tx
          .insertInto("kept_quotes")
          .values(row)
          .onConflict((conflict) => conflict.columns(["market", "symbol"]).doUpdateSet(row))
          .execute();
      }
      for (const { symbol, timeframe, kept } of work.bars) {
        const row = {
          market,
          symbol,
          timeframe,
          fetched_at: toIso(kept.fetchedAt),
          said: JSON.stringify(kept),
        };
        await tx
          .insertInto("kept_bars")
          .values(row)
          .onConflict((conflict) => conflict.columns(["market", "symbol", "timeframe"]).doUpdateSet(row))
          .execute();
      }
      for (const one of work.found) {
        const row = { market, symbol: one.symbol, at: one.at, said: JSON.stringify(one) };
        await tx
          .insertInto("disagreements")
          .values(row)
          .onConflict((conflict) => conflict.columns(["market", "symbol", "at"]).doUpdateSet(row))
          .execute();
      }
      const newest = work.found.at(-1);
      if (newest !== undefined)
        await tx
          .deleteFrom("disagreements")
          .where("market", "=", market)
          .where("at", "<", toIso(Date.parse(newest.at) - DISAGREEMENT_RETENTION_MS))
          .execute();
      for (const table of ["kept_bars", "kept_quotes"] as const) {
        const oldest = await tx
          .selectFrom(table)
          .select("fetched_at")
          .where("market", "=", market)
          .orderBy("fetched_at", "desc")
          .offset(MAX_ROWS[table])
          .limit(1)
          .executeTakeFirst();
        if (oldest !== undefined)
          await tx
            .deleteFrom(table)
            .where("market", "=", market)
            .where("fetched_at", "<=", oldest.fetched_at)
            .execute();
      }
    });

  return {
    async quote(symbol) {
      const unwritten = quotes.get(symbol);
      if (unwritten !== undefined) return unlessFromFuture(unwritten, now());
      const row = await orNone(
        db
          .selectFrom("kept_quotes")
          .select("said")
          .where("market", "=", market)
          .where("symbol", "=", symbol)
          .executeTakeFirst(),
      );
      return unlessFromFuture(readRow(QuoteRow, row?.said), now());
    },
    saveQuote(symbol, quote) {
      quotes.set(symbol, quote);
      soon();
    },
    async bars(symbol, timeframe) {
      const unwritten = bars.get(`${symbol}|${timeframe}`);
      if (unwritten !== undefined) return unlessFromFuture(unwritten.kept, now());
      const row = await orNone(
        db
          .selectFrom("kept_bars")
          .select("said")
          .where("market", "=", market)
          .where("symbol", "=", symbol)
          .where("timeframe", "=", timeframe)
          .executeTakeFirst(),
      );
      return unlessFromFuture(readRow(BarsRow, row?.said), now());
    },
    saveBars(symbol, timeframe, kept) {
      bars.set(`${symbol}|${timeframe}`, { symbol, timeframe, kept });
      soon();
    },
    async disagreements(limit) {
      const rows = await db
        .selectFrom("disagreements")
        .select("said")
        .where("market", "=", market)
        .orderBy("at", "desc")
        .limit(limit)
        .execute();
      const written = rows.map(({ said }) => readRow(DisagreementRow, said)).filter((row) => row !== null);
      return [...found.toReversed(), ...written].slice(0, limit);
    },
    saveDisagreement(one) {
      found.push(one);
      soon();
    },
    async recentSymbols(since, limit) {
      const rows = await db
        .selectFrom("kept_quotes")
        .select("symbol")
        .where("market", "=", market)
        .where("fetched_at", ">=", toIso(since))
        .orderBy("fetched_at", "desc")
        .limit(limit)
        .execute();
      return [...new Set([...quotes.keys(), ...rows.map(({ symbol }) => symbol)])].slice(0, limit);
    },
    close: flush,
  };
}

const toIso = (epochMs: number): string => new Date(epochMs).toISOString();
