import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { plainText } from "../../lib/plain-text.ts";

const MAX_NAME_LENGTH = 80;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** One periodic transaction report of the list. */
export interface ListedReport {
  readonly docId: string;
  readonly name: string;
  /** Two letters; null where the list has none. */
  readonly state: string | null;
  /** `YYYY-MM-DD`. */
  readonly filed: string;
}

/**
 * The periodic transaction reports of a year's list of filings, newest first. The list is flat XML; one that is cut off, or
 * of another shape, is a ProviderFailure "malformed". Members whose date or number cannot be read are left out.
 * @see https://disclosures-clerk.house.gov/FinancialDisclosure
 */
export function parseFilingList(xml: string): readonly ListedReport[] {
  const text = xml.replace(/^\uFEFF/, "").trim();
  if (/^<(!doctype )?html/i.test(text)) throw new ProviderFailure("blocked", "a page instead of data");
  if (!/<FinancialDisclosure>/.test(text) || !text.endsWith("</FinancialDisclosure>"))
    throw new ProviderFailure("malformed", "a list that was cut off, or none");
  const reports = text.split("<Member>").slice(1).flatMap(reportOf);
  return reports.sort((a, b) =>
    a.filed === b.filed ? Number(b.docId) - Number(a.docId) : a.filed < b.filed ? 1 : -1,
  );
}

function reportOf(member: string): readonly ListedReport[] {
  const field = (name: string): string =>
    decodeEntities(new RegExp(`<${name}>([^<]{0,200})</${name}>`).exec(member)?.[1] ?? "").trim();
  const filed = parseUsDate(field("FilingDate"));
  const docId = field("DocID");
  if (field("FilingType") !== "P" || filed === null || !/^\d{4,12}$/.test(docId)) return [];
  const name = [field("First"), field("Last"), field("Suffix")].filter((part) => part !== "").join(" ");
  const state = /^[A-Z]{2}/.exec(field("StateDst"))?.[0] ?? null;
  return [{ docId, name: plainText(name, MAX_NAME_LENGTH), state, filed }];
}

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|([a-z]+));/g, (whole, code: string | undefined, name: string | undefined) =>
    code !== undefined && Number(code) <= 0x10ffff
      ? String.fromCodePoint(Number(code))
      : (ENTITIES[name ?? ""] ?? whole),
  );

/** `6/12/2026` and `06/12/2026` as `2026-06-12`; null for a date that no calendar has. */
export function parseUsDate(american: string): string | null {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(american.trim()) ?? [];
  if (year === undefined) return null;
  const iso = `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}`;
  const at = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(iso) ? null : iso;
}
