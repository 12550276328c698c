import { z } from "zod";
import { Count, Detail, Iso, intBetween, NextCursor, SymbolText, withTimeProblem } from "../answers.ts";
import { Ratio, Usd } from "../figures.ts";
import { outsideText } from "../outside-text.ts";
import { ofKind } from "../recognisers/field-kinds.ts";

/** Maximum trades per page. */
const MAX_TRADES = 200;
export const MAX_CURSOR_LENGTH = 600;

export const Chamber = z.enum(["house", "senate"]).describe("house or senate");
export type Chamber = z.infer<typeof Chamber>;

export const Party = z.enum(["D", "R", "I"]).describe("D, R or I");
export type Party = z.infer<typeof Party>;

const isDay = (text: string): boolean => {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};
/** Date in a filing. */
export const Day = ofKind(
  z
    .string()
    .regex(/^(?:19|20)\d{2}-\d{2}-\d{2}$/, {
      error: ({ input }) => withTimeProblem(input, "must be a date such as 2026-06-30"),
    })
    .refine(isDay, "is not a date on the calendar"),
  "day",
);

const Amount = z.object({
  low: Usd.describe("US dollars"),
  high: Usd.nullable().describe("null: no upper end"),
  label: z.string(),
});

export const CongressTrade = z.object({
  id: z.string(),
  ticker: z.string().nullable().describe("null: the filing names none"),
  asset: z.string().describe("As written in the filing; outside text"),
  asset_type: z
    .enum(["stock", "fund", "option", "bond", "crypto", "other"])
    .nullable()
    .describe("option: a buy may be the purchase of a put; `asset` may say which option"),
  type: z.enum(["buy", "sell", "exchange"]),
  partial: z.boolean().nullable().describe("true: part of the position was sold; null: not stated"),
  member: z.string().describe("Name of the filer; outside text"),
  member_id: z.string().nullable().describe("Bioguide id"),
  party: Party.nullable(),
  chamber: Chamber,
  state: z.string().nullable(),
  owner: z.enum(["self", "spouse", "joint", "child"]).nullable(),
  amount: Amount.nullable().describe("A range: exact amounts are not disclosed"),
  transaction_date: z.string().nullable(),
  filing_date: z.string().describe("When it became public"),
  days_to_file: z.number().int().nullable(),
  late: z.boolean().nullable().describe("Filed more than 45 days after the trade, the legal limit"),
  amended: z.boolean().describe("Corrects an earlier filing"),
  doc_url: z.string().nullable().describe("Outside text"),
  missing: z.string().nullable().describe("Why a field is null"),
});
export type CongressTrade = z.infer<typeof CongressTrade>;

/** A trade with the text of its filing. */
export const Disclosure = CongressTrade.extend({
  as_filed: z
    .object({ type: z.string(), amount: z.string(), owner: z.string().nullable() })
    .describe("Outside text"),
});
export type Disclosure = z.infer<typeof Disclosure>;

/** A filing whose trades could not be read, such as a scanned one. */
export const UnreadFiling = z.object({
  doc_id: z.string(),
  member: z.string().describe("Outside text"),
  chamber: Chamber,
  filing_date: z.string(),
  doc_url: z.string().nullable().describe("Outside text"),
  why: z.string(),
});
export type UnreadFiling = z.infer<typeof UnreadFiling>;

const Covered = z.object({
  covered: z.boolean(),
  source: z.string().nullable(),
  since: z.string().nullable().describe("Oldest filing date stored"),
  reason: z.string().nullable().describe("Why it is not fully covered"),
});
export type Covered = z.infer<typeof Covered>;

/** Coverage and provider of each chamber. */
export const Coverage = z.object({ house: Covered, senate: Covered });
export type Coverage = z.infer<typeof Coverage>;

/** Provenance of an answer about disclosures. */
export const DisclosureOrigin = z.object({
  source: z.string().nullable().describe("`sample` is simulated; null: no provider is connected"),
  fetched_at: Iso.nullable().describe(
    "When the provider last responded; with two providers, the earlier time",
  ),
  as_of: z.string().nullable().describe("Newest stored filing date, no later than the last day requested"),
  stale: z.boolean().describe("true: out of date, because no provider responds"),
  coverage: Coverage,
});
export type DisclosureOrigin = z.infer<typeof DisclosureOrigin>;

