import { newYorkDate, newYorkOffsetMs } from "../../lib/newyork.ts";
import { parseNewYorkTime, parseUtcTime } from "../shared/timestamps.ts";
import type { FilingPage } from "./client.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Times of day in New York between which EDGAR accepts filings, ms. */
const OPENS = 6 * HOUR;
const CLOSES = 22 * HOUR + MINUTE;
/** Time of day in New York after which a filing gets the date of the next business day, ms. */
const NEXT_DAY_AFTER = 17 * HOUR + 30 * MINUTE;
/** Reports of insiders, which keep the date of their day until EDGAR closes. */
const INSIDER_FORMS = /^(3|4|5|144)(\/A)?$/;
/** Times of day in New York at which companies usually publish results, ms. */
const USUAL_HOURS = [
  [OPENS, 9 * HOUR + 30 * MINUTE],
  [16 * HOUR, NEXT_DAY_AFTER],
] as const;

type Times = readonly (number | null)[];
/** Reads a time as a list writes it, `YYYY-MM-DDTHH:MM:SS`, in one convention; null for other text. */
type Convention = (text: string) => number | null;

/** Share of a list by which one convention must lead the others: up to it, stray times may explain the lead. */
const STRAY_SHARE = 0.05;
/** Conventions of the times of a list, the one with the latest times first. */
const CONVENTIONS: readonly Convention[] = [parseNewYorkTime, parseUtcTime, parseShiftedTwice];

/** A filing of a list, and its acceptance time in the header of the filing, epoch ms. */
export interface HeaderTime {
  readonly index: number;
  readonly at: number;
}

/**
 * Returns the acceptance times of a list of filings, epoch ms; null for an unreadable one. All are labelled UTC, but in
 * some lists they are New York times, and in others they are late by New York's offset, because it was added twice; a
 * whole list agrees. Each filing votes for the conventions in which it was accepted within EDGAR's hours and got its
 * filing date, which is that of the next business day after 17:30, except for reports of insiders. The majority
 * decides, unless a few stray times may explain it; then the convention in which more results were published at a usual
 * hour, before the open or after the close; if these are equal, the latest times, so that no fact is known too early.
 * The header of one filing overrules the vote: the list follows the convention that agrees with it.
 */
export function acceptanceTimes(page: FilingPage, header: HeaderTime | null = null): Times {
  const texts = page.acceptanceDateTime.map((text) => text.slice(0, 19));
  const readings = CONVENTIONS.map((read): Times => texts.map(read));
  if (header === null) return likeliest(page, readings);
  const agreeing = readings.find((times) => times[header.index] === header.at);
  return agreeing ?? likeliest(page, readings).with(header.index, header.at);
}

/** Returns true for a results announcement: an 8-K with item 2.02. */
export const isRelease = ({ form, items }: FilingPage, i: number): boolean =>
  form[i]!.startsWith("8-K") && items[i]!.split(",").includes("2.02");

function likeliest(page: FilingPage, readings: readonly Times[]): Times {
  const votes = readings.map(
    (times) => times.filter((at, i) => fits(at, page.form[i]!, page.filingDate[i]!)).length,
  );
  const needed = Math.max(...votes) - STRAY_SHARE * page.form.length;
  const leading = readings.filter((_, i) => votes[i]! >= needed);
  const usual = leading.map((times) => usualResults(page, times));
  return leading[usual.indexOf(Math.max(...usual))]!;
}

/** Returns the instant (epoch ms) of a UTC time to which New York's offset was added once too often. */
function parseShiftedTwice(text: string): number | null {
  const shown = parseUtcTime(text);
  return shown === null ? null : shown + newYorkOffsetMs(shown);
}

function fits(at: number | null, form: string, filed: string): boolean {
  if (at === null) return false;
  const clock = clockOf(at);
  if (clock < OPENS || clock > CLOSES) return false;
  const date = newYorkDate(at);
  return clock <= NEXT_DAY_AFTER || INSIDER_FORMS.test(form) ? filed === date : filed > date;
}

const usualResults = (page: FilingPage, times: Times): number =>
  times.filter((at, i) => {
    if (at === null || !isRelease(page, i)) return false;
    const clock = clockOf(at);
    return USUAL_HOURS.some(([from, until]) => clock >= from && clock <= until);
  }).length;

/** Returns the time of day in New York, ms. */
const clockOf = (at: number): number => (((at + newYorkOffsetMs(at)) % DAY) + DAY) % DAY;
