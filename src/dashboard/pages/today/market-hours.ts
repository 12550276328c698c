import { newYorkDay } from "../../../lib/newyork.ts";
import { marketDays } from "../../../market/calendar/market-days.ts";
import { exchangeStateAt, hoursOf } from "../../../market/calendar/trading-hours.ts";

interface Hours {
  readonly state: ReturnType<typeof exchangeStateAt>;
  /** Name of the holiday or half day of today; null on other days. */
  readonly holiday: string | null;
  /** When the regular session opens next, or closes if it is open, ms. */
  readonly next: { readonly kind: "opens" | "closes"; readonly at: number };
}

const DAY = 86_400_000;

/** Returns the hours of US exchanges at a time, by the calendar of the server. */
export function hoursAt(now: number): Hours {
  const today = newYorkDay(now);
  const date = new Date(today).toISOString().slice(0, 10);
  const state = exchangeStateAt(now);
  const holiday = marketDays.between(date, date)[0]?.name ?? null;
  if (state === "regular") return { state, holiday, next: { kind: "closes", at: hoursOf(today)!.close } };
  let day = today;
  while ((hoursOf(day)?.open ?? 0) <= now) day += DAY;
  return { state, holiday, next: { kind: "opens", at: hoursOf(day)!.open } };
}

/** Returns a span of time in words, such as 2 d 3 h or 45 min. */
export function spanText(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}
