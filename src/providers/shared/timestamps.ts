import { newYorkOffsetMs } from "../../lib/newyork.ts";

const HOUR_MS = 3_600_000;
const STANDARD_OFFSET_MS = 5 * HOUR_MS;

/** Returns the UTC date `YYYY-MM-DD` of an instant (epoch ms). */
export const isoDay = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

/** Returns 00:00 UTC (epoch ms) of a date `YYYY-MM-DD`; null for a date that does not exist. */
export const parseIsoDate = (date: string): number | null => parseUtcTime(`${date}T00:00:00`);

/** Converts `6/12/2026` and `06/12/2026` to `2026-06-12`; null for other text and for a date that does not exist. */
export function parseUsDate(text: string): string | null {
  const [, month = "", day = "", year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? [];
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return parseIsoDate(date) === null ? null : date;
}

/** Returns the UTC instant (epoch ms) of `20260805T121500`, with or without `Z`; NaN for other text. */
export const parseCompactTime = (text: string): number => {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/.exec(text) ?? [];
  return year === undefined ? Number.NaN : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
};

/**
 * Returns the instant (epoch ms) of a time with its zone, in ISO 8601 or as in mails and feeds; NaN for other text.
 * Without a zone, `Date.parse` would use that of this machine.
 */
export const parseZonedTime = (text: string): number =>
  /\d:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:z|ut|utc|gmt|[ecmp][sd]t|[+-]\d\d:?\d\d)$/i.test(text.trim())
    ? Date.parse(text)
    : Number.NaN;

/** Returns the instant (epoch ms) of a date or time; one in ISO 8601 without a zone is UTC. NaN for other text. */
export const parseTimeInUtc = (text: string): number =>
  Date.parse(text.trim().replace(/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/, "$1T$2Z"));

/**
 * Returns the instant (epoch ms) of the New York time `YYYY-MM-DDTHH:MM:SS`, also with a space; null for other text.
 * The hour that is repeated in autumn is read as standard time.
 */
export function parseNewYorkTime(text: string): number | null {
  const shown = parseUtcTime(text);
  return shown === null ? null : shown - newYorkOffsetMs(shown + STANDARD_OFFSET_MS);
}

/** Returns the instant (epoch ms) of the UTC time `YYYY-MM-DDTHH:MM:SS`, also with a space; null for other text. */
export function parseUtcTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d$/.test(text)) return null;
  const iso = text.replace(" ", "T");
  const at = Date.parse(`${iso}Z`);
  // Date.parse moves the 31st of a shorter month to the next one
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(iso) ? null : at;
}

/** Returns start and end (exclusive) of New York's day of a date `YYYY-MM-DD`, epoch ms. */
export function newYorkDayRange(date: string): { readonly from: number; readonly until: number } {
  const noon = Date.parse(`${date}T12:00:00Z`);
  const from = noon - 12 * HOUR_MS - newYorkOffsetMs(noon);
  return { from, until: from + 24 * HOUR_MS };
}