/** Completeness of the stored filings for the requested days and chambers. */
export const DataCompleteness = z.object({
  held: z
    .enum(["complete", "part", "none"])
    .describe(
      "Requested days and chambers that are stored. complete: all; part: some; none: figures are null",
    ),
  held_reason: z.string().nullable().describe("What is missing; null if complete"),
});
export type DataCompleteness = z.infer<typeof DataCompleteness>;

/** Input fields of a tool that pages through disclosures; `limits`: default rows per page by detail. */
export const disclosureQuery = (limits: { readonly full: number; readonly concise: number }) => ({
  ticker: SymbolText.optional().describe("Only this stock, fund or token"),
  chamber: Chamber.optional().describe("Only this chamber: house or senate"),
  from: Day.optional().describe("First filing date, at most 1,830 days ago. Default: 365 days ago."),
  to: Day.optional().describe("Last filing date. Default: today."),
  limit: intBetween(1, MAX_TRADES)
    .optional()
    .describe(
      `Rows per page, at most ${MAX_TRADES}. Default: ${limits.full}. With detail concise: at most ${limits.concise}.`,
    ),
  cursor: ofKind(z.string().max(MAX_CURSOR_LENGTH), "cursor")
    .optional()
    .describe("next_cursor of the previous page"),
  detail: Detail,
});

/** Output fields of a tool that pages through disclosures. */
export const DisclosurePage = {
  count: Count.describe("Rows on this page"),
  total: Count.nullable().describe("Rows on all pages; null: no filings are stored for these days"),
  ...DataCompleteness.shape,
  from: z.string(),
  to: z.string(),
  next_cursor: NextCursor,
  reason: z.string().nullable().describe("Why there are no rows"),
  notes: z.array(z.string()),
  ...DisclosureOrigin.shape,
} as const;

/**
 * Balance of disclosed purchases and sales, with the numbers behind it; all null if no filings of the requested days
 * are stored.
 */
export const Lean = z.object({
  signal: z
    .enum(["BUYING", "SELLING", "NEUTRAL"])
    .nullable()
    .describe(
      "null: no filings are stored for these days, or only a part without countable trades; null does not mean NEUTRAL",
    ),
  lean: Ratio.nullable().describe("-1 all sold, 1 all bought; null: nothing counted"),
  members: z
    .object({
      buying: z.number().int(),
      selling: z.number().int(),
      even: z.number().int(),
    })
    .nullable(),
  trades: z.object({ buys: z.number().int(), sells: z.number().int() }).nullable(),
  usd: z.object({ bought: Usd, sold: Usd, net: Usd }).nullable().describe("Midpoints"),
  left_out: z
    .object({
      exchanges: z.number().int(),
      options: z.number().int(),
      other_assets: z.number().int(),
      no_amount: z.number().int(),
      corrections: z.number().int().describe("Trades already in an earlier filing"),
    })
    .nullable()
    .describe("Trades not counted"),
  rule: z.string(),
  reason: z
    .string()
    .nullable()
    .describe("Limits of the result: a single chamber, why it is NEUTRAL or null, and missing filings"),
});
export type Lean = z.infer<typeof Lean>;
type Counts = "members" | "trades" | "usd" | "left_out";
/** Balance of stored trades, with all numbers. */
export type CountedLean = Omit<Lean, Counts> & { [name in Counts]: NonNullable<Lean[name]> };

/** Notice on text written by filers, in every answer with rows. */
export const FILED_OUTSIDE_TEXT = outsideText("asset, member and doc_url");
export const RAW_OUTSIDE_TEXT = outsideText("asset, member, as_filed and doc_url");

export const TickerLean = z.object({
  ticker: z.string(),
  buying: z.number().int(),
  selling: z.number().int(),
  lean: Ratio.describe("-1 all sold, 1 all bought"),
  net_usd: Usd.describe("Bought minus sold"),
});
export type TickerLean = z.infer<typeof TickerLean>;
