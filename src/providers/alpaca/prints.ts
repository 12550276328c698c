import { z } from "zod";
import type { Print } from "../../domain/off-exchange/prints.ts";
import type { PrintProvider } from "../../domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { Instant } from "../shared/fields.ts";
import { readPrintPages } from "../shared/print-pages.ts";
import { rowsOf } from "../shared/rows.ts";
import { orderedConditions, saleCondition } from "../shared/sale-conditions.ts";
import { newYorkDayRange } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type AlpacaSetup, alpacaApi, WITHHELD_MS } from "./api.ts";

const PAGE_SIZE = 10_000;
const MAX_PAGES = 4;
const SESSIONS = 2;
/** Exchange code of the facilities to which off-exchange trades are reported. */
const OFF_EXCHANGE = "D";

const Trade = z.object({
  /** Time of the report; the time of the trade is not returned. */
  t: Instant,
  x: z.string().max(4),
  p: z.number().nonnegative(),
  s: z.number().nonnegative(),
  c: z.array(z.string().max(4)).nullish(),
  i: z.number(),
  /** A, B: the consolidated tape; C: Nasdaq's. */
  z: z.string().max(2),
  /** `canceled`, or `incorrect` if another record replaced this one. */
  u: z.string().max(20).nullish(),
});
type Trade = z.infer<typeof Trade>;
const Trades = z.object({
  trades: z.record(z.string(), rowsOf(Trade)).nullable(),
  next_page_token: z.string().nullish(),
});

/**
 * Creates the provider of Alpaca's off-exchange trades, 16 minutes late without a subscription, and without quotes. It
 * reads up to four pages of 10,000 trades of all venues, newest first; about half of them are off exchange. They cover
 * some minutes of the busiest stocks and the complete session of most others.
 *
 * Of the published 200 calls a minute, 40 are used for prints.
 * @see https://docs.alpaca.markets/reference/stocktrades-1
 */
export function alpacaPrints(setup: AlpacaSetup): PrintProvider {
  const get = alpacaApi(setup);
  return {
    name: "alpaca",
    sessions: SESSIONS,
    budget: { calls: 40, perMs: 60_000, atOnce: 2 },
    async call({ instrument, date, minNotional }, { signal }) {
      const symbol = usTicker(instrument);
      const { from, until } = newYorkDayRange(date);
      const latest = setup.now() - WITHHELD_MS;
      const end = Math.min(until, latest);
      const completeUntil = latest < until ? latest : Number.POSITIVE_INFINITY;
      if (end <= from) return { prints: [], completeFrom: Number.NEGATIVE_INFINITY, completeUntil };
      const query = {
        symbols: symbol,
        feed: "sip",
        sort: "desc",
        limit: PAGE_SIZE,
        start: new Date(from).toISOString(),
        end: new Date(end).toISOString(),
      };
      const read = async (token: string | null) => {
        const page = await get("/v2/stocks/trades", Trades, {
          query: { ...query, page_token: token ?? undefined },
          signal,
        });
        if (Object.keys(page.trades ?? {}).some((name) => name !== symbol))
          throw new ProviderFailure("malformed", "response about another symbol");
        const rows = (page.trades?.[symbol] ?? []).map((trade) => ({
          print: printOf(trade),
          offExchange: trade.x === OFF_EXCHANGE,
        }));
        return { rows, next: page.next_page_token ?? null };
      };
      return { ...(await readPrintPages({ read, maxPages: MAX_PAGES, minNotional })), completeUntil };
    },
  };
}

const printOf = ({ t, p: price, s: size, c, i, z: tape, u }: Trade): Print => ({
  id: `${t}-${i}`,
  price,
  size,
  executedAt: t,
  reportedAt: t,
  conditions: orderedConditions([
    ...(c ?? []).map((letter) => saleCondition(letter, tape === "C" ? "UTP" : "CTA")),
    ...(u === "canceled" || u === "incorrect" ? (["cancelled"] as const) : []),
  ]),
  nbbo: null,
});
