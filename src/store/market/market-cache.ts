import type {
  CachedBars,
  CachedQuote,
  Disagreement,
  MarketCache,
} from "../../domain/market/market-cache-port.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import {
  compare,
  deleteOldest,
  deleteRows,
  findRow,
  listRows,
  type MarketDb,
  upsert,
  upsertRows,
} from "../queries.ts";
import { BarsRow, DisagreementRow, QuoteRow, readRow, unlessFromFuture } from "../row-schemas.ts";
import { recordTransaction } from "../transactions.ts";

/** Delay after which pending values are written together. */
const FLUSH_DELAY_MS = 2_000;
/** Maximum number of stored series and quotes per market; those fetched longest ago are deleted first. */
const MAX_ROWS = { cached_bars: 2_000, cached_quotes: 10_000 } as const;
const DISAGREEMENT_RETENTION_MS = 30 * 86_400_000;

export interface MarketCacheOptions extends MarketDb {
  readonly log: Log;
  readonly clock: Clock;
}

interface PendingBars {
  readonly symbol: string;
  readonly timeframe: string;
  readonly series: CachedBars;
}

/**
 * Creates the cache of one market's quotes and bars. Rows that are invalid or from the future are ignored. Writes are
 * batched; `close` writes the pending ones.
 */
export function marketCache({
  db,
  market,
  log,
  clock,
}: MarketCacheOptions): MarketCache & { close(): Promise<void> } {
  const quotes = new Map<string, CachedQuote>();
  const bars = new Map<string, PendingBars>();
  const found: Disagreement[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  const now = () => clock.now().getTime();
  /** Logs a failed read and treats it as a cache miss. */
  const orMiss = <T>(reading: Promise<T>): Promise<T | undefined> =>
    reading.catch((cause: unknown) => {
      log.warn("memory_not_read", { cause });
      return undefined;
    });
  const scheduleFlush = () => {
    timer ??= setTimeout(flush, FLUSH_DELAY_MS).unref();
  };

  /** Writes the pending values after earlier writes. A failed write is logged and its values are lost. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // Rows are sorted, so that two processes never wait for each other's rows.
    const work = {
      quotes: [...quotes].sort(([a], [b]) => (a < b ? -1 : 1)),
      bars: [...bars].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pending]) => pending),
      found: found.splice(0),
    };
    quotes.clear();
    bars.clear();
    if (work.quotes.length + work.bars.length + work.found.length > 0)
      writing = writing
        .then(() => write(work))
        .catch((cause: unknown) => log.warn("memory_not_stored", { cause }));
    return writing;
  }

  const write = (work: {
    readonly quotes: readonly (readonly [string, CachedQuote])[];
    readonly bars: readonly PendingBars[];
    readonly found: readonly Disagreement[];
  }): Promise<void> =>
    recordTransaction(db, async (tx) => {
      const rows = work.quotes.map(([symbol, quote]) => ({
        market,
        symbol,
        fetched_at: toIso(quote.fetchedAt),
        json: JSON.stringify(quote),
      }));
      await upsertRows(tx, "cached_quotes", ["market", "symbol"], rows);
      for (const { symbol, timeframe, series } of work.bars) {
        const row = { fetched_at: toIso(series.fetchedAt), json: JSON.stringify(series) };
        await upsert(tx, "cached_bars", { market, symbol, timeframe }, row);
      }
      for (const found of work.found) {
        const { symbol, at } = found;
        await upsert(tx, "disagreements", { market, symbol, at }, { json: JSON.stringify(found) });
      }
      const newest = work.found.at(-1);
      if (newest !== undefined) {
        const until = toIso(Date.parse(newest.at) - DISAGREEMENT_RETENTION_MS);
        await deleteRows(tx, "disagreements", { market, at: compare({ "<": until }) });
      }
      for (const table of ["cached_bars", "cached_quotes"] as const)
        await deleteOldest(tx, table, { market }, { column: "fetched_at", newest: MAX_ROWS[table] });
    });

  return {
    async quote(symbol) {
      const unwritten = quotes.get(symbol);
      if (unwritten !== undefined) return unlessFromFuture(unwritten, now());
      const row = await orMiss(findRow(db, "cached_quotes", { market, symbol }));
      return unlessFromFuture(readRow(QuoteRow, row?.json), now());
    },
    saveQuote(symbol, quote) {
      quotes.set(symbol, quote);
      scheduleFlush();
    },
    async bars(symbol, timeframe) {
      const unwritten = bars.get(`${symbol}|${timeframe}`);
      if (unwritten !== undefined) return unlessFromFuture(unwritten.series, now());
      const row = await orMiss(findRow(db, "cached_bars", { market, symbol, timeframe }));
      return unlessFromFuture(readRow(BarsRow, row?.json), now());
    },
    saveBars(symbol, timeframe, series) {
      bars.set(`${symbol}|${timeframe}`, { symbol, timeframe, series });
      scheduleFlush();
    },
    async disagreements(limit) {
      const rows = await listRows(db, "disagreements", { market }, { order: ["at desc"], limit });
      const written = rows.map(({ json }) => readRow(DisagreementRow, json)).filter((row) => row !== null);
      return [...found.toReversed(), ...written].slice(0, limit);
    },
    saveDisagreement(disagreement) {
      found.push(disagreement);
      scheduleFlush();
    },
    async recentSymbols(since, limit) {
      const recent = { market, fetched_at: compare({ ">=": toIso(since) }) };
      const page = { columns: ["symbol"], order: ["fetched_at desc"], limit } as const;
      const rows = await listRows(db, "cached_quotes", recent, page);
      return [...new Set([...quotes.keys(), ...rows.map(({ symbol }) => symbol)])].slice(0, limit);
    },
    close: flush,
  };
}

const toIso = (epochMs: number): string => new Date(epochMs).toISOString();
