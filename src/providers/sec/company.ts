import { z } from "zod";
import type { CompanyProfile, FiledFact, LineName } from "../../domain/company/facts.ts";
import type { CompanyProvider } from "../../domain/company/provider.ts";
import { plainText } from "../../lib/plain-text.ts";
import { displayText } from "../shared/display-text.ts";
import {
  ACCESSION,
  type CompanyFacts,
  createClient,
  digitsOf,
  Fact,
  factRows,
  type SecSetup,
} from "./client.ts";
import { readCompany } from "./company-filings.ts";
import { Cik } from "./filing-lists.ts";
import { TAGS } from "./quarters.ts";

const MAX_TEXT_LENGTH = 120;
const Text = z.string().transform((text) => displayText(text, MAX_TEXT_LENGTH));
const TextOrNull = Text.nullish().transform((text) => text || null);

/** The profile in a company's list of filings. */
const Profile = z.object({
  cik: Cik,
  name: Text,
  sicDescription: TextOrNull,
  exchanges: z
    .array(TextOrNull)
    .default([])
    .transform((exchanges) => exchanges.filter((exchange) => exchange !== null)),
  stateOfIncorporation: TextOrNull,
  fiscalYearEnd: z.string().nullish(),
});

/** US-GAAP tags of each line, the most common one first. */
const LINE_TAGS: Readonly<Record<LineName, readonly string[]>> = {
  revenue: TAGS.revenue,
  cost_of_revenue: ["CostOfRevenue", "CostOfGoodsAndServicesSold", "CostOfGoodsSold"],
  gross_profit: ["GrossProfit"],
  research_and_development: ["ResearchAndDevelopmentExpense"],
  operating_income: ["OperatingIncomeLoss"],
  income_tax: ["IncomeTaxExpenseBenefit"],
  net_income: TAGS.netIncome,
  eps_basic: ["EarningsPerShareBasic", "EarningsPerShareBasicAndDiluted"],
  eps_diluted: TAGS.eps,
  shares_diluted: TAGS.shares,
  cash: [
    "CashAndCashEquivalentsAtCarryingValue",
    "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents",
  ],
  current_assets: ["AssetsCurrent"],
  assets: ["Assets"],
  current_liabilities: ["LiabilitiesCurrent"],
  liabilities: ["Liabilities"],
  long_term_debt: ["LongTermDebtNoncurrent", "LongTermDebt"],
  equity: ["StockholdersEquity", "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest"],
  operating_cash_flow: ["NetCashProvidedByUsedInOperatingActivities"],
  capital_expenditure: ["PaymentsToAcquirePropertyPlantAndEquipment", "PaymentsToAcquireProductiveAssets"],
  investing_cash_flow: ["NetCashProvidedByUsedInInvestingActivities"],
  financing_cash_flow: ["NetCashProvidedByUsedInFinancingActivities"],
  dividends_paid: ["PaymentsOfDividends", "PaymentsOfDividendsCommonStock"],
  share_repurchases: ["PaymentsForRepurchaseOfCommonStock"],
};
const UNITS: Partial<Record<LineName, string>> = {
  eps_basic: "USD/shares",
  eps_diluted: "USD/shares",
  shares_diluted: "shares",
};

const FiledRow = Fact.extend({ accn: z.string().regex(ACCESSION) });

/**
 * Creates the provider of what US companies file with the SEC: profile and the main lines of their statements, each as
 * filed in every report. It makes two calls per company, four if the company had another CIK before, and one a day for
 * the list of tickers.
 * @see https://www.sec.gov/search-filings/edgar-application-programming-interfaces
 */
export function secCompany(setup: SecSetup): CompanyProvider {
  const client = createClient(setup);
  return {
    name: "sec",
    budget: { calls: 8, perMs: 1_000, atOnce: 4 },
    async call(instrument, { signal }) {
      const { cik, filings, before, facts, notes } = await readCompany(client, {
        instrument,
        shape: Profile,
        signal,
      });
      const all =
        before === null || notes.length > 0
          ? notes
          : [`Figures from before the company registered again were filed under CIK ${before.cik}`];
      return {
        profile: profileOf(digitsOf(cik), filings),
        facts: facts === null ? [] : filedFacts(facts),
        ...(all.length > 0 && { notes: all }),
      };
    },
  };
}

const profileOf = (cik: string, profile: z.infer<typeof Profile>): CompanyProfile => ({
  name: profile.name,
  cik,
  industry: profile.sicDescription,
  exchanges: profile.exchanges,
  state: profile.stateOfIncorporation,
  fiscal_year_end: /^\d{4}$/.test(profile.fiscalYearEnd ?? "")
    ? profile.fiscalYearEnd!.replace(/^(..)/, "$1-")
    : null,
});

const filedFacts = (facts: CompanyFacts): readonly FiledFact[] =>
  (Object.keys(LINE_TAGS) as LineName[]).flatMap((line) =>
    LINE_TAGS[line].flatMap((tag, rank) =>
      factRows(FiledRow, facts, tag, UNITS[line] ?? "USD").map(({ start, end, val, form, filed, accn }) => ({
        line,
        tag,
        rank,
        start: start ?? null,
        end,
        value: val,
        form: plainText(form, MAX_TEXT_LENGTH),
        filed,
        accession: accn,
      })),
    ),
  );
