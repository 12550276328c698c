import type { MarketDay } from "../../domain/earnings/calendar.ts";
import type { MarketDays } from "../../domain/earnings/earnings-port.ts";
import { tradingDay } from "./holidays.ts";

const DAY = 86_400_000;

/** Returns holidays and half days of US exchanges; correct from 1998 on. */
export const marketDays: MarketDays = {
  between(from, to) {
    const found: MarketDay[] = [];
    for (let day = Date.parse(from); day <= Date.parse(to); day += DAY) {
      const kind = tradingDay(day);
      const date = new Date(day);
      if (kind === "full" || date.getUTCDay() % 6 === 0) continue;
      found.push({ date: date.toISOString().slice(0, 10), kind, name: nameOf(date, kind) });
    }
    return found;
  },
};

function nameOf(date: Date, kind: MarketDay["kind"]): string {
  const day = date.getUTCDate();
  const weekday = date.getUTCDay();
  const special = "Special closing";
  switch (date.getUTCMonth() + 1) {
    case 1:
      if (day <= 2 && !(date.getUTCFullYear() === 2007 && day === 2)) return "New Year's Day";
      return weekday === 1 && day >= 15 && day <= 21 ? "Martin Luther King Jr. Day" : special;
    case 2:
      return "Washington's Birthday";
    case 3:
    case 4:
      return weekday === 5 ? "Good Friday" : special;
    case 5:
      return "Memorial Day";
    case 6:
      return day >= 18 && day <= 20 ? "Juneteenth" : special;
    case 7:
      return kind === "half" ? "Eve of Independence Day" : "Independence Day";
    case 9:
      return weekday === 1 && day <= 7 ? "Labor Day" : special;
    case 11:
      return kind === "half" ? "Day after Thanksgiving" : "Thanksgiving Day";
    case 12:
      if (kind === "half") return day === 24 ? "Christmas Eve" : "Day after Christmas";
      return day >= 24 && day <= 26 ? "Christmas Day" : special;
    default:
      return special;
  }
}
