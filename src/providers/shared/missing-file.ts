import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { sessionOn } from "../../market/calendar/calendar.ts";
import { isoDay } from "./timestamps.ts";

const DAY = 86_400_000;
/** Ages in days, before the missing date, from which other files are tried. */
const OTHER_AGES = [7, 21] as const;

/** HTTP statuses with which a file store reports that it has no such file. */
export const MISSING_FILE_STATUSES: readonly number[] = [403, 404];

/**
 * Returns true for the XML error of a file store that has no such file. Stores that hide their list of files send
 * `AccessDenied` for it. Any other 403 comes from a firewall.
 */
export const isMissingFile = (status: number, body: string): boolean =>
  MISSING_FILE_STATUSES.includes(status) &&
  /^\s*(<\?xml[^>]*>\s*)?<Error\b[\s\S]{0,2000}?<Code>\s*(AccessDenied|NoSuchKey)\s*<\/Code>/.test(
    body.replace(/^\uFEFF/, ""),
  );

/**
 * Checks that an earlier day's file exists, because a store that refuses everything also sends the error of a missing
 * file. `exists` requests the file of a date. @throws ProviderFailure "blocked" if the files of two earlier sessions are
 * missing too
 */
export async function assertEarlierFile(
  date: string,
  exists: (date: string) => Promise<boolean>,
): Promise<void> {
  for (const age of OTHER_AGES) {
    const earlier = sessionBefore(Date.parse(date) - age * DAY);
    if (earlier !== null && (await exists(earlier))) return;
  }
  throw new ProviderFailure("blocked", "every day is refused, so that no day counts as missing");
}

/** Returns the date of the newest session at or before a day (epoch ms); null if there is none within nine days. */
function sessionBefore(day: number): string | null {
  for (let at = day; at > day - 10 * DAY; at -= DAY) if (sessionOn(at) !== null) return isoDay(at);
  return null;
}
