import { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import {
  type FailureKind,
  ProviderFailure,
  type ProviderQuote,
} from "../../domain/providers/price-provider.ts";
import { isWithin } from "../../lib/expiry.ts";
import { newYorkDate, newYorkDay } from "../../lib/newyork.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";
import { parseBody, readableRows } from "../shared/api.ts";
import { EpochSeconds, Price, PriceOrNull } from "../shared/fields.ts";
import type { HttpRequest } from "../shared/http-client.ts";
import { symbolsByName } from "../shared/us-ticker.ts";
import { symbolOf } from "./client.ts";
import { type CrumbSetup, crumbApi } from "./crumb.ts";

/** Time for which a refused cookie or crumb is not requested again, ms. */
const REFUSED_MS = 10 * 60_000;
/** Failures that concern the cookie and the crumb, which charts do not need. */
const REFUSALS: ReadonlySet<FailureKind> = new Set(["rate_limited", "blocked", "auth"]);
/** Maximum number of symbols per call. */
export const QUOTES_PER_CALL = 50;

const OptionalPrice = PriceOrNull.nullish().transform((price) => price ?? null);
/** Newest prices of a stock or fund; `pre` and `post` are those outside the regular session. */
const Row = z.object({
  symbol: z.string(),
  currency: z.literal("USD"),
  quoteType: z.enum(["EQUITY", "ETF"]),
  /** Minutes; rows of a delayed exchange are not used. */
  exchangeDataDelayedBy: z.literal(0).optional(),
  regularMarketPrice: Price,
  regularMarketTime: EpochSeconds,
  preMarketPrice: OptionalPrice,
  preMarketTime: EpochSeconds.nullish(),
  postMarketPrice: OptionalPrice,
  postMarketTime: EpochSeconds.nullish(),
  regularMarketPreviousClose: OptionalPrice,
  regularMarketOpen: OptionalPrice,
  regularMarketDayHigh: OptionalPrice,
  regularMarketDayLow: OptionalPrice,
  regularMarketVolume: z.number().nonnegative().nullish(),
});
const Answer = z.object({ quoteResponse: z.object({ result: z.array(z.unknown()) }) });
type Row = z.infer<typeof Row>;

/**
 * Creates the function that requests the quotes of up to 50 stocks and funds in one call with a cookie and a crumb, by
 * canonical symbol. Unlisted and delayed ones are missing. Its bid and ask are not used: recorded ones are up to 6 %
 * from the price of the same moment. Rejects only with ProviderFailure: `unsupported` for ten
 * minutes after Yahoo refused a cookie or crumb, since its charts may still respond.
 */
export function yahooQuotes(setup: CrumbSetup) {
  const get = crumbApi(setup);
  let refusedAt = Number.NEGATIVE_INFINITY;
  const refused = (cause?: unknown) =>
    new ProviderFailure("unsupported", "no cookie or crumb for batches", { cause });

  async function readPage(query: NonNullable<HttpRequest["query"]>, signal: AbortSignal) {
    if (isWithin(refusedAt, setup.now(), REFUSED_MS)) throw refused();
    try {
      return await get("/v7/finance/quote", { query, signal });
    } catch (cause) {
      if (!(cause instanceof ProviderFailure && REFUSALS.has(cause.kind))) throw cause;
      refusedAt = setup.now();
      throw refused(cause);
    }
  }

  return async (
    instruments: readonly Instrument[],
    { signal }: { readonly signal: AbortSignal },
  ): Promise<ReadonlyMap<string, ProviderQuote>> => {
    const names = symbolsByName(instruments, symbolOf);
    const query = { symbols: [...names.keys()].join(",") };
    const { status, body } = await readPage(query, signal);
    if (status !== 200) throw new ProviderFailure("malformed", `status ${status}`);
    const rows = readableRows(Row, parseBody(Answer, body).quoteResponse.result);
    return new Map(
      rows.flatMap((row): readonly (readonly [string, ProviderQuote])[] => {
        const symbol = names.get(row.symbol);
        return symbol === undefined ? [] : [[symbol, quoteOf(row)]];
      }),
    );
  };
}

function quoteOf(row: Row): ProviderQuote {
  const regular = { price: row.regularMarketPrice, tradedAt: row.regularMarketTime };
  const extended = [
    { price: row.preMarketPrice, tradedAt: row.preMarketTime ?? 0 },
    { price: row.postMarketPrice, tradedAt: row.postMarketTime ?? 0 },
  ].flatMap(({ price, tradedAt }) => (price === null ? [] : [{ price, tradedAt }]));
  const last = [regular, ...extended].reduce((a, b) => (b.tradedAt > a.tradedAt ? b : a));
  const close = sessionOf(newYorkDate(regular.tradedAt))?.close;
  const shared = {
    ...last,
    officialClose: last === regular && close !== undefined && regular.tradedAt >= close,
    volumeScope: "all_venues",
    venue: "US",
  } as const;
  // before the session, the newest regular price is the previous close
  if (newYorkDay(last.tradedAt) > newYorkDay(regular.tradedAt))
    return { ...shared, previousClose: regular.price, open: null, high: null, low: null, volume: null };
  return {
    ...shared,
    previousClose: row.regularMarketPreviousClose,
    open: row.regularMarketOpen,
    high: row.regularMarketDayHigh,
    low: row.regularMarketDayLow,
    volume: row.regularMarketVolume ?? null,
  };
}
