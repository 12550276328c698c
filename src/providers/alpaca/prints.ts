import { z } from "zod";
import type { Print } from "../../domain/off-exchange/prints.ts";
import type { PrintProvider } from "../../domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { orderedConditions, saleCondition } from "../shared/sale-conditions.ts";
import { newYorkDayRange } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { WITHHELD_MINUTES } from "./bars.ts";
import { type AlpacaSetup, createClient } from "./client.ts";

const MINUTE = 60_000;
const LIMIT = 10_000;
const MAX_PAGES = 4;
const SESSIONS = 2;
/** The facilities to which trades off exchange are reported. */
const OFF_EXCHANGE = "D";

const Trade = z.object({
  /** When the tape told it, with up to nine digits of a second; when it was made is not told. */
  t: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
  x: z.string().max(4),
  p: z.number().nonnegative(),
  s: z.number().nonnegative(),
  c: z.array(z.string().max(4)).nullish(),
  i: z.number(),
  /** A, B: the consolidated tape; C: Nasdaq's. */
  z: z.string().max(2),
  /** What became of it: `canceled`, or `incorrect` where another record took its place. */
  u: z.string().max(20).nullish(),
});
type Trade = z.infer<typeof Trade>;
const Trades = z.object({
  trades: z.record(z.string(), z.array(Trade)).nullable(),
  next_page_token: z.string().nullish(),
});

/**
 * Off-exchange trades of Alpaca's feed of all venues, which an account without a subscription sees 16 minutes late:
 * newest first, to four pages of 10,000 trades of any venue, of which about half were made off exchange. That is some
 * minutes of the busiest stocks and the whole session of most; a session is told from where the last page ends.
 *
 * Of 200 calls a minute it publishes, 40 are used here, beside 150 for prices. No quotes of the moment come with trades.
 * @see https://docs.alpaca.markets/reference/stocktrades-1
 */
export function alpacaPrints(setup: AlpacaSetup): PrintProvider {
  const ask = createClient(setup);
  return {
    name: "alpaca",
    sessions: SESSIONS,
    budget: { calls: 40, perMs: MINUTE, atOnce: 2 },
    async call({ instrument, date, minNotional }, { signal }) {
      const symbol = usTicker(instrument);
      const { from, until } = newYorkDayRange(date);
      const latest = setup.now() - WITHHELD_MINUTES * MINUTE;
      const end = Math.min(until, latest);
      const completeUntil = latest < until ? latest : Number.POSITIVE_INFINITY;
      if (end <= from) return { prints: [], completeFrom: Number.NEGATIVE_INFINITY, completeUntil };
      const range = { start: new Date(from).toISOString(), end: new Date(end).toISOString() };
      const query = { symbols: symbol, feed: "sip", sort: "desc", limit: LIMIT, ...range };
      const prints: Print[] = [];
      let oldest = Number.POSITIVE_INFINITY;
      let token: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const told = await ask("/v2/stocks/trades", Trades, { ...query, page_token: token }, signal);
        if (Object.keys(told.trades ?? {}).some((name) => name !== symbol))
          throw new ProviderFailure("malformed", "an answer about another symbol");
        for (const trade of told.trades?.[symbol] ?? []) {
          if (trade.t > oldest) throw new ProviderFailure("malformed", "trades that are not newest first");
          oldest = trade.t;
          if (trade.x === OFF_EXCHANGE && trade.p * trade.s >= minNotional && trade.p > 0)
            prints.push(printOf(trade));
        }
        token = told.next_page_token ?? undefined;
        if (token === undefined) return { prints, completeFrom: Number.NEGATIVE_INFINITY, completeUntil };
      }
      return { prints, completeFrom: oldest + 1, completeUntil };
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
