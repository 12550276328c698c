import { type InsiderTrade, isTransactionCode, RELATIONS } from "../../domain/company/insiders.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { plainText } from "../../lib/plain-text.ts";
import { childrenOf, parseXml, textOf, type XmlElement } from "../shared/xml.ts";

const MAX_TEXT_LENGTH = 120;
const DATE = /^\d{4}-\d\d-\d\d/;
/** Element of each relation of an owner to the company. */
const FLAGS = {
  director: "isDirector",
  officer: "isOfficer",
  ten_percent_owner: "isTenPercentOwner",
  other: "isOther",
} as const satisfies Record<(typeof RELATIONS)[number], string>;

export type FilingFacts = Pick<InsiderTrade, "form" | "filed" | "accession">;

export interface Form4 extends Pick<FilingFacts, "form" | "filed"> {
  /** CIK of the company whose securities were traded. */
  readonly issuer: number;
  /** CIKs of the reporting owners; the name of an owner without one. */
  readonly owners: readonly string[];
  /** Day on which the amended original was filed; null if the document names none. */
  readonly original: string | null;
  /** true: the text says that the original left something out. */
  readonly addsRows: boolean;
  readonly trades: readonly InsiderTrade[];
}

const LEFT_OUT =
  /omit|left out|not (?:previously |been )*(?:reported|included)|(?:fail\w*|did not|neglected) (?:to )?(?:report|include)|additional (?:purchase|sale|transaction)/i;

/**
 * Returns the transactions of a Form 4 and what it amends; holdings and rows without date, code or direction are
 * skipped. Rejects a document without an issuer with ProviderFailure "malformed".
 * @see https://www.sec.gov/submit-filings/technical-specifications, EDGAR Ownership XML
 */
export function parseForm4(xml: string, filing: FilingFacts): Form4 {
  const [document] = childrenOf(parseXml(xml), "ownershipDocument");
  const issuer = Number(textOf(child(child(document, "issuer"), "issuerCik")) || Number.NaN);
  if (document === undefined || Number.isNaN(issuer))
    throw new ProviderFailure("malformed", "no ownership document of a company");
  const owners = childrenOf(document, "reportingOwner");
  const relation = child(owners[0], "reportingOwnerRelationship");
  const own = {
    owner: plainText(textOf(child(child(owners[0], "reportingOwnerId"), "rptOwnerName")), MAX_TEXT_LENGTH),
    relations: RELATIONS.filter((name) => flagOf(child(relation, FLAGS[name])) === true),
    title: plainText(textOf(child(relation, "officerTitle")), MAX_TEXT_LENGTH) || null,
    joint_owners: Math.max(0, owners.length - 1),
    plan: flagOf(child(document, "aff10b5One")),
    ...filing,
  };
  const rowsOf = (table: string, row: string, derivative: boolean) =>
    childrenOf(document, table)
      .flatMap((element) => childrenOf(element, row))
      .flatMap((element) => {
        const trade = tradeOf(element);
        return trade === null ? [] : [{ ...own, ...trade, derivative }];
      });
  const original = textOf(child(document, "dateOfOriginalSubmission"));
  const texts = [child(document, "remarks"), ...childrenOf(child(document, "footnotes"), "footnote")];
  return {
    form: filing.form,
    filed: filing.filed,
    issuer,
    owners: owners.map(ownerKey),
    original: DATE.test(original) ? original.slice(0, 10) : null,
    addsRows: texts.some((text) => LEFT_OUT.test(textOf(text))),
    trades: [
      ...rowsOf("nonDerivativeTable", "nonDerivativeTransaction", false),
      ...rowsOf("derivativeTable", "derivativeTransaction", true),
    ],
  };
}

function ownerKey(owner: XmlElement): string {
  const id = child(owner, "reportingOwnerId");
  return (
    textOf(child(id, "rptOwnerCik")).replace(/^0+/, "") || textOf(child(id, "rptOwnerName")).toLowerCase()
  );
}

function tradeOf(row: XmlElement) {
  const amounts = child(row, "transactionAmounts");
  const after = child(row, "postTransactionAmounts");
  const date = valueIn(row, "transactionDate");
  const code = textOf(child(child(row, "transactionCoding"), "transactionCode"));
  const direction = { A: "acquired", D: "disposed" } as const;
  const side = valueIn(amounts, "transactionAcquiredDisposedCode") as keyof typeof direction;
  if (!DATE.test(date) || !isTransactionCode(code) || !(side in direction)) return null;
  const nature = valueIn(child(row, "ownershipNature"), "directOrIndirectOwnership");
  return {
    date: date.slice(0, 10),
    code,
    direction: direction[side],
    security: plainText(valueIn(row, "securityTitle"), MAX_TEXT_LENGTH),
    shares: numberIn(amounts, "transactionShares"),
    price: numberIn(amounts, "transactionPricePerShare"),
    held_after: numberIn(after, "sharesOwnedFollowingTransaction"),
    ownership: nature === "D" ? ("direct" as const) : nature === "I" ? ("indirect" as const) : null,
  };
}

const child = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  childrenOf(element, name)[0];
const valueIn = (element: XmlElement | undefined, name: string): string =>
  textOf(child(child(element, name), "value"));

/** Returns a number that is not negative; null without one, as when a footnote stands in its place. */
function numberIn(element: XmlElement | undefined, name: string): number | null {
  const text = valueIn(element, name);
  const value = Number(text);
  return text === "" || !Number.isFinite(value) || value < 0 ? null : value;
}

/** Returns a flag written as 1, 0, true or false; null without one. */
function flagOf(element: XmlElement | undefined): boolean | null {
  const text = textOf(element).toLowerCase();
  if (text === "1" || text === "true") return true;
  return text === "0" || text === "false" ? false : null;
}
