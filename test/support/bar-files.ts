import { sessionOf } from "../../src/market/calendar/calendar.ts";
import { openFiles } from "../../src/providers/files/open.ts";
import { stoppedClock } from "./context.ts";
import { csvFolder } from "./csv-folder.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date("2026-11-28T12:00:00Z");

/** Returns the dates of the first sessions from a date on. */
export function sessionDates(from: string, count: number): string[] {
  const dates: string[] = [];
  for (let day = Date.parse(from); dates.length < count; day += DAY) {
    const date = new Date(day).toISOString().slice(0, 10);
    if (sessionOf(date) !== null) dates.push(date);
  }
  return dates;
}

/** Returns New York's offset from UTC on a date with a session, hours. */
export const newYorkHours = (date: string): number =>
  (Date.parse(`${date}T09:30:00Z`) - sessionOf(date)!.open) / HOUR;

/** Formats an instant on the clock of an offset in hours: `2025-01-02T09:30:00`. */
export const wallTime = (time: number, hours: number): string =>
  new Date(time + hours * HOUR).toISOString().slice(0, 19);

/** Formats an instant with its offset in hours: `2025-01-02T09:30:00-05:00`. */
export const offsetTime = (time: number, hours: number): string =>
  `${wallTime(time, hours)}${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`;

/** Prices and volume of the bar with a number; each bar differs from the one before. */
export const figures = (index: number, volume = 1000): readonly number[] => {
  const open = 100 + (index % 7);
  return [open, open + 2.5, open - 1.25, open + (index % 2 === 0 ? 1.5 : -0.75), volume + index];
};

/** A file of bars under the usual header, one row for each written time. */
export const barFile = (times: readonly string[], header = "date,open,high,low,close,volume"): string =>
  [header, ...times.map((time, index) => [time, ...figures(index)].join(",")), ""].join("\n");

/** Reads all series of some files. `reason` is that of the first unused file, or of a folder without a usable one. */
export async function readFiles(files: Readonly<Record<string, string>>) {
  const dir = csvFolder(files);
  const opened = await openFiles({ dir, clock: stoppedClock(NOW) }).catch((cause: Error) => cause.message);
  if (typeof opened === "string") {
    const reason = /no usable file; [^:]+: (.*)\. Example:/.exec(opened)?.[1] ?? opened;
    return { series: [], reason, notes: [] };
  }
  const series = [];
  for (const { symbol, timeframe } of opened.report().series) {
    const member = opened.members.find((one) => one.symbol === symbol)!;
    const { bars, omitted = [] } = await opened.bars.history(member, { timeframe, limit: 1_000_000 });
    series.push({ symbol, timeframe, bars, omitted });
  }
  const { skipped, notes } = opened.report();
  return { series, reason: skipped[0]?.reason ?? null, notes: notes.map(({ note }) => note) };
}

/** Reads one file with one series: the starts of its bars as ISO 8601 to the minute; the reason if it is not used. */
export async function readStarts(name: string, text: string): Promise<string | readonly string[]> {
  const { series, reason } = await readFiles({ [name]: text });
  const [first] = series;
  if (first === undefined) return reason ?? "";
  return [...first.bars.time].map((time) => new Date(time).toISOString().slice(0, 16));
}
