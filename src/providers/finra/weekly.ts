import { z } from "zod";
import type { OffExchangeWeek } from "../../domain/off-exchange/off-exchange.ts";
import type { WeeksProvider } from "../../domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkOffsetMs } from "../../lib/newyork.ts";
import { createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { rowsOf } from "../shared/rows.ts";
import { parseIsoDate } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";

const PATH = "/data/group/otcMarket/name/weeklySummary";
const HOUR = 3_600_000;
/** New York time by which the data of a date are published, as ms after midnight. */
const EVENING = 18 * HOUR;
const FIELDS = [
  "weekStartDate",
  "issueSymbolIdentifier",
  "totalWeeklyShareQuantity",
  "totalWeeklyTradeCount",
  "totalNotionalSum",
  "initialPublishedDate",
] as const;
const KINDS = { ats: "ATS_W_SMBL", otc: "OTC_W_SMBL" } as const;
/** Tiers: large stocks, then all other stocks of the national market system. */
const TIERS = ["T1", "T2"] as const;
const LIMIT = 5_000;

const Day = z
  .string()
  .transform(parseIsoDate)
  .refine((day) => day !== null);
const Row = z.object({
  issueSymbolIdentifier: z.string(),
  weekStartDate: Day,
  initialPublishedDate: Day,
  totalWeeklyShareQuantity: z.number().nonnegative(),
  totalWeeklyTradeCount: z.number().int().nonnegative(),
  totalNotionalSum: z.number().nonnegative().nullish(),
});
const Rows = rowsOf(Row);

/**
 * Creates the provider of FINRA's weekly summary of off-exchange trading on alternative trading systems and by dealers,
 * published some weeks later. Rows have no order. A request takes two to four calls: both kinds in the tier of large
 * stocks, then in the other tier. Without rows in either, the symbol is unknown.
 *
 * No limit is published for callers without an account; 20 calls a minute are made.
 * @see https://developer.finra.org/docs#query_api-equity-weekly_summary
 */
export function finraWeekly(setup: ProviderSetup): WeeksProvider {
  const get = createApi(setup, { baseUrl: "https://api.finra.org", keyless: true });
  async function weeksOf(ticker: string, tier: string, kind: keyof typeof KINDS, signal: AbortSignal) {
    const filters = {
      summaryTypeCode: KINDS[kind],
      tierIdentifier: tier,
      issueSymbolIdentifier: ticker,
    };
    const jsonBody = { ...QUERY, compareFilters: equal(filters) };
    const rows = await get(PATH, Rows, { signal, jsonBody });
    if (rows.some((row) => row.issueSymbolIdentifier !== ticker))
      throw new ProviderFailure("malformed", "response about another symbol");
    return rows.map((row) => weekOf(row, kind));
  }
  return {
    name: "finra",
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call({ instrument }, { signal }) {
      const ticker = usTicker(instrument);
      for (const tier of TIERS) {
        const both = await Promise.all([
          weeksOf(ticker, tier, "ats", signal),
          weeksOf(ticker, tier, "otc", signal),
        ]);
        const weeks = both.flat().sort((a, b) => a.week - b.week || (a.kind < b.kind ? -1 : 1));
        if (weeks.length > 0) return { weeks };
      }
      throw new ProviderFailure("unknown_symbol", "no such symbol");
    },
  };
}

const QUERY = { fields: FIELDS, offset: 0, limit: LIMIT };

const equal = (filters: Readonly<Record<string, string>>) =>
  Object.entries(filters).map(([fieldName, fieldValue]) => ({ compareType: "EQUAL", fieldName, fieldValue }));

function weekOf(row: z.infer<typeof Row>, kind: OffExchangeWeek["kind"]): OffExchangeWeek {
  const published = row.initialPublishedDate!;
  return {
    week: row.weekStartDate!,
    kind,
    shares: row.totalWeeklyShareQuantity,
    trades: row.totalWeeklyTradeCount,
    notional: row.totalNotionalSum ?? null,
    knownAt: published + EVENING - newYorkOffsetMs(published + 12 * HOUR),
  };
}
