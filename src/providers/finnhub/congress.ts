import { z } from "zod";
import { bandOf } from "../../domain/congress/amount-band.ts";
import type { Chamber } from "../../domain/congress/congress.ts";
import type { FilingsProvider } from "../../domain/congress/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import {
  createRowIds,
  parseFiledTicker,
  parseOwner,
  parseTradeType,
  toDisclosure,
} from "../shared/disclosure.ts";
import { createHttpClient } from "../shared/http-client.ts";
import { BASE_URL, type FinnhubSetup } from "./client.ts";

const OptionalText = z.string().nullish();
const Day = z.string().regex(/^\d{4}-\d\d-\d\d/);
const Answer = z.object({
  symbol: z.string(),
  data: z.array(
    z.object({
      amountFrom: z.number().nullish(),
      amountTo: z.number().nullish(),
      assetName: OptionalText,
      filingDate: Day,
      name: z.string(),
      ownerType: OptionalText,
      position: OptionalText,
      symbol: OptionalText,
      transactionDate: OptionalText,
      transactionType: z.string(),
    }),
  ),
});
type Row = z.infer<typeof Answer>["data"][number];

/**
 * Disclosures of one ticker by Finnhub, which a paid key is for. Rows name the position of who filed, by which the chambers are told
 * apart; rows without one are of neither. One call is one ticker; of 60 calls a minute 20 are used for it.
 * @see https://finnhub.io/docs/api/congressional-trading
 */
export function finnhubCongress({ key, ...setup }: FinnhubSetup): FilingsProvider {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json", "X-Finnhub-Token": key },
  });
  return {
    name: "finnhub",
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call({ chamber, ticker, since, until }, { signal }) {
      if (ticker === null) throw new ProviderFailure("unsupported", "it answers for one ticker at a time");
      const { body } = await wire.json("/api/v1/stock/congressional-trading", {
        query: { symbol: ticker, from: since, to: until },
        signal,
      });
      const read = Answer.safeParse(body);
      if (!read.success)
        throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
      if (parseFiledTicker(read.data.symbol) !== ticker)
        throw new ProviderFailure("malformed", "an answer about another symbol");
      const name = createRowIds("finnhub");
      const trades = read.data.data
        .filter(({ position }) => chamberOf(position) === chamber)
        .flatMap((row) => disclosureOf(row, { chamber, ticker, name }));
      return {
        trades: trades.filter(({ filing_date }) => filing_date >= since && filing_date <= until),
        unread: [],
        read: [],
        completeFrom: since,
        more: false,
      };
    },
  };
}

function chamberOf(position: string | null | undefined): Chamber | null {
  const plain = (position ?? "").toLowerCase();
  if (/senat/.test(plain)) return "senate";
  return /representative|house|congress(?:wo)?man|delegate/.test(plain) ? "house" : null;
}

function disclosureOf(
  row: Row,
  { chamber, ticker, name }: { chamber: Chamber; ticker: string; name: ReturnType<typeof createRowIds> },
) {
  const type = parseTradeType(row.transactionType);
  if (type === null) return [];
  const { amountFrom: low, amountTo: high, filingDate, transactionDate } = row;
  return [
    toDisclosure({
      ...type,
      id: name([chamber, row.name, filingDate, transactionDate, ticker, row.transactionType, low, high]),
      chamber,
      member: row.name,
      state: null,
      ticker,
      asset: row.assetName ?? ticker,
      assetType: null,
      owner: parseOwner(row.ownerType),
      amount: low == null ? null : bandOf(low, high == null || high <= low ? null : high),
      traded: /^\d{4}-\d\d-\d\d/.exec(transactionDate ?? "")?.[0] ?? null,
      filed: filingDate.slice(0, 10),
      docUrl: null,
      asFiled: {
        type: row.transactionType,
        amount: low == null ? "" : `${low} - ${high ?? ""}`,
        owner: row.ownerType ?? null,
      },
    }),
  ];
}
