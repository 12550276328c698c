import { z } from "zod";
import { bandIn } from "../../domain/congress/amount-band.ts";
import type { Chamber, Disclosure } from "../../domain/congress/congress.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import {
  createRowIds,
  parseAssetType,
  parseFiledTicker,
  parseOwner,
  parseTradeType,
  toDisclosure,
} from "../shared/disclosure.ts";

const OptionalText = z.string().nullish();
const Day = z.string().regex(/^\d{4}-\d\d-\d\d/);
const Row = z.object({
  symbol: OptionalText,
  disclosureDate: Day,
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
});
/** A trade as the vendor tells it. */
export type Row = z.infer<typeof Row>;

/** The rows of a page. Throws where it is none, or a refusal, which comes with status 200 too. */
export function parseRows(body: unknown): readonly Row[] {
  const refused = z.object({ "Error Message": z.string() }).safeParse(body);
  if (refused.success) throw refusal(refused.data["Error Message"]);
  const read = z.array(Row).safeParse(body);
  if (!read.success)
    throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
  return read.data;
}

const refusal = (words: string): ProviderFailure =>
  /limit/i.test(words)
    ? new ProviderFailure("rate_limited", "too many calls")
    : new ProviderFailure("auth", "a key that is wrong, or lacks the right");

/**
 * Pages of rows as disclosures. Rows alike on one page are several trades; a row that is on two pages has slid from one to the next
 * while they were turned, and is one.
 */
export const disclosuresOf = (
  pages: readonly (readonly Row[])[],
  chamber: Chamber,
): readonly Disclosure[] => [
  ...new Map(pages.flatMap((rows) => pageOf(rows, chamber)).map((trade) => [trade.id, trade])).values(),
];

function pageOf(rows: readonly Row[], chamber: Chamber): readonly Disclosure[] {
  const name = createRowIds("fmp");
  return rows.flatMap((row) => {
    const type = parseTradeType(row.type);
    if (type === null) return [];
    const filed = row.disclosureDate.slice(0, 10);
    const member = [row.firstName, row.lastName].filter((part) => part != null && part !== "").join(" ");
    const ticker = parseFiledTicker(row.symbol);
    return [
      toDisclosure({
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
        assetType: parseAssetType(row.assetType),
        owner: parseOwner(row.owner),
        amount: bandIn(row.amount),
        traded: /^\d{4}-\d\d-\d\d/.exec(row.transactionDate ?? "")?.[0] ?? null,
        filed,
        docUrl: row.link ?? null,
        asFiled: { type: row.type, amount: row.amount, owner: row.owner ?? null },
      }),
    ];
  });
}
