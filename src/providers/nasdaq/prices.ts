import { z } from "zod";
import {
  type PriceProvider,
  type ProviderBar,
  type ProviderBars,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { newYorkDate, newYorkDay } from "../../lib/newyork.ts";
import { lastCloseBefore, marketStateAt, sessionOf } from "../../market/calendar/calendar.ts";
import { looksSplit } from "../../market/prices/split-check.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { rowsOf } from "../shared/rows.ts";
import { isoDay, parseIsoDate, parseNewYorkTime } from "../shared/timestamps.ts";
import { padTwo, parseNamedDate, quoteApi } from "./api.ts";

const MISSING: ReadonlySet<string> = new Set(["", "--", "N/A", "NA"]);
const AMOUNT = /^\$?(\d{1,3}(,\d{3}){1,4}|\d{1,15})(\.\d{1,10})?$/;
/** An amount such as `$5,123.40`, without the dollar sign for funds; null for `--` and `N/A`. */
const Amount = z
  .string()
  .nullish()
  .transform((text) => (text == null || MISSING.has(text) ? null : text))
  .refine((text) => text === null || AMOUNT.test(text))
  .transform((text) => (text === null ? null : Number(text.replace(/[$,]/g, ""))));
/** A price; 0 becomes null. */
const Price = Amount.transform((price) => (price === 0 ? null : price));

/** A trade with its change from the previous close; a sign or a word gives the direction. */
const Sale = z.object({
  lastSalePrice: Price,
  netChange: z.string().nullish(),
  deltaIndicator: z.string().nullish(),
  lastTradeTimestamp: z.string().nullish(),
  volume: Amount,
  isRealTime: z.boolean().nullish().catch(null),
});

/** `primaryData` is the newest trade. Outside the session, `secondaryData` is the last regular close. */
const Info = z.object({
  symbol: z.string(),
  assetClass: z.enum(["STOCKS", "ETF"]).nullish(),
  primaryData: Sale,
  secondaryData: Sale.nullish(),
});

/** Converts a date like `11/20/2026` to 00:00 UTC of that day, epoch ms; null for other text. */
const rowDay = (text: string): number | null =>
  parseIsoDate(text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, "$3-$1-$2"));

/** Daily rows, newest first. */
const Historical = z.object({
  symbol: z.string(),
  tradesTable: z.object({
    rows: rowsOf(
      z
        .object({
          date: z
            .string()
            .transform(rowDay)
            .refine((day) => day !== null),
          open: Price,
          high: Price,
          low: Price,
          close: Price,
          volume: Amount,
        })
        .transform(({ date: time, ...figures }): ProviderBar => ({ time, ...figures })),
    ).nullable(),
  }),
});

type Sale = z.infer<typeof Sale>;

const TIME =
  /^(?:DATA AS OF |Closed at )?([A-Z][a-z]{2} \d{1,2}, \d{4})(?: (\d{1,2}):(\d\d) (AM|PM) ET)?(?: - [A-Z-]+(?: [A-Z]+)?)?$/i;

/**
 * Returns the time of a sale, epoch ms: the start of its minute. Without a time of day it is the close of the session,
 * because the price is then the official close. On a date without a session, a close is that of the session before:
 * Nasdaq stamps Friday's close with the date of Saturday. Null for unreadable times and other times of such a date.
 */
function timeOf({ lastTradeTimestamp }: Sale): number | null {
  const [, day = "", hour, minute, half] = TIME.exec(lastTradeTimestamp ?? "") ?? [];
  const date = parseNamedDate(day);
  if (date === null || Number(hour ?? 0) > 12) return null;
  const session = sessionOf(date);
  const close = session?.close ?? lastCloseBefore(Date.parse(date));
  if (hour === undefined || close === null) return close;
  const hours = (Number(hour) % 12) + (half?.toUpperCase() === "PM" ? 12 : 0);
  const timeOn = (traded: string) => parseNewYorkTime(`${traded}T${padTwo(hours)}:${minute}:00`);
  if (session !== null) return timeOn(date);
  return timeOn(newYorkDate(close)) === close ? close : null;
}

