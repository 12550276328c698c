import { deadlineOf } from "../../analytics/contracts/dates.ts";

const DAY = 86_400_000;
const FRIDAY = 5;
const LONGEST_READ = 2_000;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const SPANS = ["week", "month", "quarter", "year"] as const;
type Span = (typeof SPANS)[number];

const WEEKDAY = new RegExp(`\\b(?:by|on|before|until|this|next|come) (${WEEKDAYS.join("|")})\\b`);
const NEXT = new RegExp(`\\bnext (${SPANS.join("|")})\\b`);
const THIS = new RegExp(
  `\\b(?:this|end of(?: the| this)?)[ -](${SPANS.join("|")})\\b|\\b(${SPANS.join("|")})[ -]?end\\b`,
);

/**
 * When what a question asks is to be decided: the end of that day in UTC, epoch ms. A week ends with its Friday. Null where no
 * day, week, month, quarter or year is named.
 */
export function dateAsked(query: string, at: number): number | null {
  const text = query.slice(0, LONGEST_READ).toLowerCase();
  return deadlineOf({ text, closeTime: null }, at) ?? fromNow(text, Math.floor(at / DAY) * DAY);
}

function fromNow(text: string, today: number): number | null {
  if (/\btomorrow\b/.test(text)) return today + 2 * DAY;
  if (/\b(today|tonight)\b/.test(text)) return today + DAY;
  const weekday = WEEKDAY.exec(text)?.[1];
  if (weekday !== undefined) return next(WEEKDAYS.indexOf(weekday), today) + DAY;
  const later = NEXT.exec(text)?.[1];
  if (later !== undefined) return endOf(later as Span, today, 1);
  const now = THIS.exec(text);
  const span = now?.[1] ?? now?.[2] ?? (/\beoy\b/.test(text) ? "year" : undefined);
  return span === undefined ? null : endOf(span as Span, today, 0);
}

function endOf(span: Span, today: number, ahead: number): number {
  const [year, month] = [new Date(today).getUTCFullYear(), new Date(today).getUTCMonth()];
  if (span === "week") return next(FRIDAY, today) + DAY * (1 + 7 * ahead);
  if (span === "month") return Date.UTC(year, month + 1 + ahead, 1);
  if (span === "quarter") return Date.UTC(year, 3 * (Math.floor(month / 3) + 1 + ahead), 1);
  return Date.UTC(year + 1 + ahead, 0, 1);
}

/** The next such day of the week, today where it is today. */
const next = (weekday: number, today: number): number =>
  today + ((weekday - new Date(today).getUTCDay() + 7) % 7) * DAY;
