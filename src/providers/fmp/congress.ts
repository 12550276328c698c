import type { Chamber } from "../../domain/congress/congress.ts";
import type { FilingsProvider } from "../../domain/congress/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { createHttpClient, type HttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { disclosuresOf, parseRows, type Row } from "./congress-rows.ts";

const BASE_URL = "https://financialmodelingprep.com";
const ROWS = 100;
const MAX_PAGES = 20;

export interface FmpSetup extends ProviderSetup {
  readonly key: string;
}

/**
 * Disclosures of both chambers by Financial Modeling Prep: the latest ones page by page, or those of one ticker. Cheaper
 * plans give one page of the latest alone, which is then all that is told. It names no party. Of 250 calls a day of a free key 100
 * are used; a page is one call.
 * @see https://site.financialmodelingprep.com/developer/docs#senate
 */
export function fmpCongress({ key, ...setup }: FmpSetup): FilingsProvider {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json", apikey: key },
  });
  return {
    name: "fmp",
    budget: { calls: 100, perMs: 86_400_000, atOnce: 2 },
    async call({ chamber, ticker, since, until }, { signal }) {
      const told =
        ticker === null
          ? await latest(wire, chamber, since, signal)
          : {
              pages: [await rowsOf(wire, `${chamber}-trades`, { symbol: ticker.replace(".", "-") }, signal)],
              whole: true,
            };
      const trades = disclosuresOf(told.pages, chamber);
      if (ticker !== null && trades.some((trade) => trade.ticker !== ticker))
        throw new ProviderFailure("malformed", "trades of another symbol");
      const oldest = trades.map(({ filing_date }) => filing_date).sort()[0];
      return {
        trades: trades.filter(({ filing_date }) => filing_date >= since && filing_date <= until),
        unread: [],
        read: [],
        completeFrom: told.whole ? since : oldest === undefined ? null : dayAfter(oldest),
        more: false,
      };
    },
  };
}

/** Pages until one reaches back far enough, is short, or is refused after the first. */
async function latest(wire: HttpClient, chamber: Chamber, since: string, signal: AbortSignal) {
  const pages: (readonly Row[])[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    let more: readonly Row[];
    try {
      more = await rowsOf(wire, `${chamber}-latest`, { page, limit: ROWS }, signal);
    } catch (cause) {
      if (!(cause instanceof ProviderFailure) || cause.kind !== "auth") throw cause;
      if (page > 0) return { pages, whole: false };
      // a plan without the parameters gives its own first page
      return { pages: [await rowsOf(wire, `${chamber}-latest`, {}, signal)], whole: false };
    }
    pages.push(more);
    if (more.length < ROWS || more.at(-1)!.disclosureDate.slice(0, 10) < since) return { pages, whole: true };
  }
  return { pages, whole: false };
}

async function rowsOf(
  wire: HttpClient,
  path: string,
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const { body } = await wire.json(`/stable/${path}`, { query, signal });
  return parseRows(body);
}
