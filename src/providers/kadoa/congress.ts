import { z } from "zod";
import { bandIn, bandOf } from "../../domain/congress/amount-band.ts";
import { Party } from "../../domain/congress/congress.ts";
import type { DisclosureProvider } from "../../domain/congress/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { createApi } from "../shared/api.ts";
import { disclosuresOf, filingsBetween, parseAssetType, parseFiledTicker } from "../shared/disclosure.ts";
import { OptionalText } from "../shared/fields.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { readRows } from "../shared/rows.ts";

const PATH = "/kadoa-org/congress-trading-monitor/main/public/data/trades.json";
const MAX_BYTES = 32 * 1024 * 1024;

const Dated = z.object({ filing_date: z.string().regex(/^\d{4}-\d\d-\d\d$/) });
const Row = Dated.extend({
  id: z.string().regex(/^[!-~]{1,200}$/),
  transaction_date: OptionalText,
  owner: OptionalText,
  ticker: OptionalText,
  asset_name: OptionalText,
  asset_type: OptionalText,
  transaction_type: z.string(),
  amount_range_low: z.number().nullish(),
  amount_range_high: z.number().nullish(),
  amount_range_label: OptionalText,
  filer_name: z.string(),
  branch: z.string(),
  chamber: z.enum(["house", "senate"]),
  party: OptionalText,
  state: OptionalText,
  doc_url: OptionalText,
});

/**
 * Creates the provider of the 5,000 newest disclosures of both chambers, with parties, published daily by the project
 * congress-trading-monitor. Rows of the executive branch are dropped. One call returns all rows; the host is shared, so
 * at most 10 calls an hour are made.
 * @see https://github.com/kadoa-org/congress-trading-monitor
 */
export function kadoaCongress(setup: ProviderSetup): DisclosureProvider {
  const get = createApi(setup, { baseUrl: "https://raw.githubusercontent.com", maxBytes: MAX_BYTES });
  return {
    name: "kadoa",
    budget: { calls: 10, perMs: 3_600_000, atOnce: 1 },
    async call({ chamber, ticker, since, until }, { signal }) {
      const rows = await get(PATH, z.array(z.unknown()).min(1), { signal });
      const [oldest] = (await readRows(Dated, rows)).map(({ filing_date }) => filing_date).sort();
      if (oldest === undefined) throw new ProviderFailure("malformed", "rows without a filing date");
      const own = (await readRows(Row, rows)).filter(
        (row) => row.branch === "congress" && row.chamber === chamber,
      );
      const trades = await disclosuresOf(own, (row) => {
        const { amount_range_low: low, amount_range_high: high, amount_range_label: label } = row;
        return {
          id: `kadoa:${row.id}`,
          chamber: row.chamber,
          member: row.filer_name,
          party: Party.safeParse(row.party).data ?? null,
          state: /^[A-Z]{2}$/.exec(row.state ?? "")?.[0] ?? null,
          ticker: parseFiledTicker(row.ticker),
          asset: row.asset_name ?? "",
          assetType: parseAssetType(row.asset_type),
          typeText: row.transaction_type,
          ownerText: row.owner,
          amount: low == null ? bandIn(label ?? "") : bandOf(low, high ?? null),
          amountText: label ?? "",
          traded: /^\d{4}-\d\d-\d\d$/.exec(row.transaction_date ?? "")?.[0] ?? null,
          filed: row.filing_date,
          docUrl: row.doc_url,
        };
      });
      const unique = [...new Map(trades.map((trade) => [trade.id, trade])).values()];
      const [, completeFrom] = [dayAfter(oldest), since].sort();
      return filingsBetween(
        unique.filter((trade) => ticker === null || trade.ticker === ticker),
        { since, until, completeFrom: completeFrom! },
      );
    },
  };
}
