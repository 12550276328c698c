import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { Figure } from "../shared/fields.ts";
import { readPages } from "../shared/pages.ts";
import { rowsOf } from "../shared/rows.ts";
import { isoDay } from "../shared/timestamps.ts";
import { type AlpacaSetup, alpacaApi } from "./api.ts";

const DAY = 86_400_000;
const PAGE_SIZE = 10_000;
const MAX_PAGES = 3;
/** Without a last date, only options that expire by the next weekend are listed. */
const LONGEST_LIFE_DAYS = 1_200;
/** Keys of paper accounts begin with it; each kind of account has its own host. */
const PAPER_KEY = "PK";

const Contract = z.object({
  symbol: z.string(),
  open_interest: Figure.refine((count) => count >= 0).nullish(),
});
type Contract = z.infer<typeof Contract>;
const Contracts = z.object({
  option_contracts: rowsOf(Contract),
  next_page_token: z.string().nullish(),
});

interface OpenInterestSetup extends AlpacaSetup {
  readonly tradingUrl?: string | undefined;
}

/**
 * Returns a function that reads the open interest of the options on a ticker, by option symbol, from the list of
 * contracts of the trading API. It is empty if that API fails, or if only the URL of the market data was replaced.
 * @see https://docs.alpaca.markets/reference/get-options-contracts
 */
export function createOpenInterest(
  setup: OpenInterestSetup,
): (ticker: string, signal: AbortSignal) => Promise<ReadonlyMap<string, number>> {
  const own = `https://${setup.key.startsWith(PAPER_KEY) ? "paper-api" : "api"}.alpaca.markets`;
  const baseUrl = setup.tradingUrl ?? (setup.baseUrl === undefined ? own : null);
  if (baseUrl === null) return async () => new Map();
  const get = alpacaApi({ ...setup, baseUrl });
  return async (ticker, signal) => {
    const query = {
      underlying_symbols: ticker,
      expiration_date_gte: isoDay(setup.now() - DAY),
      expiration_date_lte: isoDay(setup.now() + LONGEST_LIFE_DAYS * DAY),
      limit: PAGE_SIZE,
    };
    const rows = await readPages<Contract, string>(
      async (token) => {
        const page = await get("/v2/options/contracts", Contracts, {
          query: { ...query, page_token: token ?? undefined },
          signal,
        });
        return { rows: page.option_contracts, next: page.next_page_token ?? null };
      },
      { maxPages: MAX_PAGES, unit: "contracts" },
    ).catch((cause: unknown) => {
      if (cause instanceof ProviderFailure && !signal.aborted) return [];
      throw cause;
    });
    return new Map(
      rows.flatMap(({ symbol, open_interest: count }) => (count == null ? [] : [[symbol, count] as const])),
    );
  };
}
