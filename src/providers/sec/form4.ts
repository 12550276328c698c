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

/**
 * Returns the transactions of a Form 4; holdings and rows without date, code or direction are skipped. Rejects a
 * document about another issuer with ProviderFailure "malformed".
 * @see https://www.sec.gov/submit-filings/technical-specifications, EDGAR Ownership XML
 */
export function parseForm4(xml: string, cik: number, filing: FilingFacts): readonly InsiderTrade[] {
  const [document] = childrenOf(parseXml(xml), "ownershipDocument");
  const issuer = child(child(document, "issuer"), "issuerCik");
  if (document === undefined || Number(textOf(issuer)) !== cik)
    throw new ProviderFailure("malformed", "no ownership document of this company");
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
    childrenOf(child(document, table), row).flatMap((element) => {
      const trade = tradeOf(element);
      return trade === null ? [] : [{ ...own, ...trade, derivative }];
    });
  return [
    ...rowsOf("nonDerivativeTable", "nonDerivativeTransaction", false),
    ...rowsOf("derivativeTable", "derivativeTransaction", true),
  ];
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
