import { unzipSync } from "fflate";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { plainText } from "../../lib/plain-text.ts";
import { parseUsDate } from "../shared/timestamps.ts";
import { childrenOf, parseXml, textOf, type XmlElement } from "../shared/xml.ts";

/** Maximum size of the extracted file; the list of a year has about a megabyte. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Extracts the first file of a zip archive whose name ends with `ending`.
 * @throws ProviderFailure "malformed" for an archive that is damaged, lacks the file, or declares it larger than 4 MB
 */
export function extractZipFile(zip: Uint8Array, ending: string): Uint8Array {
  let declaredSize = -1;
  try {
    const files = unzipSync(zip, {
      filter: ({ name, originalSize }) => {
        if (declaredSize !== -1 || !name.endsWith(ending)) return false;
        if (originalSize > MAX_BYTES) throw new Error("too large");
        declaredSize = originalSize;
        return true;
      },
    });
    const [content] = Object.values(files);
    if (content === undefined || content.length !== declaredSize) throw new Error("missing or cut off");
    return content;
  } catch (cause) {
    throw new ProviderFailure("malformed", "an archive that cannot be read", { cause });
  }
}

const MAX_NAME_LENGTH = 80;
const MAX_FIELD_LENGTH = 200;

/** One periodic transaction report of the list. */
export interface ListedReport {
  readonly docId: string;
  readonly name: string;
  /** State of the member, two letters; null if it is missing. */
  readonly state: string | null;
  /** `YYYY-MM-DD`. */
  readonly filed: string;
}

/**
 * Parses the periodic transaction reports in a year's list of filings, newest first. Entries without a readable date or
 * number are dropped.
 * @throws ProviderFailure "malformed" for a list that is truncated or has a different structure
 * @see https://disclosures-clerk.house.gov/FinancialDisclosure
 */
export function parseFilingList(xml: string): readonly ListedReport[] {
  const [list] = childrenOf(parseXml(xml), "FinancialDisclosure");
  if (list === undefined) throw new ProviderFailure("malformed", "a document that is not a list of filings");
  const reports = childrenOf(list, "Member").flatMap(reportOf);
  return reports.sort((a, b) =>
    a.filed === b.filed ? Number(b.docId) - Number(a.docId) : a.filed < b.filed ? 1 : -1,
  );
}

function reportOf(member: XmlElement): readonly ListedReport[] {
  const field = (name: string): string => textOf(childrenOf(member, name)[0]).slice(0, MAX_FIELD_LENGTH);
  const filed = parseUsDate(field("FilingDate"));
  const docId = field("DocID");
  if (field("FilingType") !== "P" || filed === null || !/^\d{4,12}$/.test(docId)) return [];
  const name = [field("First"), field("Last"), field("Suffix")].filter((part) => part !== "").join(" ");
  const state = /^[A-Z]{2}/.exec(field("StateDst"))?.[0] ?? null;
  return [{ docId, name: plainText(name, MAX_NAME_LENGTH), state, filed }];
}
