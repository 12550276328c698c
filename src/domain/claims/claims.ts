import { z } from "zod";
import { plainText } from "../../lib/plain-text.ts";
import { Iso } from "../answers.ts";
import { Odds, Price, Ratio } from "../figures.ts";
import { AssetClass, PriceSource } from "../market/market.ts";
import { outsideText } from "../outside-text.ts";
import { Interval } from "../track-record/track.ts";

/** Longest name of an author. */
export const MAX_AUTHOR = 60;
/** Returns the name of an author as it is stored and shown. */
export const authorName = (text: string): string =>
  plainText(text.normalize("NFKC"), MAX_AUTHOR).replace(/\s+/g, " ");
/** Returns the key by which authors are compared: it ignores letter case, full-width letters and composed accents. */
export const authorKey = (text: string): string => authorName(text).toUpperCase().toLowerCase();
/** Name of an author as typed by a caller. */
export const AuthorText = z.string().trim().min(1).max(MAX_AUTHOR);
export const CLAIMS_OUTSIDE_TEXT = outsideText("names of authors");

export const ClaimRule = z
  .enum(["touch", "target_first", "close_beyond"])
  .describe(
    "touch: trades at the target; target_first: before the stop; close_beyond: closes there or beyond at the deadline",
  );
export type ClaimRule = z.infer<typeof ClaimRule>;

export const ClaimId = z
  .string()
  .regex(/^cl_[0-9a-f]{20}$/, "must be an id returned by record_claim: cl_ and 20 hexadecimal digits")
  .describe("Id in get_claims");

export const CLAIM_STATES = ["open", "right", "wrong", "not_entered", "unknown"] as const;
export const ClaimState = z
  .enum(CLAIM_STATES)
  .describe("not_entered: entry never traded; unknown: bars missing");

/** A dated claim about a later price, with its outcome. */
export const Claim = z.object({
  claim_id: z.string(),
  author: z.string().describe("Who said it"),
  symbol: z.string(),
  asset_class: AssetClass,
  side: z.enum(["LONG", "SHORT"]),
  rule: ClaimRule,
  price: Price.describe("USD, when it was recorded"),
  price_source: PriceSource,
  entry: Price.nullable().describe("USD; null: the price"),
  target: Price,
  stop: Price.nullable(),
  deadline: z.iso.date(),
  bars: z.number().int().describe("Bars that decide it"),
  base: Odds.nullable().describe("Share of past windows in which the same came true"),
  windows: z.number().int().describe("Behind base; they overlap"),
  data_as_of: Iso,
  recorded_at: Iso,
  withdrawn_at: Iso.nullable().describe("Counted all the same"),
  state: ClaimState,
  settled_at: Iso.nullable(),
});
export type Claim = z.infer<typeof Claim>;

/** Record of the claims of one author. */
export const AuthorRecord = z.object({
  author: z.string(),
  claims: z.number().int(),
  open: z.number().int(),
  withdrawn: z.number().int(),
  n: z.number().int().describe("Settled, with a base"),
  n_eff: z.number().int().describe("Overlapping ones count as one"),
  right: Ratio.nullable().describe("Share of n"),
  interval: Interval.describe("95% Wilson interval over n_eff"),
  base: Ratio.nullable().describe("Mean of these n"),
  without_base: z.object({ n: z.number().int(), right: Ratio.nullable() }).describe("Settled without a base"),
});
export type AuthorRecord = z.infer<typeof AuthorRecord>;
