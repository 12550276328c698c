import { z } from "zod";
import type { OffExchangeWeek } from "../../domain/off-exchange/off-exchange.ts";
import type { WeeksProvider } from "../../domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkOffsetMs } from "../../lib/newyork.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { parseIsoDate } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";

const BASE_URL = "https://api.finra.org";
const PATH = "/data/group/otcMarket/name/weeklySummary";
const HOUR = 3_600_000;
/** The end of a New York day: by then what is published on a date is out. */
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
/** Large stocks, the others of the national system, in the order in which they are likely. */
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
const Rows = z.array(Row);

/**
 * FINRA's weekly summary of trading off exchange, alternative trading systems and dealers apart, some weeks after. Its
 * rows come in no order. A question is two to four calls: two kinds, in the tier of large stocks and then in the other.
 * An answer of neither is a symbol that it does not have.
 *
 * No limit was found published for callers without an account; 20 calls a minute are made here.
 * @see https://developer.finra.org/docs#query_api-equity-weekly_summary
 */
export function finraWeekly(setup: ProviderSetup): WeeksProvider {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json" },
  });
  async function weeksOf(ticker: string, tier: string, kind: keyof typeof KINDS, signal: AbortSignal) {
    const filters = {
      summaryTypeCode: KINDS[kind],
      tierIdentifier: tier,
      issueSymbolIdentifier: ticker,
    };
    const { body } = await wire.json(PATH, {
      signal,
      jsonBody: { ...QUERY, compareFilters: equal(filters) },
    });
    const read = Rows.safeParse(body);
    if (!read.success)
      throw new ProviderFailure("malformed", "another answer than is known", { cause: read.error });
    if (read.data.some((row) => row.issueSymbolIdentifier !== ticker))
      throw new ProviderFailure("malformed", "an answer about another symbol");
    return read.data.map((row) => weekOf(row, kind));
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
      throw new ProviderFailure("unknown_symbol", "it has no such symbol");
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
