import type { Contract } from "../../domain/prediction-markets/contracts.ts";
import { bell, draw, keyOf } from "./draws.ts";
import { DAY_TICKS } from "./intraday.ts";
import type { Recording } from "./recordings.ts";
import { newestTick } from "./series.ts";
import { DAY_MS, dayAt } from "./time.ts";
import { normalCdf, type SimulatedQuestion, type VenueName, venueContract } from "./venue-contracts.ts";

/** Number of daily moves from which a spread (standard deviation) is computed. */
const WINDOW = 63;
/**
 * Number of rungs on each side of the middle one, and the distance between two rungs as a multiple of the monthly
 * spread.
 */
const RUNGS = 3;
const RUNG_SPREAD = 0.5;
const MONTH_DAYS = 30;
/** Maximum deviation (lean) of the crowd's probability from the probability implied by price and spread only. */
export const MAX_LEAN = 0.15;
export const LEAN = 0.07;
/** Dollars traded on the middle rung over its lifetime, per dollar of the listing's daily turnover. */
const TURNOVER = 5e-5;
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** Returns the simulated lean of a listing's contracts that close at the end of a month (counted from January 1970). */
export const leanOf = (recording: Pick<Recording, "key">, month: number): number =>
  Math.max(-MAX_LEAN, Math.min(MAX_LEAN, LEAN * bell(draw(keyOf(recording.key, "lean"), month))));

/**
 * Returns a listing's contracts that are open at `now` (epoch ms): price and touch ladders of two months, at
 * three venues.
 */
export function laddersAt(recording: Recording, now: number): readonly Contract[] {
  const at = new Date(now);
  const month = 12 * (at.getUTCFullYear() - 1970) + at.getUTCMonth();
  return [month, month + 1].flatMap((end) => ladderOf(recording, end, now));
}

/** Returns the contracts that close at the end of a month and opened at the start of the month before it. */
function ladderOf(recording: Recording, month: number, now: number): readonly Contract[] {
  const { listing, tape } = recording;
  const startOf = (of: number) => Date.UTC(1970 + Math.floor(of / 12), of % 12, 1);
  const [opens, closes] = [startOf(month - 1), startOf(month + 1)];
  const first = dayAt(opens);
  const newest = newestTick(now);
  if (first < WINDOW + 1 || newest === null) return [];
  const open = tape(first - 1, 0, DAY_TICKS).close;
  const step = roundStep(RUNG_SPREAD * open * spreadOf(recording, first - 1) * Math.sqrt(MONTH_DAYS));
  const middle = Math.round(open / step);
  const spread = spreadOf(recording, newest.day - 1) * Math.sqrt((closes - now) / DAY_MS);
  const price = tape(newest.day, 0, newest.to).close;
  const lean = leanOf(recording, month);
  const { symbol } = listing.instrument;
  // a dollar sign marks tickers of one or two letters
  const ticker = symbol.length < 3 ? `$${symbol}` : symbol;
  const last = new Date(closes - 1);
  const [monthName, year] = [MONTHS[last.getUTCMonth()]!, last.getUTCFullYear()];
  const label = `${symbol}-${year}-${String(last.getUTCMonth() + 1).padStart(2, "0")}`;
  const reached = { high: Number.NEGATIVE_INFINITY, low: Number.POSITIVE_INFINITY };
  for (let day = first; day <= newest.day; day++) {
    const span = tape(day, 0, day === newest.day ? newest.to : DAY_TICKS);
    reached.high = Math.max(reached.high, span.high);
    reached.low = Math.min(reached.low, span.low);
  }
  const questionOn = (level: number, rung: number, kind: "above" | "touch"): SimulatedQuestion => {
    const shown = formatLevel(level);
    return {
      key: keyOf(recording.key, kind, month, rung),
      name: `${label}-${kind}-${shown.replaceAll(",", "")}`,
      event: `${label}-${kind}`,
      title:
        kind === "above"
          ? `${ticker} price at the end of ${monthName} ${year}?`
          : `What price will ${ticker} hit in ${monthName} ${year}?`,
      question:
        kind === "above"
          ? `Will ${ticker} be above $${shown} on ${monthName} ${last.getUTCDate()}, ${year}?`
          : `Will ${ticker} hit (${rung > 0 ? "HIGH" : "LOW"}) $${shown} in ${monthName} ${year}?`,
      outcome: "Yes",
      strike: kind === "above" ? { side: "above", floor: level, cap: null } : null,
      keywords: [listing.instrument.asset_class === "crypto" ? "Crypto" : "Stocks"],
      opens,
      closes,
      turnover: (TURNOVER * listing.volume * listing.price) / (1 + rung * rung),
    };
  };
  const rungs = Array.from({ length: 2 * RUNGS + 1 }, (_, i) => i - RUNGS);
  return rungs.flatMap((rung) => {
    const level = (middle + rung) * step;
    if (!(level > 0)) return [];
    const away = Math.log(price / level);
    const straight = normalCdf((away - (spread * spread) / 2) / spread);
    const leaning = (plain: number, sign: 1 | -1) => plain + sign * lean * 4 * plain * (1 - plain);
    const venues: readonly VenueName[] =
      rung === 0
        ? ["simex", "simbook", "simplay"]
        : Math.abs(rung) < RUNGS
          ? ["simex", "simbook"]
          : ["simex"];
    const above = questionOn(level, rung, "above");
    const contracts = venues.map((venue) => venueContract(above, venue, leaning(straight, 1), now));
    if (rung === 0 || (rung > 0 ? reached.high >= level : reached.low <= level)) return contracts;
    const sign = rung > 0 ? 1 : -1;
    // for paths without drift: the probability of ending beyond the level, plus that of touching it and coming back
    const beyond = normalCdf((sign * (away - (spread * spread) / 2)) / spread);
    const back = (price / level) * normalCdf((sign * (away + (spread * spread) / 2)) / spread);
    const fair = leaning(Math.min(0.998, beyond + back), sign);
    return [...contracts, venueContract(questionOn(level, rung, "touch"), "simex", fair, now)];
  });
}

/** Formats a level as in questions: `1,250.5`. */
function formatLevel(level: number): string {
  const [units = "", parts = ""] = level.toFixed(8).split(".");
  const fraction = parts.replace(/0+$/, "");
  return `${units.replace(/\B(?=(\d{3})+$)/g, ",")}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Returns the standard deviation of the daily moves up to and including a day. */
function spreadOf({ path }: Recording, day: number): number {
  const moves: number[] = [];
  for (let at = day - WINDOW + 1; at <= day; at++)
    moves.push(Math.log(path.candle(at).close / path.candle(at - 1).close));
  const mean = moves.reduce((all, move) => all + move, 0) / WINDOW;
  return Math.sqrt(moves.reduce((all, move) => all + (move - mean) ** 2, 0) / (WINDOW - 1));
}

/** Returns the nearest number that is 1, 2, 2.5 or 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const near = [1, 2, 2.5, 5, 10].reduce((best, next) =>
    Math.abs(next - step / power) < Math.abs(best - step / power) ? next : best,
  );
  return Number((near * power).toPrecision(3));
}
