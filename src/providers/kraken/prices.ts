import { z } from "zod";
import { PROVIDER_TIMEFRAMES, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import {
  type FailureKind,
  type PriceProvider,
  type ProviderBar,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { createApi, readBody } from "../shared/api.ts";
import { exchange, tokenTicker } from "../shared/exchange.ts";
import { DecimalText, EpochSeconds, PriceText, PriceTextOrNull } from "../shared/fields.ts";
import type { HttpRequest, ProviderSetup } from "../shared/http-client.ts";
import { namedValues, pageSize, rowsOf } from "../shared/rows.ts";

const BASE_URL = "https://api.kraken.com/0/public";
/** Maximum number of bars that Kraken returns per timeframe, regardless of the request. */
const MAX_BARS = 720;
/** The forming bar, and one that may close during the request. */
const SPARE_BARS = 2;
/** Tokens whose ticker differs at Kraken, and tickers that mean a different token there. */
const PROVIDER_TICKERS: ReadonlyMap<string, string> = new Map([
  ["BTC", "XBT"],
  ["DOGE", "XDG"],
  ["LUNA", "LUNA2"],
  ["LUNC", "LUNA"],
]);
/** @see https://docs.kraken.com/api/docs/guides/spot-errors */
const KINDS: readonly (readonly [RegExp, FailureKind])[] = [
  [/^EQuery:Unknown asset/, "unknown_symbol"],
  [/^EAPI:Rate limit|^EGeneral:(Too many requests|Temporary lockout)|^EService: ?Throttled/, "rate_limited"],
  [/^EService:|^EGeneral:Internal/, "down"],
];

/** Errors, or the data of the pair under one of its names; always with status 200. */
const Envelope = z.object({
  error: z.array(z.string()),
  result: namedValues().optional(),
});
/** Price, amount and time in seconds with fractions, oldest first. */
const Trades = rowsOf(z.tuple([PriceText, DecimalText, z.number().positive().max(8.64e12)], z.unknown()));
/** Each figure for the current UTC day, then for the last 24 hours. `o` is the price at 00:00 UTC, so it is not used. */
const Day = z.object({
  h: z.tuple([PriceTextOrNull, PriceTextOrNull]).optional(),
  l: z.tuple([PriceTextOrNull, PriceTextOrNull]).optional(),
  v: z.tuple([DecimalText, DecimalText]).optional(),
  /** Best bid and ask: price, whole lot volume, lot volume. */
  b: z.tuple([PriceTextOrNull], z.unknown()).optional(),
  a: z.tuple([PriceTextOrNull], z.unknown()).optional(),
});
/** Start in seconds, open, high, low, close, average price, volume of the base and number of trades. */
const Candles = rowsOf(
  z
    .tuple(
      [
        EpochSeconds,
        PriceTextOrNull,
        PriceTextOrNull,
        PriceTextOrNull,
        PriceTextOrNull,
        z.unknown(),
        DecimalText,
      ],
      z.unknown(),
    )
    .transform(
      ([time, open, high, low, close, , volume]): ProviderBar => ({ time, open, high, low, close, volume }),
    ),
);

/** A requested pair, and the keys under which it may be returned. */
interface Pair {
  readonly name: string;
  readonly keys: readonly string[];
}

/**
 * Creates the provider of Kraken's spot market: prices of tokens in US dollars. A quote takes two calls and has no
 * open, because the price of 24 hours ago is not returned. Bars take one call, which returns the newest 720 of a
 * timeframe.
 * @see https://docs.kraken.com/api/docs/rest-api/get-ohlc-data
 */
export function kraken(setup: ProviderSetup): PriceProvider {
  const get = createApi(setup, { baseUrl: BASE_URL, keyless: true, refusal });
  async function getPair<T>(
    path: string,
    shape: z.ZodType<T>,
    { pair, query, signal }: Pick<HttpRequest, "query" | "signal"> & { readonly pair: Pair },
  ): Promise<T> {
    const { result = {} } = await get(path, Envelope, { query: { pair: pair.name, ...query }, signal });
    // `last` is the start of the next page
    const [key, ...others] = Object.keys(result).filter((name) => name !== "last");
    if (key === undefined || others.length > 0 || !pair.keys.includes(key))
      throw new ProviderFailure("malformed", "response about another pair");
    return readBody(shape, result[key], setup.onUnreadable);
  }
  return exchange({
    name: "kraken",
    venue: "KRAKEN",
    // as measured by third parties, one call a second is sustainable, but thirty at once are not
    budget: { calls: 50, perMs: 60_000, atOnce: 2 },
    reaches: Object.fromEntries(
      PROVIDER_TIMEFRAMES.map((length) => [
        length,
        ((MAX_BARS - SPARE_BARS) * TIMEFRAME_MS[length]) / TIMEFRAME_MS["1d"],
      ]),
    ),
    pairOf,
    async quote(pair, signal) {
      const [trades, day] = await Promise.all([
        getPair("/Trades", Trades, { pair, query: { count: 1 }, signal }),
        getPair("/Ticker", Day, { pair, signal }),
      ]);
      const [newest] = trades.toSorted((a, b) => b[2] - a[2]);
      if (newest === undefined) throw new ProviderFailure("unknown_symbol", "pair is no longer traded");
      const [price, , seconds] = newest;
      return {
        price,
        tradedAt: Math.floor(seconds * 1000),
        high: day.h?.[1],
        low: day.l?.[1],
        volume: day.v?.[1],
        bid: day.b?.[0],
        ask: day.a?.[0],
      };
    },
    async bars(pair, { timeframe, from, until, signal }) {
      // it is not documented whether `since` is inclusive
      const query = {
        interval: TIMEFRAME_MS[timeframe] / 60_000,
        since: Math.max(0, Math.ceil(from / 1000) - 1),
      };
      const bars = await getPair("/OHLC", Candles, { pair, query, signal });
      if (pageSize(bars) >= MAX_BARS && Math.min(...bars.map(({ time }) => time)) > from)
        throw new ProviderFailure("unsupported", `older than the newest ${MAX_BARS} bars`);
      return { bars: bars.filter(({ time }) => time <= until) };
    },
  });
}

/**
 * Returns the pair of an instrument, for example `XBTUSD`. Kraken returns the oldest pairs under a longer name,
 * `XXBTZUSD` or `USDTZUSD`.
 */
export function pairOf(instrument: Instrument): Pair {
  const token = tokenTicker(instrument, ["USD"]);
  const base = PROVIDER_TICKERS.get(token) ?? token;
  // longer names exist for tickers of three letters and for USDT; XTZUSD is the pair of XTZ, not of T
  const longer = base.length === 3 ? [`X${base}ZUSD`] : base === "USDT" ? ["USDTZUSD"] : [];
  return { name: `${base}USD`, keys: [`${base}USD`, ...longer] };
}

function refusal(body: unknown): FailureKind | null {
  const { error = [], result } = Envelope.safeParse(body).data ?? {};
  // the first letter is the severity: E for an error, W for a warning, which may come with data
  const errors = error.filter((text) => result === undefined || !text.startsWith("W"));
  if (errors.length === 0) return null;
  const kinds = errors.map((error) => KINDS.find(([pattern]) => pattern.test(error))?.[1]);
  return kinds.find((kind) => kind !== undefined) ?? "malformed";
}
