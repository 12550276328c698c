import { newYorkDate, newYorkOffsetMs } from "../../lib/newyork.ts";
import { parseNewYorkTime, parseUtcTime } from "../shared/timestamps.ts";
import type { Submissions } from "./client.ts";

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

type Recent = Submissions["filings"]["recent"];
type Times = readonly (number | null)[];

/**
 * Returns the acceptance times of a list of filings, epoch ms; null for an unreadable one. All are labelled UTC, but the
 * times of some lists are New York times; a whole list agrees. Each filing votes for the only zone in which it was
 * accepted within EDGAR's hours and got its filing date, which is that of the next business day after 17:30, except for
 * reports of insiders. The majority decides, so that a stray time changes nothing; if there is none, the zone in which
 * more results were published at a usual hour, before the open or after the close; if both are equal, the later time,
 * so that no fact is known too early.
 */
export function acceptanceTimes(recent: Recent): Times {
  const texts = recent.acceptanceDateTime.map((text) => text.slice(0, 19));
  const utc: Times = texts.map(parseUtcTime);
  const newYork: Times = texts.map(parseNewYorkTime);
  const votes = texts.reduce((sum, _, i) => sum + voteOf(recent, i, utc[i]!, newYork[i]!), 0);
  return (votes || usualResults(recent, utc) - usualResults(recent, newYork)) > 0 ? utc : newYork;
}

/** Returns true for a results announcement: an 8-K with item 2.02. */
export const isRelease = ({ form, items }: Recent, i: number): boolean =>
  form[i]!.startsWith("8-K") && items[i]!.split(",").includes("2.02");

/** Returns 1 if only UTC fits the filing, -1 if only New York time does, else 0. */
function voteOf(recent: Recent, i: number, utc: number | null, newYork: number | null): number {
  const [form, filed] = [recent.form[i]!, recent.filingDate[i]!];
  return Number(fits(utc, form, filed)) - Number(fits(newYork, form, filed));
}

function fits(at: number | null, form: string, filed: string): boolean {
  if (at === null) return false;
  const clock = clockOf(at);
  if (clock < OPENS || clock > CLOSES) return false;
  const date = newYorkDate(at);
  return clock <= NEXT_DAY_AFTER || INSIDER_FORMS.test(form) ? filed === date : filed > date;
}

const usualResults = (recent: Recent, times: Times): number =>
  times.filter((at, i) => {
    if (at === null || !isRelease(recent, i)) return false;
    const clock = clockOf(at);
    return USUAL_HOURS.some(([from, until]) => clock >= from && clock <= until);
  }).length;

/** Returns the time of day in New York, ms. */
const clockOf = (at: number): number => (((at + newYorkOffsetMs(at)) % DAY) + DAY) % DAY;
