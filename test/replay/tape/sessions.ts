import { tradingDay } from "../../../src/market/calendar/holidays.ts";
import { EPOCH } from "../../../src/providers/sample/daily.ts";
import { DAY, type DayCount } from "./candle.ts";

/** Days on which US stocks trade, counted from the first of 2017. */
export function sessionDays(): DayCount {
  const dates: number[] = [];
  let seen = EPOCH;
  function reach(enough: () => boolean): void {
    for (; !enough(); seen += DAY) if (tradingDay(seen) !== "closed") dates.push(seen);
  }
  return {
    dateOf(number) {
      reach(() => dates.length > number);
      return dates[number] ?? Number.NaN;
    },
    numberAt(date) {
      reach(() => seen > date);
      let [low, high] = [0, dates.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (dates[middle]! <= date) low = middle + 1;
        else high = middle;
      }
      return low - 1;
    },
  };
}
