import { z } from "zod";
import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { type Session, sessionOn } from "../../market/calendar/calendar.ts";
import { readBody } from "../shared/api.ts";
import { Figure } from "../shared/fields.ts";
import { createHttpClient, type ProviderSetup, parseJson } from "../shared/http-client.ts";
import { isMissingFile, MISSING_FILE_STATUSES } from "../shared/missing-file.ts";
import { parseNewYorkTime, parseUtcTime } from "../shared/timestamps.ts";

/** A price; null if it is 0 or missing. */
export const PriceOrNull = Figure.refine((price) => price >= 0)
  .nullish()
  .transform((price) => (price === undefined || price === 0 ? null : price));
/** A count; null if it is missing. */
export const CountOrNull = Figure.refine((figure) => figure >= 0)
  .nullish()
  .transform((figure) => figure ?? null);

/** Time at which a file was written, UTC, as epoch ms. */
export const Timestamp = z.string().transform(parseUtcTime).pipe(z.number());

/** New York time of a trade, as epoch ms; null without a trade. */
export const TradeTime = z
  .string()
  .nullish()
  .transform((text) => (typeof text === "string" ? parseNewYorkTime(text) : null));

/** Data of a stock, fund or index. */
const AnyHeader = z.object({
  symbol: z.string(),
  security_type: z.string(),
  /** Price of the newest trade, also of one after the close. */
  current_price: PriceOrNull,
  /** Official close, once the session has ended. */
  close: PriceOrNull,
  /** Time of the newest trade of the regular session. */
  last_trade_time: TradeTime,
});
/** Data of a stock or fund; indexes are rejected. */
export const Header = AnyHeader.extend({
  security_type: z.string().refine((type) => type !== "index"),
});
/** Data of an index. */
export const IndexHeader = AnyHeader.extend({ security_type: z.literal("index") });

const QUOTES_URL = "https://cdn-api.cboe.com";
const FILES_URL = "https://cdn.cboe.com";
const DOMAIN = "cboe.com";
const QUOTES_FOLDER = "/api/global/delayed_quotes";
const MINUTE = 60_000;

/** Delay of all quotes and chains, minutes. */
export const DELAY_MINUTES = 15;

/**
 * Returns the newest price of the regular session and its time (epoch ms): the newest trade while the delayed data are
 * of the session, then the official close. After the close, the newest trade is a late one, but has the time of the
 * session's last trade. Null without a price or a time. Default of `sessionOf`: the sessions of stocks.
 */
export function regularPrice(
  timestamp: number,
  { current_price: newest, close, last_trade_time: tradedAt }: z.infer<typeof AnyHeader>,
  sessionOf: (day: number) => Session | null = sessionOn,
): { readonly price: number; readonly tradedAt: number } | null {
  if (tradedAt === null) return null;
  const session = sessionOf(newYorkDay(tradedAt));
  const isOver = session !== null && timestamp - DELAY_MINUTES * MINUTE >= session.close;
  if (!isOver) return newest === null ? null : { price: newest, tradedAt };
  return close === null ? null : { price: close, tradedAt: session.close };
}

/**
 * Returns the close of the session before that of the price. Before the open, `prev_day_close` is already the close of
 * the price's own session, which it then equals: null, because the file does not have the one before.
 */
export const previousCloseOf = (
  { prev_day_close: previous, close }: Readonly<Record<"prev_day_close" | "close", number | null>>,
  price: number,
): number | null => (previous === close && previous === price ? null : previous);

/** Reads a file. Rejects only with ProviderFailure, of kind `unknown_symbol` if there is no such file. */
export type ReadFile = <T>(path: string, shape: z.ZodType<T>, signal: AbortSignal) => Promise<T>;
export type ReadText = (path: string, signal: AbortSignal) => Promise<string>;

interface FileReaderOptions {
  /** Default: the base URL of the statistics. */
  readonly baseUrl?: string;
  readonly maxBytes?: number | undefined;
  /** Media type. Default: JSON. */
  readonly accept?: string;
  /** Kind of failure for a 404 that is not the error of the file store. Default: malformed. */
  readonly notFound?: FailureKind;
}

/** Creates a reader of the text of public files. Redirects are followed within Cboe's domain. */
export function createTextReader(
  setup: ProviderSetup,
  {
    baseUrl = FILES_URL,
    maxBytes,
    accept = "application/json",
    notFound = "malformed",
  }: FileReaderOptions = {},
): ReadText {
  const client = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? baseUrl,
    headers: { accept },
    keyless: true,
    redirectsWithin: DOMAIN,
    ...(maxBytes !== undefined && { maxBytes }),
  });
  return async (path, signal) => {
    const { status, body } = await client.text(path, { signal, accept: MISSING_FILE_STATUSES });
    if (isMissingFile(status, body)) throw new ProviderFailure("unknown_symbol", "no such file");
    if (status === 404) throw new ProviderFailure(notFound, "status 404");
    if (status === 403 || /^\s*<(!doctype html|html)/i.test(body))
      throw new ProviderFailure("blocked", `refused with status ${status}`);
    return body;
  };
}

/** Creates a reader of public files of JSON. */
export function createFileReader(setup: ProviderSetup, options: FileReaderOptions = {}): ReadFile {
  const read = createTextReader(setup, options);
  return async (path, shape, signal) =>
    readBody(shape, await parseJson(await read(path, signal), options.maxBytes), setup.onUnreadable);
}

/** Creates a reader of a ticker's delayed files. It rejects only with ProviderFailure. */
export function createTickerReader(setup: ProviderSetup, maxBytes?: number) {
  const read = createFileReader(setup, { baseUrl: QUOTES_URL, maxBytes, notFound: "unknown_symbol" });
  return async <T extends { readonly symbol: string }>(
    folder: string,
    ticker: string,
    shape: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    const data = await read(`${QUOTES_FOLDER}/${folder}/${ticker}.json`, shape, signal);
    if (data.symbol !== ticker) throw new ProviderFailure("malformed", "response about another ticker");
    return data;
  };
}
