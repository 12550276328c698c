import { newYorkOffsetMs } from "../../lib/newyork.ts";

const HOUR_MS = 3_600_000;
const STANDARD_OFFSET_MS = 5 * HOUR_MS;

/** 00:00 UTC (epoch ms) of a date `YYYY-MM-DD`; null for one that no calendar has. */
export const parseIsoDate = (date: string): number | null => parseUtcTime(`${date}T00:00:00`);

/**
 * The instant (epoch ms) at which New York's clock shows `YYYY-MM-DDTHH:MM:SS`, for vendors that leave the zone out;
 * null for text that is no such time. The hour that clocks show twice is read as standard time.
 */
export function parseNewYorkTime(text: string): number | null {
  const shown = parseUtcTime(text);
  return shown === null ? null : shown - newYorkOffsetMs(shown + STANDARD_OFFSET_MS);
}

/** The instant at which a clock of UTC shows it. */
function parseUtcTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) return null;
  const at = Date.parse(`${text}Z`);
  // the 31st of a shorter month would be read as a day of the next
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(text) ? null : at;
}

/** The whole New York day of a date `YYYY-MM-DD`, epoch ms, its end not in it. */
export function newYorkDayRange(date: string): { readonly from: number; readonly until: number } {
  const noon = Date.parse(`${date}T12:00:00Z`);
  const from = noon - 12 * HOUR_MS - newYorkOffsetMs(noon);
  return { from, until: from + 24 * HOUR_MS };
}
