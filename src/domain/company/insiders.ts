import { z } from "zod";
import { Figure } from "../answers.ts";
import { outsideText } from "../outside-text.ts";

/**
 * Meaning of each transaction code.
 * @see https://www.sec.gov/about/forms/form4data.pdf, general instruction 8
 */
export const TRANSACTION_CODES = {
  P: "purchase on the open market or in private",
  S: "sale on the open market or in private",
  A: "grant or award from the company",
  C: "conversion of a derivative",
  D: "return to the company",
  E: "expiration of a short derivative",
  F: "shares withheld for the exercise price or taxes",
  G: "gift",
  H: "expiration of a long derivative with value received",
  I: "transaction at the discretion of a plan",
  J: "other",
  K: "equity swap",
  L: "small acquisition",
  M: "exercise or conversion of a derivative from the company",
  O: "exercise of a derivative out of the money",
  U: "tender in a change of control",
  W: "will or inheritance",
  X: "exercise of a derivative in or at the money",
  Z: "voting trust",
} as const;
export type TransactionCode = keyof typeof TRANSACTION_CODES;
export const isTransactionCode = (code: string): code is TransactionCode => code in TRANSACTION_CODES;
const CODES = Object.keys(TRANSACTION_CODES) as [TransactionCode, ...TransactionCode[]];
/** Codes of trades at a price that the insider chose. */
export const OPEN_MARKET: ReadonlySet<string> = new Set(["P", "S"]);

export const RELATIONS = ["director", "officer", "ten_percent_owner", "other"] as const;

/** One transaction of a Form 4. */
export const InsiderTrade = z.object({
  owner: z.string().describe("Name of the reporting owner"),
  relations: z.array(z.enum(RELATIONS)).describe("Relation to the company"),
  title: z.string().nullable().describe("Title of an officer"),
  joint_owners: z.number().int().describe("Further owners who report the same transaction"),
  date: z.iso.date().describe("Day of the transaction"),
  code: z.enum(CODES),
  direction: z.enum(["acquired", "disposed"]),
  security: z.string(),
  derivative: z.boolean().describe("true: an option or another right, not shares"),
  shares: Figure,
  price: Figure.describe("US dollars per share; null if the filing has none, as for most grants"),
  held_after: Figure.describe("Held after the transaction, in this security and form of ownership"),
  ownership: z.enum(["direct", "indirect"]).nullable(),
  plan: z.boolean().nullable().describe("true: under a Rule 10b5-1 plan; null before April 2023"),
  form: z.enum(["4", "4/A"]).describe("4/A: corrects an earlier filing; its rows replace the corrected ones"),
  filed: z.iso.date(),
  accession: z.string(),
});
export type InsiderTrade = z.infer<typeof InsiderTrade>;

/** Notice on text written by others, in every answer. */
export const INSIDER_OUTSIDE_TEXT = outsideText("owner, title and security");

/** Newest filings of insiders of a company. */
export interface InsiderFilings {
  /** Newest filing first. */
  readonly trades: readonly InsiderTrade[];
  /** Number of filings read, and of those that could not be read. */
  readonly read: number;
  readonly unread: number;
  /** True if older filings were not read. */
  readonly more: boolean;
}
