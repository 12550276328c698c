import { z } from "zod";
import { bandIn } from "../../domain/congress/amount-band.ts";
import type { Disclosure } from "../../domain/congress/congress.ts";
import type { FilingsProvider } from "../../domain/congress/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { dayAfter } from "../../lib/day-after.ts";
import {
  createRowIds,
  parseAssetType,
  parseFiledTicker,
  parseOwner,
  parseTradeType,
  toDisclosure,
} from "../shared/disclosure.ts";
import { createClient, type UnusualWhalesSetup } from "./client.ts";

const ROWS = 200;
const MAX_PAGES = 10;
/** Days that trades may be older than their filing for which pages are turned back. */
const LAG_DAYS = 60;

const OptionalText = z.string().nullish();
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
const Answer = z.object({ data: z.array(z.unknown()) });

/**
 * Disclosures of both chambers by Unusual Whales, newest trade first, 200 a page. Its rows name no party and no state, and are
 * ordered by trade date, so it does not say from which filing on they are whole. Of 120 calls a minute 30 are used.
 * @see https://api.unusualwhales.com/docs, operation PublicApi.CongressController.congress_recent_trades
 */
export function unusualWhalesCongress(setup: UnusualWhalesSetup): FilingsProvider {
  const ask = createClient(setup);

  async function page(query: Readonly<Record<string, string | number>>, signal: AbortSignal) {
    const { data } = await ask("/api/congress/recent-trades", Answer, { limit: ROWS, ...query }, signal);
    const rows = data.flatMap((row) => Row.safeParse(row).data ?? []);
    if (rows.length < data.length / 2) throw new ProviderFailure("malformed", "rows of another shape");
    return { rows, full: data.length >= ROWS };
  }

  return {
    name: "unusualwhales",
    budget: { calls: 30, perMs: 60_000, atOnce: 2 },
    async call({ chamber, ticker, since, until }, { signal }) {
      const found = new Map<string, Disclosure>();
      const about = ticker === null ? {} : { ticker };
      const oldestOfInterest = dayAfter(since, -LAG_DAYS);
      let date: string | null = null;
      for (let turned = 0; turned < MAX_PAGES; turned++) {
        const { rows, full } = await page({ ...about, ...(date !== null && { date }) }, signal);
        if (ticker !== null && rows.some((row) => parseFiledTicker(row.ticker) !== ticker))
          throw new ProviderFailure("malformed", "trades of another symbol");
        const name = createRowIds("unusualwhales");
        for (const row of rows) for (const one of disclosureOf(row, name)) found.set(one.id, one);
        const oldest = rows.map(({ transaction_date }) => transaction_date).sort()[0];
        if (!full || oldest === undefined || oldest === date || oldest < oldestOfInterest) break;
        date = oldest;
      }
      const trades = [...found.values()].filter(
        (trade) => trade.chamber === chamber && trade.filing_date >= since && trade.filing_date <= until,
      );
      return { trades, unread: [], read: [], completeFrom: null, more: false };
    },
  };
}

function disclosureOf(row: Row, name: ReturnType<typeof createRowIds>): readonly Disclosure[] {
  const { txn_type, amounts, notes, transaction_date, filed_at_date } = row;
  const chamber = row.member_type === "house" || row.member_type === "senate" ? row.member_type : null;
  const type = parseTradeType(txn_type);
  const member = row.name ?? row.reporter ?? "";
  if (chamber === null || type === null || member === "") return [];
  const ticker = parseFiledTicker(row.ticker);
  const code = /\[([A-Z]{2})\]/.exec(notes ?? "")?.[1];
  return [
    toDisclosure({
      ...type,
      id: name([chamber, member, filed_at_date, transaction_date, row.ticker, txn_type, amounts, notes]),
      chamber,
      member,
      state: null,
      ticker,
      asset: notes ?? row.ticker ?? "",
      assetType: parseAssetType(
        code === "OP" ? "option" : code === "ST" ? "stock" : code === "EF" ? "fund" : null,
      ),
      owner: parseOwner(row.issuer),
      amount: bandIn(amounts),
      traded: transaction_date,
      filed: filed_at_date,
      docUrl: null,
      asFiled: { type: txn_type, amount: amounts, owner: row.issuer ?? null },
    }),
  ];
}