/** Returns the change from the previous close; null without a figure or a direction. */
function changeOf({ netChange, deltaIndicator }: Sale): number | null {
  const [, sign, size] =
    /^([+-]?)\$?(\d{1,15}(?:\.\d{1,10})?)$/.exec((netChange ?? "").replaceAll(",", "")) ?? [];
  if (size === undefined) return null;
  if (Number(size) === 0) return 0;
  const direction = sign || DIRECTION_SIGNS[deltaIndicator?.toLowerCase() ?? ""];
  return direction === undefined ? null : direction === "-" ? -Number(size) : Number(size);
}
const DIRECTION_SIGNS: Readonly<Record<string, string>> = { up: "+", down: "-" };

const DAY = 86_400_000;
/** Requested row limit; longer than every available history. */
const LIMIT = 9_999;

/**
 * Creates the provider for Nasdaq.com's own API, undocumented and without a key, for stocks and funds of all US
 * exchanges, with volumes of all venues. A request takes one call, or two if the instrument's asset class differs from
 * the one tried first. No limit is known; about one response in ten is a temporary failure.
 *
 * Quotes count as 15 minutes late unless they say that they are in real time. After the after-hours session, it returns
 * the official close. Opens, highs and lows are not used, because their day is not given.
 *
 * Daily bars are adjusted for splits, but this is not documented, so the adjustment is "unknown" if they contain an
 * apparently unadjusted split. The newest bar may be missing until the next day.
 */
export function nasdaq(setup: ProviderSetup): PriceProvider {
  const get = quoteApi(setup);
  return {
    name: "nasdaq",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 30, perMs: 60_000, atOnce: 2 },
    delayMinutes: 15,
    liveWithinMs: 120_000,
    reaches: { "1d": 3_650 },
    async latest(instrument, { signal }) {
      const info = await get(instrument, "info", Info, { signal });
      if (info === null) throw new ProviderFailure("malformed", "a quote without a time");
      return quoteOf(info.primaryData, info.secondaryData ?? null);
    },
    async history(instrument, { timeframe, from, until, signal }): Promise<ProviderBars> {
      if (timeframe !== "1d") throw new ProviderFailure("unsupported", "only daily bars are available");
      // begins a day earlier, because a window of one day is refused
      const query = { fromdate: isoDay(from - DAY), todate: isoDay(until), limit: LIMIT };
      const historical = await get(instrument, "historical", Historical, { query, signal });
      const bars = (historical?.tradesTable.rows ?? []).filter(({ time }) => time <= until);
      const adjustment = bars.length === 0 || looksSplit(bars) ? "unknown" : "split";
      return { bars, adjustment, hours: "regular", volumeScope: "all_venues", venue: "US" };
    },
  };
}

function quoteOf(newest: Sale, regular: Sale | null): ProviderQuote {
  const { lastSalePrice: price, volume } = newest;
  const tradedAt = timeOf(newest);
  if (price === null || tradedAt === null)
    throw new ProviderFailure("malformed", "a quote without price or trade time");
  return {
    price,
    tradedAt,
    previousClose:
      regular === null ? previousCloseOf(newest, tradedAt) : previousCloseOfDay(regular, tradedAt),
    open: null,
    high: null,
    low: null,
    volume,
    volumeScope: "all_venues",
    venue: "US",
    ...(newest.isRealTime === true && { delayMinutes: 0 }),
  };
}

/**
 * Returns the close from which a sale's change is measured; null outside the regular session, when it may be the close
 * of either day.
 */
function previousCloseOf(sale: Sale, tradedAt: number): number | null {
  const change = changeOf(sale);
  const session = sessionOf(newYorkDate(tradedAt));
  const regular = marketStateAt(tradedAt, "equity") === "regular" || tradedAt === session?.close;
  if (!regular || sale.lastSalePrice === null || change === null) return null;
  const previous = Number((sale.lastSalePrice - change).toFixed(4));
  return previous > 0 ? previous : null;
}

/**
 * Returns the close before a trade's day. Before the open this is the last regular close; after the close, the one
 * before the last.
 */
function previousCloseOfDay(regular: Sale, tradedAt: number): number | null {
  const closedAt = timeOf(regular);
  if (closedAt === null) return null;
  if (newYorkDay(closedAt) < newYorkDay(tradedAt)) return regular.lastSalePrice;
  return previousCloseOf(regular, closedAt);
}
