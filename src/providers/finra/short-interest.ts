import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { ShortInterestProvider } from "../../domain/short-interest/provider.ts";
import type { ShortInterestReport } from "../../domain/short-interest/short-interest.ts";
import { shortInterestPublishedAt } from "../../market/calendar/short-interest-dates.ts";
import { createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { rowsOf } from "../shared/rows.ts";
import { parseIsoDate } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";

const PATH = "/data/group/otcMarket/name/consolidatedShortInterest";
const FIELDS = [
  "settlementDate",
  "symbolCode",
  "currentShortPositionQuantity",
  "previousShortPositionQuantity",
  "averageDailyVolumeQuantity",
  "stockSplitFlag",
  "revisionFlag",
] as const;
/** Maximum number of rows; about 26 are published a year. */
const LIMIT = 1_000;

const Shares = z.number().nonnegative();
const Flag = z.string().nullish();
const Row = z.object({
  symbolCode: z.string(),
  settlementDate: z
    .string()
    .transform(parseIsoDate)
    .refine((day) => day !== null),
  currentShortPositionQuantity: Shares,
  previousShortPositionQuantity: Shares.nullish(),
  averageDailyVolumeQuantity: Shares.nullish(),
  stockSplitFlag: Flag,
  revisionFlag: Flag,
});
const Rows = rowsOf(Row);

/**
 * Creates the provider of FINRA's consolidated short interest of all US stocks and funds, published twice a month. Rows
 * have no order. Its own `daysToCoverQuantity` is not used: 1.00 stands for all values below, 999.99 for none.
 *
 * No limit is published for callers without an account; 20 calls a minute are made, one for each request.
 * @see https://developer.finra.org/docs#query_api-equity-consolidated_short_interest
 */
export function finraShortInterest(setup: ProviderSetup): ShortInterestProvider {
  const get = createApi(setup, { baseUrl: "https://api.finra.org", keyless: true });
  return {
    name: "finra",
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call({ instrument }, { signal }) {
      const ticker = usTicker(instrument);
      const jsonBody = {
        fields: FIELDS,
        offset: 0,
        limit: LIMIT,
        compareFilters: [{ compareType: "EQUAL", fieldName: "symbolCode", fieldValue: ticker }],
      };
      const rows = await get(PATH, Rows, { signal, jsonBody });
      if (rows.length > LIMIT) throw new ProviderFailure("malformed", "more rows than requested");
      if (rows.some(({ symbolCode }) => symbolCode !== ticker))
        throw new ProviderFailure("malformed", "response about another symbol");
      if (rows.length === 0) throw new ProviderFailure("unknown_symbol", "no such symbol");
      return { reports: rows.map(reportOf).sort((a, b) => a.settlement - b.settlement) };
    },
  };
}

function reportOf(row: z.infer<typeof Row>): ShortInterestReport {
  const settlement = row.settlementDate!;
  return {
    settlement,
    shares: Math.round(row.currentShortPositionQuantity),
    previous: row.previousShortPositionQuantity ?? null,
    averageVolume: row.averageDailyVolumeQuantity || null,
    split: isSet(row.stockSplitFlag),
    revised: isSet(row.revisionFlag),
    knownAt: shortInterestPublishedAt(settlement),
  };
}

const isSet = (flag: string | null | undefined): boolean => (flag ?? "").trim() !== "";
