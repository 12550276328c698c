import { z } from "zod";
import type { Print, PrintCondition } from "../../domain/off-exchange/prints.ts";
import type { MarketPrintProvider, PrintProvider } from "../../domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { ApiGet } from "../shared/api.ts";
import { Figure, PositiveFigure } from "../shared/fields.ts";
import { pageSize, rowsOf } from "../shared/rows.ts";
import { isLateReport, orderedConditions } from "../shared/sale-conditions.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { FlagOrNull, Instant, type UnusualWhalesSetup, unusualWhalesApi } from "./api.ts";

const Code = z.string().max(60).nullish();

const Trade = z.object({
  ticker: z.string().max(12),
  price: PositiveFigure,
  size: PositiveFigure,
  /** Time of the report. */
  executed_at: Instant,
  /** Time of the trade; missing before May 2025. */
  trf_executed_at: z.union([Instant, z.literal("").transform(() => null)]).nullish(),
  canceled: FlagOrNull,
  nbbo_bid: Figure.nullish(),
  nbbo_ask: Figure.nullish(),
  sale_cond_codes: Code,
  ext_hour_sold_codes: Code,
  trade_code: Code,
  trade_settlement: Code,
  tracking_id: Figure.nullish(),
});
type Trade = z.infer<typeof Trade>;
const Trades = z.object({ data: rowsOf(Trade) });

/** Condition codes that affect the time or market of a price; others, such as odd lots, do not matter. */
const CONDITIONS: Readonly<Record<string, PrintCondition>> = {
  average_price_trade: "average_price",
  prior_reference_price: "prior_reference",
  derivative_priced: "derivative_priced",
  contingent_trade: "contingent",
  qualified_contingent_trade: "contingent",
  sold_out_of_sequence: "late",
  extended_hours_trade_late_or_out_of_sequence: "late",
};
/** Matches settlement terms that affect the price. */
const NON_REGULAR_SETTLEMENT = /^(cash|next_day|seller)(_settlement)?$/;

/** Converts trades to prints; trades without an id get a running number. */
function printsOf(trades: readonly Trade[]): readonly Print[] {
  const counts = new Map<string, number>();
  return trades.map((trade) => {
    const { price, size, executed_at: reportedAt, nbbo_bid: bid, nbbo_ask: ask } = trade;
    const executedAt = Math.min(trade.trf_executed_at ?? reportedAt, reportedAt);
    const key = `${reportedAt}-${price}-${size}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    const codes = [trade.sale_cond_codes, trade.ext_hour_sold_codes, trade.trade_code];
    const quoted = bid != null && ask != null && bid > 0 && ask >= bid;
    return {
      id: (trade.tracking_id ?? 0) > 0 ? `${reportedAt}-${trade.tracking_id}` : `${key}-${nth}`,
      price,
      size,
      executedAt,
      reportedAt,
      conditions: orderedConditions([
        ...(trade.canceled === true ? (["cancelled"] as const) : []),
        ...codes.map((code) => (code ? CONDITIONS[code] : undefined)),
        ...(NON_REGULAR_SETTLEMENT.test(trade.trade_settlement ?? "") ? (["contingent"] as const) : []),
        ...(isLateReport(executedAt, reportedAt) ? (["late"] as const) : []),
      ]),
      nbbo: quoted ? { bid, ask } : null,
    };
  });
}

/** Page sizes: of a ticker, and of the market. */
const LIMIT = 500;
const MARKET_LIMIT = 200;
const MAX_PAGES = 4;
/** Maximum number of sessions per request. */
const SESSIONS = 5;

/** Call budgets within the 120 calls a minute of the smallest plan. */
const BUDGET = { calls: 70, perMs: 60_000, atOnce: 3 } as const;
const MARKET_BUDGET = { calls: 20, perMs: 60_000, atOnce: 2 } as const;
const COMPLETE = { completeFrom: Number.NEGATIVE_INFINITY, completeUntil: Number.POSITIVE_INFINITY } as const;

/**
 * Creates the provider of off-exchange prints with quotes, newest first, in up to four pages of 500 per session. These
 * contain all prints above $200,000, except for the busiest stocks.
 * @see https://api.unusualwhales.com/docs, "Ticker Darkpool Trades"
 */
export function unusualWhalesPrints(setup: UnusualWhalesSetup): PrintProvider {
  const get = unusualWhalesApi(setup);
  return {
    name: "unusualwhales",
    sessions: SESSIONS,
    budget: BUDGET,
    async call({ instrument, date, minNotional }, { signal }) {
      const ticker = usTicker(instrument);
      const query = { date, limit: LIMIT, min_premium: Math.floor(minNotional), order: "desc" };
      const { trades, completeFrom } = await readPages(get, ticker, query, signal);
      if (trades.some((trade) => trade.ticker !== ticker))
        throw new ProviderFailure("malformed", "response about another ticker");
      return { ...COMPLETE, prints: printsOf(trades), completeFrom };
    },
  };
}

/** Creates the provider of the newest 200 large prints of all tickers in a session. */
export function unusualWhalesMarket(setup: UnusualWhalesSetup): MarketPrintProvider {
  const get = unusualWhalesApi(setup);
  return {
    name: "unusualwhales",
    budget: MARKET_BUDGET,
    async call({ date, minNotional }, { signal }) {
      const query = { date, limit: MARKET_LIMIT, min_premium: Math.floor(minNotional) };
      const { data } = await get("/api/darkpool/recent", Trades, { query, signal });
      const prints = printsOf(data).map((print, i) => ({ ...print, ticker: data[i]!.ticker }));
      const complete = pageSize(data) < MARKET_LIMIT;
      return { ...COMPLETE, prints, ...(!complete && { completeFrom: oldestOf(data) + 1 }) };
    },
  };
}

/** Reads pages backwards in time. The oldest second of a full page is dropped, because the next page starts with it. */
async function readPages(
  get: ApiGet,
  ticker: string,
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
): Promise<{ readonly trades: readonly Trade[]; readonly completeFrom: number }> {
  const trades: Trade[] = [];
  let before: number | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const older_than = before === undefined ? undefined : new Date(before).toISOString();
    const path = `/api/darkpool/${ticker}`;
    const { data } = await get(path, Trades, { query: { ...query, older_than }, signal });
    const end = before;
    if (end !== undefined && data.some(({ executed_at }) => executed_at > end))
      throw new ProviderFailure("malformed", "a page of repeated trades");
    if (pageSize(data) < LIMIT) return { trades: [...trades, ...data], completeFrom: COMPLETE.completeFrom };
    const oldest = oldestOf(data);
    if (oldest === end || oldest === newestOf(data))
      return { trades: [...trades, ...data], completeFrom: oldest + 1 };
    trades.push(...data.filter(({ executed_at }) => executed_at > oldest));
    before = oldest;
  }
  return { trades, completeFrom: before! + 1 };
}

const oldestOf = (trades: readonly Trade[]): number =>
  Math.min(...trades.map(({ executed_at }) => executed_at));
const newestOf = (trades: readonly Trade[]): number =>
  Math.max(...trades.map(({ executed_at }) => executed_at));
