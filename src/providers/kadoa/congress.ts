import { z } from "zod";
import { bandIn, bandOf } from "../../domain/congress/amount-band.ts";
import { Party } from "../../domain/congress/congress.ts";
import type { FilingsProvider } from "../../domain/congress/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { dayAfter } from "../../lib/day-after.ts";
import {
  parseAssetType,
  parseFiledTicker,
  parseOwner,
  parseTradeType,
  toDisclosure,
} from "../shared/disclosure.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";

const BASE_URL = "https://raw.githubusercontent.com";
const PATH = "/kadoa-org/congress-trading-monitor/main/public/data/trades.json";
const MAX_BYTES = 32 * 1024 * 1024;

const OptionalText = z.string().nullish();
const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const Row = z.object({
  id: z.string().regex(/^[!-~]{1,200}$/),
  transaction_date: OptionalText,
  filing_date: Day,
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
type Row = z.infer<typeof Row>;

/**
 * The 5,000 newest disclosures of the data set that the project congress-trading-monitor publishes daily, of both chambers and with
 * parties; rows of the executive branch are left out. One file is one call; a shared host, so 10 an hour are used.
 * @see https://github.com/kadoa-org/congress-trading-monitor
 */
export function kadoaCongress(setup: ProviderSetup): FilingsProvider {
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, maxBytes: MAX_BYTES });
  return {
    name: "kadoa",
    budget: { calls: 10, perMs: 3_600_000, atOnce: 1 },
    async call({ chamber, ticker, since, until }, { signal }) {
      const { body } = await wire.json(PATH, { signal });
      const read = z.array(z.unknown()).min(1).safeParse(body);
      if (!read.success) throw new ProviderFailure("malformed", "no list", { cause: read.error });
      const dates = read.data.flatMap((row) => {
        const dated = z.object({ filing_date: Day }).safeParse(row);
        return dated.success ? [dated.data.filing_date] : [];
      });
      const oldest = dates.sort()[0];
      if (oldest === undefined) throw new ProviderFailure("malformed", "rows without a filing date");
      const told = read.data.flatMap((row) => {
        const said = Row.safeParse(row);
        return said.success && said.data.branch === "congress" && said.data.chamber === chamber
          ? disclosureOf(said.data)
          : [];
      });
      const trades = [...new Map(told.map((trade) => [trade.id, trade])).values()];
      const completeFrom = dayAfter(oldest);
      return {
        trades: trades.filter(
          (trade) =>
            trade.filing_date >= since &&
            trade.filing_date <= until &&
            (ticker === null || trade.ticker === ticker),
        ),
        unread: [],
        read: [],
        completeFrom: [completeFrom, since].sort()[1]!,
        more: false,
      };
    },
  };
}

function disclosureOf(row: Row) {
  const type = parseTradeType(row.transaction_type);
  if (type === null) return [];
  const { amount_range_low: low, amount_range_high: high, amount_range_label: label } = row;
  return [
    toDisclosure({
      ...type,
      id: `kadoa:${row.id}`,
      chamber: row.chamber,
      member: row.filer_name,
      party: Party.safeParse(row.party).data ?? null,
      state: /^[A-Z]{2}$/.exec(row.state ?? "")?.[0] ?? null,
      ticker: parseFiledTicker(row.ticker),
      asset: row.asset_name ?? "",
      assetType: parseAssetType(row.asset_type),
      owner: parseOwner(row.owner),
      amount: low == null ? bandIn(label ?? "") : bandOf(low, high ?? null),
      traded: /^\d{4}-\d\d-\d\d$/.exec(row.transaction_date ?? "")?.[0] ?? null,
      filed: row.filing_date,
      docUrl: row.doc_url ?? null,
      asFiled: { type: row.transaction_type, amount: label ?? "", owner: row.owner ?? null },
    }),
  ];
}
