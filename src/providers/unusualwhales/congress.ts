import { z } from "zod";
import { bandIn } from "../../domain/congress/amount-band.ts";
import type { Disclosure } from "../../domain/congress/congress.ts";
import type { DisclosureProvider } from "../../domain/congress/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { createRowIds, disclosuresOf, filingsBetween, parseFiledTicker } from "../shared/disclosure.ts";
import { OptionalText } from "../shared/fields.ts";
import { pageSize, rowsOf } from "../shared/rows.ts";
import { type UnusualWhalesSetup, unusualWhalesApi } from "./api.ts";

const PAGE_SIZE = 200;
const MAX_PAGES = 10;
/** Pages are read until the trades are this number of days older than the first requested filing date. */
const LAG_DAYS = 60;
const ASSET_TYPES: Readonly<Record<string, Disclosure["asset_type"]>> = {
  OP: "option",
  ST: "stock",
  EF: "fund",
};

const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const Row = z.object({
  name: OptionalText,
  reporter: OptionalText,
  ticker: OptionalText,
  issuer: OptionalText,
  txn_type: z.string(),
  amounts: z.string(),
  notes: OptionalText,
  transaction_date: Day,
  filed_at_date: Day,
  member_type: OptionalText,
});
type Row = z.infer<typeof Row>;
const Page = z.object({ data: rowsOf(Row) });

/**
 * Creates the provider of disclosures of both chambers from Unusual Whales, newest trade first, 200 a page, without
 * party and state. They are ordered by trade date, so the filing date from which they are complete is unknown. Of 120
 * calls a minute, 30 are used.
 * @see https://api.unusualwhales.com/docs, operation PublicApi.CongressController.congress_recent_trades
 */
export function unusualWhalesCongress(setup: UnusualWhalesSetup): DisclosureProvider {
  const get = unusualWhalesApi(setup);
  return {
    name: "unusualwhales",
    budget: { calls: 30, perMs: 60_000, atOnce: 2 },
    async call({ chamber, ticker, since, until }, { signal }) {
      const found = new Map<string, Disclosure>();
      const oldestTrade = dayAfter(since, -LAG_DAYS);
      let date: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = { limit: PAGE_SIZE, ticker: ticker ?? undefined, date };
        const { data: rows } = await get("/api/congress/recent-trades", Page, { query, signal });
        if (rows.length < pageSize(rows) / 2) throw new ProviderFailure("malformed", "rows of another shape");
        if (ticker !== null && rows.some((row) => parseFiledTicker(row.ticker) !== ticker))
          throw new ProviderFailure("malformed", "trades of another symbol");
        for (const trade of await tradesOf(rows)) found.set(trade.id, trade);
        const [oldest] = rows.map(({ transaction_date }) => transaction_date).sort();
        const last = pageSize(rows) < PAGE_SIZE || oldest === undefined;
        if (last || oldest === date || oldest < oldestTrade) break;
        date = oldest;
      }
      const trades = [...found.values()].filter((trade) => trade.chamber === chamber);
      return filingsBetween(trades, { since, until, completeFrom: null });
    },
  };
}

function tradesOf(rows: readonly Row[]): Promise<readonly Disclosure[]> {
  const idOf = createRowIds("unusualwhales");
  return disclosuresOf(rows, (row) => {
    const { txn_type, amounts, notes, transaction_date, filed_at_date, member_type: chamber } = row;
    const member = row.name ?? row.reporter ?? "";
    if ((chamber !== "house" && chamber !== "senate") || member === "") return null;
    return {
      id: idOf([chamber, member, filed_at_date, transaction_date, row.ticker, txn_type, amounts, notes]),
      chamber,
      member,
      ticker: parseFiledTicker(row.ticker),
      asset: notes ?? row.ticker ?? "",
      assetType: ASSET_TYPES[/\[([A-Z]{2})\]/.exec(notes ?? "")?.[1] ?? ""] ?? null,
      typeText: txn_type,
      ownerText: row.issuer,
      amount: bandIn(amounts),
      amountText: amounts,
      traded: transaction_date,
      filed: filed_at_date,
    };
  });
}
