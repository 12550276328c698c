import { z } from "zod";
import type { Print, PrintCondition } from "../../domain/off-exchange/prints.ts";
import type { PrintProvider } from "../../domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { HttpRequest } from "../shared/http-client.ts";
import { readPrintPages } from "../shared/print-pages.ts";
import { rowsOf } from "../shared/rows.ts";
import { isLateReport, orderedConditions } from "../shared/sale-conditions.ts";
import { newYorkDayRange } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type MassiveSetup, massiveApi, untilNotInPlan } from "./api.ts";

const PAGE_SIZE = 20_000;
const MAX_PAGES = 3;
const SESSIONS = 2;
/** Exchange number of FINRA's reporting facilities, and of its display facility, whose trades have no `trf_id`. */
const OFF_EXCHANGE = 4;
const Nanoseconds = z.number().positive().max(8.64e21);

/** Codes of the sale conditions that affect the time or market of a price. */
const CONDITIONS: Readonly<Record<number, PrintCondition>> = {
  2: "average_price",
  5: "late", // bunched sold
  7: "contingent", // paid the same day
  10: "derivative_priced",
  13: "late", // extended hours, out of sequence
  20: "contingent", // paid the next day
  21: "contingent", // price variation
  22: "prior_reference",
  29: "contingent", // seller
  30: "late", // sold last
  31: "late",
  32: "late", // sold out of sequence
  33: "late",
  52: "contingent",
  53: "contingent", // qualified contingent
};
/** Correction codes that void a record: an erroneous trade, a trade cancelled later, or the record of a cancellation. */
const VOID: ReadonlySet<number> = new Set([7, 8, 10, 11, 12]);

const Trade = z.object({
  conditions: z.array(z.number()).nullish(),
  correction: z.number().nullish(),
  exchange: z.number(),
  id: z.string().max(40),
  /** Time of the trade. */
  participant_timestamp: Nanoseconds,
  /** Time of the report. */
  sip_timestamp: Nanoseconds,
  price: z.number().nonnegative(),
  size: z.number().nonnegative(),
  trf_id: z.number().nullish(),
});
type Trade = z.infer<typeof Trade>;
const Trades = z.object({ results: rowsOf(Trade).nullish(), next_url: z.string().nullish() });

/**
 * Creates the provider of Massive's off-exchange trades, for plans that include trades: those of exchange 4 that name a
 * reporting facility, from up to three pages of 20,000 trades of all venues, newest first. With other plans, no further
 * call is made until a restart. Responses name no ticker.
 *
 * No limit is published for plans with trades; 30 calls a minute are made.
 * @see https://massive.com/docs/rest/stocks/trades-quotes/trades
 */
export function massivePrints(setup: MassiveSetup): PrintProvider {
  const get = massiveApi(setup);
  const getTrades = untilNotInPlan((path: string, query: HttpRequest["query"], signal: AbortSignal) =>
    get(path, Trades, { query: query ?? {}, signal }),
  );
  return {
    name: "massive",
    sessions: SESSIONS,
    budget: { calls: 30, perMs: 60_000, atOnce: 2 },
    async call({ instrument, date, minNotional }, { signal }) {
      const path = `/v3/trades/${usTicker(instrument)}`;
      const { from, until } = newYorkDayRange(date);
      const first = {
        "timestamp.gte": `${from}000000`,
        "timestamp.lt": `${until}000000`,
        order: "desc",
        sort: "timestamp",
        limit: PAGE_SIZE,
      };
      const read = async (cursor: string | null) => {
        const page = await getTrades(path, cursor === null ? first : { cursor }, signal);
        const rows = (page.results ?? []).map((trade) => ({
          print: printOf(trade),
          offExchange: trade.exchange === OFF_EXCHANGE && typeof trade.trf_id === "number",
        }));
        return { rows, next: page.next_url ? cursorOf(page.next_url) : null };
      };
      const prints = await readPrintPages({ read, maxPages: MAX_PAGES, minNotional, roundingMs: 1 });
      return { ...prints, completeUntil: Number.POSITIVE_INFINITY };
    },
  };
}

/** Returns the cursor of the next page. The rest of its URL is ignored, so that the key is not sent elsewhere. */
function cursorOf(nextUrl: string): string {
  const cursor = URL.canParse(nextUrl) ? new URL(nextUrl).searchParams.get("cursor") : null;
  if (cursor === null) throw new ProviderFailure("malformed", "a next page without a cursor");
  return cursor;
}

function printOf({ participant_timestamp, sip_timestamp, ...trade }: Trade): Print {
  const reportedAt = Math.round(sip_timestamp / 1e6);
  const executedAt = Math.min(Math.round(participant_timestamp / 1e6), reportedAt);
  return {
    id: `${reportedAt}-${trade.trf_id ?? 0}-${trade.id}`,
    price: trade.price,
    size: trade.size,
    executedAt,
    reportedAt,
    conditions: orderedConditions([
      ...(trade.conditions ?? []).map((code) => CONDITIONS[code]),
      ...(VOID.has(trade.correction ?? 0) ? (["cancelled"] as const) : []),
      ...(isLateReport(executedAt, reportedAt) ? (["late"] as const) : []),
    ]),
    nbbo: null,
  };
}
