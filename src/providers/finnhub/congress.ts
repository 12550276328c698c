import { z } from "zod";
import { bandOf } from "../../domain/congress/amount-band.ts";
import type { Chamber } from "../../domain/congress/congress.ts";
import type { DisclosureProvider } from "../../domain/congress/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createRowIds, disclosuresOf, filingsBetween, parseFiledTicker } from "../shared/disclosure.ts";
import { DatedText, leadingDate, OptionalText } from "../shared/fields.ts";
import { rowsOf } from "../shared/rows.ts";
import { type FinnhubSetup, finnhubApi } from "./api.ts";

const Trades = z.object({
  symbol: z.string(),
  data: rowsOf(
    z.object({
      amountFrom: z.number().nullish(),
      amountTo: z.number().nullish(),
      assetName: OptionalText,
      filingDate: DatedText,
      name: z.string(),
      ownerType: OptionalText,
      position: OptionalText,
      symbol: OptionalText,
      transactionDate: OptionalText,
      transactionType: z.string(),
    }),
  ),
});

/**
 * Creates the provider of Finnhub's disclosures: one ticker per call, with a paid key only. The chamber follows from
 * the filer's position; rows without a position are dropped. Of 60 calls a minute, 20 are used.
 * @see https://finnhub.io/docs/api/congressional-trading
 */
export function finnhubCongress(setup: FinnhubSetup): DisclosureProvider {
  const get = finnhubApi(setup);
  return {
    name: "finnhub",
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call({ chamber, ticker, since, until }, { signal }) {
      if (ticker === null) throw new ProviderFailure("unsupported", "one ticker per request");
      const query = { symbol: ticker, from: since, to: until };
      const { symbol, data } = await get("/api/v1/stock/congressional-trading", Trades, { query, signal });
      if (parseFiledTicker(symbol) !== ticker)
        throw new ProviderFailure("malformed", "response about another symbol");
      const idOf = createRowIds("finnhub");
      const trades = await disclosuresOf(
        data.filter(({ position }) => chamberOf(position) === chamber),
        ({
          name,
          transactionType,
          transactionDate,
          filingDate,
          amountFrom: low,
          amountTo: high,
          ...row
        }) => ({
          id: idOf([chamber, name, filingDate, transactionDate, ticker, transactionType, low, high]),
          chamber,
          member: name,
          ticker,
          asset: row.assetName ?? ticker,
          assetType: null,
          typeText: transactionType,
          ownerText: row.ownerType,
          amount: low == null ? null : bandOf(low, high == null || high <= low ? null : high),
          amountText: low == null ? "" : `${low} - ${high ?? ""}`,
          traded: leadingDate(transactionDate),
          filed: filingDate.slice(0, 10),
        }),
      );
      return filingsBetween(trades, { since, until, completeFrom: since });
    },
  };
}

function chamberOf(position: string | null | undefined): Chamber | null {
  const title = (position ?? "").toLowerCase();
  if (/senat/.test(title)) return "senate";
  return /representative|house|congress(?:wo)?man|delegate/.test(title) ? "house" : null;
}
