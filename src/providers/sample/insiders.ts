import type { InsiderTrade } from "../../domain/company/insiders.ts";
import { tradingDay } from "../../market/calendar/holidays.ts";
import { draw, keyOf, unit } from "./draws.ts";
import { FIRST_QUARTER, newestReported, quarterOf } from "./earnings-figures.ts";
import type { Recording } from "./recordings.ts";
import { DAY_MS, dayAt, isoDate, startOf } from "./time.ts";

/** Officers of every simulated company. */
const INSIDERS = [
  ["Sample Chief Executive", "Chief Executive Officer", "officer"],
  ["Sample Chief Financial", "Chief Financial Officer", "officer"],
  ["Sample Director", null, "director"],
] as const;
/** Days after a report within which insiders trade, and the share of a day's volume that one holds at first. */
const WINDOW_DAYS = 30;
const HELD_SHARE = 0.01;
/** Codes with the share of trades up to which each is drawn. */
const CODES = [
  [0.12, "P", "acquired"],
  [0.6, "S", "disposed"],
  [0.8, "F", "disposed"],
  [1, "A", "acquired"],
] as const;

/** Returns the simulated trades of a company's insiders whose filings were known by a time (epoch ms), oldest first. */
export function insiderTradesOf(recording: Recording, until: number): readonly InsiderTrade[] {
  const { listing, key } = recording;
  const held = INSIDERS.map((_, i) =>
    Math.round(HELD_SHARE * listing.volume * (0.5 + unit(draw(keyOf(key, "insider"), i)))),
  );
  const trades: InsiderTrade[] = [];
  for (let index = FIRST_QUARTER; index <= newestReported(key, until); index++) {
    const { reportedAt } = quarterOf(key, index);
    const at = (item: number) => unit(draw(keyOf(key, "insider trades"), 64 * index + item));
    INSIDERS.forEach(([owner, title, relation], i) => {
      const [code, direction] = codeOf(at(8 * i));
      const day = tradingDayFrom(reportedAt + Math.floor(2 + WINDOW_DAYS * at(8 * i + 1)) * DAY_MS);
      const filed = tradingDayFrom(day + 2 * DAY_MS);
      if (filed + DAY_MS > until) return;
      const shares = Math.round(held[i]! * (0.02 + 0.08 * at(8 * i + 2)));
      held[i]! += direction === "acquired" ? shares : -shares;
      const { close } = recording.tape(dayAt(day), 0, 1);
      trades.push({
        owner,
        relations: [relation],
        title,
        joint_owners: 0,
        date: isoDate(day),
        code,
        direction,
        security: "Common Stock",
        derivative: false,
        shares,
        price: code === "A" ? null : close,
        held_after: held[i]!,
        ownership: "direct",
        plan: code === "S",
        form: "4",
        filed: isoDate(filed),
        accession: `sample-${listing.instrument.symbol}-${isoDate(filed)}-${i}`,
      });
    });
  }
  return trades.sort((a, b) => compare(a.filed, b.filed) || compare(a.accession, b.accession));
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const codeOf = (drawn: number) => {
  const [, code, direction] = CODES.find(([upTo]) => drawn < upTo) ?? CODES[1];
  return [code, direction] as const;
};

/** Returns the first full trading day from a day on (00:00 UTC, epoch ms). */
function tradingDayFrom(from: number): number {
  let day = startOf(dayAt(from));
  while (tradingDay(day) !== "full") day += DAY_MS;
  return day;
}
