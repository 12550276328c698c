import { newYorkDay } from "../../lib/newyork.ts";
import { sessionOf } from "../calendar/calendar.ts";

const DAY = 86_400_000;

/** Dates (`YYYY-MM-DD`) in New York on which US stocks trade, from one instant's date to another's (epoch ms), ascending. */
export function datesWithin({
  from,
  until,
}: {
  readonly from: number;
  readonly until: number;
}): readonly string[] {
  const dates: string[] = [];
  for (let day = newYorkDay(from); day <= newYorkDay(until); day += DAY) {
    const date = new Date(day).toISOString().slice(0, 10);
    if (sessionOf(date) !== null) dates.push(date);
  }
  return dates;
}
