import { z } from "zod";
import { Iso } from "../answers.ts";
import { Price, Ratio } from "../figures.ts";
import { outsideText } from "../outside-text.ts";

/** Lines of each statement, in its order. */
export const STATEMENT_LINES = {
  income: [
    "revenue",
    "cost_of_revenue",
    "gross_profit",
    "research_and_development",
    "operating_income",
    "income_tax",
    "net_income",
    "eps_basic",
    "eps_diluted",
    "shares_diluted",
  ],
  balance_sheet: [
    "cash",
    "current_assets",
    "assets",
    "current_liabilities",
    "liabilities",
    "long_term_debt",
    "equity",
  ],
  cash_flow: [
    "operating_cash_flow",
    "capital_expenditure",
    "investing_cash_flow",
    "financing_cash_flow",
    "dividends_paid",
    "share_repurchases",
  ],
} as const;
export type StatementName = keyof typeof STATEMENT_LINES;
export const LINES = [
  ...STATEMENT_LINES.income,
  ...STATEMENT_LINES.balance_sheet,
  ...STATEMENT_LINES.cash_flow,
] as const;
export type LineName = (typeof LINES)[number];

/** One figure of one filing: US dollars, dollars per share, or shares. */
export interface FiledFact {
  readonly line: LineName;
  /** Tag of the figure in the US-GAAP taxonomy. */
  readonly tag: string;
  /** Place of the tag among those of the line, the preferred one first. */
  readonly rank: number;
  /** First day of the period, `YYYY-MM-DD`; null for a balance at `end`. */
  readonly start: string | null;
  readonly end: string;
  readonly value: number;
  /** Form of the filing, such as 10-Q. */
  readonly form: string;
  /** Date of the filing, `YYYY-MM-DD`. */
  readonly filed: string;
  /** Accession number of the filing. */
  readonly accession: string;
}

/** Profile of a company, as it registered with the SEC. */
export const CompanyProfile = z.object({
  name: z.string(),
  cik: z
    .string()
    .nullable()
    .describe("Number under which the company files with the SEC, ten digits; null if simulated"),
  industry: z.string().nullable().describe("Industry by the SEC's SIC code"),
  exchanges: z.array(z.string()),
  state: z.string().nullable().describe("State of incorporation"),
  fiscal_year_end: z.string().nullable().describe("MM-DD"),
});
export type CompanyProfile = z.infer<typeof CompanyProfile>;

/** Notice on text written by others, in every answer. */
export const COMPANY_OUTSIDE_TEXT = outsideText("profile and form");

/** What a company has filed. */
export interface CompanyRecord {
  readonly profile: CompanyProfile;
  readonly facts: readonly FiledFact[];
  /** Sentences on figures that are missing or were filed under another CIK. Default: none. */
  readonly notes?: readonly string[];
}

export const StatementLine = z.object({
  line: z.enum(LINES),
  value: z.number().describe("US dollars, dollars per share (eps), or shares"),
  tag: z.string().describe("US-GAAP tag"),
  accession: z.string().describe("Filing that reported it, see `filings`"),
  derived: z.boolean().describe("true: computed as this period so far minus the quarters before it"),
});
export type StatementLine = z.infer<typeof StatementLine>;

export const Statement = z.object({
  start: z.iso.date().describe("First day of the period"),
  end: z.iso.date().describe("Last day of the period, and the day of the balance sheet"),
  income: z.array(StatementLine),
  balance_sheet: z.array(StatementLine),
  cash_flow: z.array(StatementLine),
  missing: z.array(z.enum(LINES)).describe("Lines without a figure under their usual US-GAAP tags"),
});
export type Statement = z.infer<typeof Statement>;

export const Filing = z.object({
  accession: z.string(),
  form: z.string(),
  filed: z.iso.date(),
});
export type Filing = z.infer<typeof Filing>;

/** Definition of each ratio; `ttm` is the sum of the newest four quarters, other figures are of the newest quarter. */
export const RATIO_DEFINITIONS = {
  price_to_earnings: "close x shares_diluted / ttm net_income; null for a loss",
  price_to_sales: "close x shares_diluted / ttm revenue",
  price_to_book: "close x shares_diluted / equity",
  free_cash_flow_yield:
    "100 x (ttm operating_cash_flow - ttm capital_expenditure) / (close x shares_diluted)",
  gross_margin: "100 x ttm gross_profit / ttm revenue",
  operating_margin: "100 x ttm operating_income / ttm revenue",
  net_margin: "100 x ttm net_income / ttm revenue",
  return_on_equity: "100 x ttm net_income / equity",
  return_on_assets: "100 x ttm net_income / assets",
  current_ratio: "current_assets / current_liabilities",
  liabilities_to_equity: "liabilities / equity",
  revenue_growth: "100 x (revenue / revenue of the same quarter a year before - 1)",
} as const;
export type RatioName = keyof typeof RATIO_DEFINITIONS;
export const RATIO_NAMES = Object.keys(RATIO_DEFINITIONS) as [RatioName, ...RatioName[]];

export const RatioRow = z.object({
  name: z.enum(RATIO_NAMES),
  value: Ratio.nullable(),
  definition: z.string().optional().describe("With detail full"),
  reason: z.string().nullable().describe("Why the value is null"),
});
export type RatioRow = z.infer<typeof RatioRow>;

/** Close to which the ratios with a price refer. */
export const RatioPrice = z.object({
  close: Price,
  closed_at: Iso,
  source: z.string(),
});
export type RatioPrice = z.infer<typeof RatioPrice>;
