import { z } from "zod";
import type { ProviderQuote } from "../../domain/providers/price-provider.ts";
import type { QuoteStreamProvider, StreamEvent } from "../../domain/providers/quote-stream.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { Instant, Price } from "../shared/fields.ts";
import { tryParseMessage } from "../shared/http-client.ts";
import { saleCondition } from "../shared/sale-conditions.ts";
import { orNull, type StreamSetup, streamUrl } from "../shared/stream.ts";
import { usTicker } from "../shared/us-ticker.ts";

const BASE_URL = "wss://stream.data.alpaca.markets";
/** Symbols of accounts without a subscription. */
const MAX_SYMBOLS = 30;

export interface AlpacaStreamSetup extends StreamSetup {
  readonly key: string;
  readonly secret: string;
}

const TradeId = z.union([z.number(), z.string()]);
const Row = z.discriminatedUnion("T", [
  z.object({ T: z.literal("success"), msg: z.string() }),
  z.object({ T: z.literal("error"), code: z.int() }),
  z.object({
    T: z.literal("t"),
    S: z.string(),
    i: TradeId.nullish(),
    p: Price,
    t: Instant,
    c: z.array(z.string().max(4)).nullish(),
    /** A, B: the consolidated tape; C: Nasdaq's. */
    z: z.string().max(2).nullish(),
  }),
  /** The bar of the day, sent every minute. */
  z.object({
    T: z.literal("d"),
    S: z.string(),
    o: Price,
    h: Price,
    l: Price,
    v: z.number().nonnegative(),
    t: Instant,
  }),
  /** A correction; `oi` is the id of the corrected trade. */
  z.object({ T: z.literal("c"), S: z.string(), oi: TradeId }),
  /** A cancelled trade. */
  z.object({ T: z.literal("x"), S: z.string(), i: TradeId }),
]);
type Row = z.infer<typeof Row>;
type DayBar = Extract<Row, { T: "d" }>;

/**
 * Events of the error codes. 401, 402 and 404 concern the key, 406 another connection with the key, 409 the feed; 405 is
 * the limit of symbols, and 407 a client that reads too slowly.
 */
const ERRORS: Readonly<Record<number, StreamEvent>> = {
  401: { kind: "closing", reason: "rejected" },
  402: { kind: "closing", reason: "rejected" },
  404: { kind: "closing", reason: "rejected" },
  405: { kind: "full" },
  406: { kind: "closing", reason: "rejected" },
  407: { kind: "closing", reason: "down" },
  409: { kind: "closing", reason: "rejected" },
};

/**
 * Creates the stream of Alpaca's IEX feed: every trade on IEX, which handles about 3 % of all shares traded, and the day
 * figures of IEX. A key has one connection.
 * @see https://docs.alpaca.markets/docs/real-time-stock-pricing-data
 */
export const alpacaStream = ({ key, secret, ...setup }: AlpacaStreamSetup): QuoteStreamProvider => ({
  name: "alpaca",
  serves: new Set(["equity", "etf"]),
  delayMinutes: 0,
  liveWithinMs: 120_000,
  url: streamUrl(setup, BASE_URL, "/v2/iex"),
  maxSymbols: MAX_SYMBOLS,
  silenceMs: 30_000,
  greeting: [JSON.stringify({ action: "auth", key, secret })],
  symbolOf: (instrument) => orNull(instrument, usTicker),
  subscribe: (symbols) => [request("subscribe", symbols)],
  unsubscribe: (symbols) => [request("unsubscribe", symbols)],
  // answered with the list of subscriptions, or with an error
  probe: request("subscribe", []),
  createParser() {
    const days = new Map<string, DayBar>();
    const lastTrades = new Map<string, number | string | null>();
    const readRow = (row: Row): readonly StreamEvent[] => {
      if (row.T === "success") return row.msg === "authenticated" ? [{ kind: "ready" }] : [];
      if (row.T === "error") return [ERRORS[row.code] ?? []].flat();
      if (row.T === "d") {
        days.set(row.S, row);
        return [];
      }
      if (row.T === "t") {
        if (isPastPrice(row)) return [];
        lastTrades.set(row.S, row.i ?? null);
        return [{ kind: "quote", symbol: row.S, quote: quoteOf(row, days.get(row.S)) }];
      }
      const cancelled = row.T === "c" ? row.oi : row.i;
      return lastTrades.get(row.S) === cancelled ? [{ kind: "withdrawn", symbol: row.S }] : [];
    };
    return (text) => {
      const rows = tryParseMessage(text);
      if (!Array.isArray(rows)) return [];
      return rows.flatMap((row) => {
        const { data } = Row.safeParse(row);
        return data === undefined ? [] : readRow(data);
      });
    };
  },
});

const request = (action: string, symbols: readonly string[]): string =>
  JSON.stringify({ action, trades: symbols, dailyBars: symbols });

type Trade = Extract<Row, { T: "t" }>;

/** Returns true for a trade whose price is not the current one, such as an average or a late report. */
const isPastPrice = ({ c, z: tape }: Trade): boolean =>
  (c ?? []).some((letter) => saleCondition(letter, tape === "C" ? "UTP" : "CTA") !== undefined);

function quoteOf({ p: price, t: tradedAt }: Trade, bar: DayBar | undefined): ProviderQuote {
  const today = bar !== undefined && newYorkDay(bar.t) === newYorkDay(tradedAt) ? bar : null;
  return {
    price,
    tradedAt,
    previousClose: null,
    open: today?.o ?? null,
    high: today === null ? null : Math.max(today.h, price),
    low: today === null ? null : Math.min(today.l, price),
    volume: today?.v ?? null,
    volumeScope: "one_venue",
    venue: "IEX",
  };
}
