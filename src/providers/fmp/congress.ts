import { z } from "zod";
import { bandIn } from "../../domain/congress/amount-band.ts";
import type { Chamber, Disclosure } from "../../domain/congress/congress.ts";
import type { DisclosureProvider } from "../../domain/congress/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { type ApiGet, createApi } from "../shared/api.ts";
import {
  createRowIds,
  disclosuresOf,
  filingsBetween,
  parseAssetType,
  parseFiledTicker,
} from "../shared/disclosure.ts";
import { DatedText, leadingDate, OptionalText } from "../shared/fields.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { pageSize, rowsOf } from "../shared/rows.ts";

const PAGE_SIZE = 100;
const MAX_PAGES = 20;

/** Error body; it may come with status 200 too. */
const Refusal = z.object({ "Error Message": z.string() });
const Page = rowsOf(
  z.object({
    symbol: OptionalText,
    disclosureDate: DatedText,
    transactionDate: OptionalText,
    firstName: OptionalText,
    lastName: OptionalText,
    office: OptionalText,
    district: OptionalText,
    owner: OptionalText,
    assetDescription: OptionalText,
    assetType: OptionalText,
    type: z.string(),
    amount: z.string(),
    link: OptionalText,
  }),
);
type Page = z.infer<typeof Page>;

export interface FmpSetup extends ProviderSetup {
  readonly key: string;
}

/**
 * Creates the provider of disclosures of both chambers from Financial Modeling Prep: the latest ones page by page, or
 * those of one ticker. Cheaper plans get only the first page of the latest ones. Political parties are
 * missing. Of the 250 calls a day of a free key, 100 are used.
 * @see https://site.financialmodelingprep.com/developer/docs#senate
 */
export function fmpCongress({ key, ...setup }: FmpSetup): DisclosureProvider {
  const get = createApi(setup, {
    baseUrl: "https://financialmodelingprep.com",
    headers: { apikey: key },
    refusal(body) {
      const refused = Refusal.safeParse(body).data;
      return refused === undefined ? null : /limit/i.test(refused["Error Message"]) ? "rate_limited" : "auth";
    },
  });
  return {
    name: "fmp",
    budget: { calls: 100, perMs: 86_400_000, atOnce: 2 },
    async call({ chamber, ticker, since, until }, { signal }) {
      if (ticker !== null) {
        const query = { symbol: ticker.replace(".", "-") };
        const page = await get(`/stable/${chamber}-trades`, Page, { query, signal });
        const trades = await pageTrades(page, chamber);
        const own = trades.filter((trade) => trade.ticker === ticker);
        if (trades.length > 0 && own.length === 0)
          throw new ProviderFailure("malformed", "trades of another symbol");
        return filingsBetween(own, { since, until, completeFrom: since });
      }
      const { pages, complete } = await readLatest(get, chamber, since, signal);
      // a row that appears on two pages, because it moved between two requests, is one trade
      const trades = new Map<string, Disclosure>();
      for (const page of pages)
        for (const trade of await pageTrades(page, chamber)) trades.set(trade.id, trade);
      const oldest = [...trades.values()].map(({ filing_date }) => filing_date).sort()[0];
      const completeFrom = complete ? since : oldest === undefined ? null : dayAfter(oldest);
      return filingsBetween([...trades.values()], { since, until, completeFrom });
    },
  };
}

/** Reads pages until one reaches back far enough, is shorter than a full page, or is refused (after the first). */
async function readLatest(
  get: ApiGet,
  chamber: Chamber,
  since: string,
  signal: AbortSignal,
): Promise<{ readonly pages: readonly Page[]; readonly complete: boolean }> {
  const path = `/stable/${chamber}-latest`;
  const pages: Page[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    let rows: Page;
    try {
      rows = await get(path, Page, { query: { page, limit: PAGE_SIZE }, signal });
    } catch (cause) {
      if (!(cause instanceof ProviderFailure) || cause.kind !== "auth") throw cause;
      if (page > 0) return { pages, complete: false };
      // a plan that does not allow these parameters returns a first page without them
      return { pages: [await get(path, Page, { signal })], complete: false };
    }
    pages.push(rows);
    if (pageSize(rows) < PAGE_SIZE || rows.at(-1)!.disclosureDate.slice(0, 10) < since)
      return { pages, complete: true };
  }
  return { pages, complete: false };
}

/** Converts the rows of one page to trades; identical rows on a page are separate trades. */
function pageTrades(page: Page, chamber: Chamber): Promise<readonly Disclosure[]> {
  const idOf = createRowIds("fmp");
  return disclosuresOf(page, (row) => {
    const { transactionDate, assetDescription, type, amount } = row;
    const filed = row.disclosureDate.slice(0, 10);
    const member = [row.firstName, row.lastName].filter((part) => part != null && part !== "").join(" ");
    const ticker = parseFiledTicker(row.symbol);
    return {
      id: idOf([chamber, member, filed, transactionDate, ticker, assetDescription, type, amount]),
      chamber,
      member: member === "" ? (row.office ?? "") : member,
      state: /^([A-Z]{2})\d{0,2}$/.exec((row.district ?? "").replace(/\s/g, ""))?.[1] ?? null,
      ticker,
      asset: assetDescription ?? ticker ?? "",
      assetType: parseAssetType(row.assetType),
      typeText: type,
      ownerText: row.owner,
      amount: bandIn(amount),
      amountText: amount,
      traded: leadingDate(transactionDate),
      filed,
      docUrl: row.link,
    };
  });
}
