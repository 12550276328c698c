import { z } from "zod";
import type { Print, PrintCondition } from "../../domain/off-exchange/prints.ts";
import type { PrintProvider } from "../../domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { isLateReport, orderedConditions } from "../shared/sale-conditions.ts";
import { newYorkDayRange } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { createClient, type MassiveSetup } from "./client.ts";

const LIMIT = 20_000;
const MAX_PAGES = 3;
const SESSIONS = 2;
/** FINRA's reporting facilities share this number; its display facility has it too, but no facility's id. */
const OFF_EXCHANGE = 4;
const LAST = 8.64e21;
const Nanoseconds = z.number().positive().max(LAST);

/** Its numbers for sale conditions that say of which moment or market a price is. */
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
/** Corrections after which a record is no trade: marked as an error or cancelled later, or a record of that. */
const VOID: ReadonlySet<number> = new Set([7, 8, 10, 11, 12]);

const Trade = z.object({
  conditions: z.array(z.number()).nullish(),
  correction: z.number().nullish(),
  exchange: z.number(),
  id: z.string().max(40),
  /** When it was made. */
  participant_timestamp: Nanoseconds,
  /** When the tape told it. */
  sip_timestamp: Nanoseconds,
  price: z.number().nonnegative(),
  size: z.number().nonnegative(),
  trf_id: z.number().nullish(),
});
type Trade = z.infer<typeof Trade>;
const Trades = z.object({ results: z.array(Trade).nullish(), next_url: z.string().nullish() });

/**
 * Off-exchange trades of Massive, for plans that include trades: those of exchange 4 that name a reporting facility.
 * Newest first, to three pages of 20,000 trades of any venue; a session is told from where the last page ends. Where the
 * plan has no trades the source says `unsupported` and is not asked again before a restart. Its answers name no ticker.
 *
 * Plans with trades have no published limit; 30 calls a minute are made here.
 * @see https://massive.com/docs/rest/stocks/trades-quotes/trades
 */
export function massivePrints(setup: MassiveSetup): PrintProvider {
  const ask = createClient(setup);
  let included = true;
  return {
    name: "massive",
    sessions: SESSIONS,
    budget: { calls: 30, perMs: 60_000, atOnce: 2 },
    async call({ instrument, date, minNotional }, { signal }) {
      const path = `/v3/trades/${usTicker(instrument)}`;
      const { from, until } = newYorkDayRange(date);
      const range = { "timestamp.gte": `${from}000000`, "timestamp.lt": `${until}000000` };
      let query: Readonly<Record<string, string | number>> = {
        ...range,
        order: "desc",
        sort: "timestamp",
        limit: LIMIT,
      };
      const prints: Print[] = [];
      let oldest = Number.POSITIVE_INFINITY;
      const whole = { completeFrom: Number.NEGATIVE_INFINITY, completeUntil: Number.POSITIVE_INFINITY };
      for (let page = 0; page < MAX_PAGES; page++) {
        const told = included ? await ask({ path, shape: Trades, query, signal }) : null;
        included = told !== null;
        if (told === null) throw new ProviderFailure("unsupported", "not in the plan of this account");
        for (const trade of told.results ?? []) {
          const print = printOf(trade);
          if (print.reportedAt > oldest + 1)
            throw new ProviderFailure("malformed", "trades that are not newest first");
          oldest = Math.min(oldest, print.reportedAt);
          const isOff = trade.exchange === OFF_EXCHANGE && typeof trade.trf_id === "number";
          if (isOff && print.price * print.size >= minNotional && print.price > 0) prints.push(print);
        }
        if (!told.next_url) return { ...whole, prints };
        query = { cursor: cursorOf(told.next_url) };
      }
      return { ...whole, prints, completeFrom: oldest + 1 };
    },
  };
}

/** What the address of the next page holds; the rest of it is ours, wherever it leads. */
function cursorOf(address: string): string {
  const cursor = URL.canParse(address) ? new URL(address).searchParams.get("cursor") : null;
  if (cursor === null) throw new ProviderFailure("malformed", "a next page without an address");
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
