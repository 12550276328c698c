import { z } from "zod";
import { bandIn } from "../../domain/amount-band.ts";
import type { Chamber, Disclosure } from "../../domain/congress.ts";
import type { FilingsProvider } from "../../market/live/filings.ts";
import { SourceFailure } from "../../market/live/source.ts";
import { disclosed, filedTicker, kindOf, naming, ownerOf, tradeType } from "../disclosed.ts";
import { createWire, type SourceSetup, type Wire } from "../wire.ts";

const BASE_URL = "https://financialmodelingprep.com";
const ROWS = 100;
const MOST_PAGES = 20;

const Words = z.string().nullish();
const Day = z.string().regex(/^\d{4}-\d\d-\d\d/);
const Row = z.object({
  symbol: Words,
  disclosureDate: Day,
  transactionDate: Words,
  firstName: Words,
  lastName: Words,
  office: Words,
  district: Words,
  owner: Words,
  assetDescription: Words,
  assetType: Words,
  type: z.string(),
  amount: z.string(),
  link: Words,
});
type Row = z.infer<typeof Row>;

export interface FmpSetup extends SourceSetup {
  readonly key: string;
}

/**
 * Disclosures of both chambers by Financial Modeling Prep: the latest ones page by page, or those of one ticker. Cheaper
 * plans give one page of the latest alone, which is then all that is told. It names no party. Of 250 calls a day of a free key 100
 * are used; a page is one call.
 * @see https://site.financialmodelingprep.com/developer/docs#senate
 */
export function fmpCongress({ key, ...setup }: FmpSetup): FilingsProvider {
  const wire = createWire({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json", apikey: key },
  });
  return {
    name: "fmp",
    budget: { calls: 100, perMs: 86_400_000, atOnce: 2 },
    async ask({ chamber, ticker, since, until }, { signal }) {
      const told =
        ticker === null
          ? await latest(wire, chamber, since, signal)
          : {
              rows: await rowsOf(wire, `${chamber}-trades`, { symbol: ticker.replace(".", "-") }, signal),
              whole: true,
            };
      const trades = disclosuresOf(told.rows, chamber);
      if (ticker !== null && trades.some((trade) => trade.ticker !== ticker))
        throw new SourceFailure("malformed", "trades of another symbol");
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
async function latest(wire: Wire, chamber: Chamber, since: string, signal: AbortSignal) {
  const rows: Row[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    let more: readonly Row[];
    try {
      more = await rowsOf(wire, `${chamber}-latest`, { page, limit: ROWS }, signal);
    } catch (cause) {
      if (!(cause instanceof SourceFailure) || cause.kind !== "auth") throw cause;
      if (page > 0) return { rows, whole: false };
      // a plan without the parameters gives its own first page
      return { rows: await rowsOf(wire, `${chamber}-latest`, {}, signal), whole: false };
    }
    rows.push(...more);
    if (more.length < ROWS || more.at(-1)!.disclosureDate.slice(0, 10) < since) return { rows, whole: true };
  }
  return { rows, whole: false };
}

async function rowsOf(
  wire: Wire,
  path: string,
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const { body } = await wire.json(`/stable/${path}`, { query, signal });
  const refused = z.object({ "Error Message": z.string() }).safeParse(body);
  if (refused.success) throw refusal(refused.data["Error Message"]);
  const read = z.array(Row).safeParse(body);
  if (!read.success)
    throw new SourceFailure("malformed", "another answer than documented", { cause: read.error });
  return read.data;
}

/** Refusals come with status 200 too. */
const refusal = (words: string): SourceFailure =>
  /limit/i.test(words)
    ? new SourceFailure("rate_limited", "too many calls")
    : new SourceFailure("auth", "a key that is wrong, or lacks the right");

function disclosuresOf(rows: readonly Row[], chamber: Chamber): readonly Disclosure[] {
  const name = naming("fmp");
  return rows.flatMap((row) => {
    const type = tradeType(row.type);
    if (type === null) return [];
    const filed = row.disclosureDate.slice(0, 10);
    const member = [row.firstName, row.lastName].filter((part) => part != null && part !== "").join(" ");
    const ticker = filedTicker(row.symbol);
    return [
      disclosed({
        ...type,
        id: name([
          chamber,
          member,
          filed,
          row.transactionDate,
          ticker,
          row.assetDescription,
          row.type,
          row.amount,
        ]),
        chamber,
        member: member === "" ? (row.office ?? "") : member,
        state: /^([A-Z]{2})\d{0,2}$/.exec((row.district ?? "").replace(/\s/g, ""))?.[1] ?? null,
        ticker,
        asset: row.assetDescription ?? ticker ?? "",
        assetType: kindOf(row.assetType),
        owner: ownerOf(row.owner),
        amount: bandIn(row.amount),
        traded: /^\d{4}-\d\d-\d\d/.exec(row.transactionDate ?? "")?.[0] ?? null,
        filed,
        docUrl: row.link ?? null,
        asFiled: { type: row.type, amount: row.amount, owner: row.owner ?? null },
      }),
    ];
  });
}

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
