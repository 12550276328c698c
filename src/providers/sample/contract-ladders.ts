import type { Contract } from "../../domain/prediction-markets/contracts.ts";
import { DAY_MS, EPOCH } from "./daily.ts";
import { bell, draw, keyOf } from "./draws.ts";
import { DAY_TICKS } from "./intraday.ts";
import { newestTick } from "./series.ts";
import type { Recording } from "./tapes.ts";
import { normalCdf, type SimulatedQuestion, type VenueName, venueContract } from "./venue-contracts.ts";

/** Daily moves that a spread is taken over. */
const WINDOW = 63;
/** Rungs on either side of the middle one, and how far apart in spreads of a month. */
const RUNGS = 3;
const RUNG_SPREAD = 0.5;
const MONTH_DAYS = 30;
/** The most by which the crowd's probability leans from the one that price and spread alone say. */
const MAX_LEAN = 0.15;
const LEAN = 0.07;
/** Dollars that the middle rung trades in its life, for each dollar that the listing trades in a day. */
const TURNOVER = 5e-5;
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
] as const;

/** By how much contracts on a listing lean in a month (counted from 1970): the crowd's own view, planted. */
export const leanOf = (recording: Pick<Recording, "key">, month: number): number =>
  Math.max(-MAX_LEAN, Math.min(MAX_LEAN, LEAN * bell(draw(keyOf(recording.key, "lean"), month))));

/** Everything open on a listing at `now` (epoch ms): price ladders and touch ladders of two months, at three venues. */
export function laddersAt(recording: Recording, now: number): readonly Contract[] {
  const at = new Date(now);
  const month = 12 * (at.getUTCFullYear() - 1970) + at.getUTCMonth();
  return [month, month + 1].flatMap((one) => ladderOf(recording, one, now));
}

/** The contracts that end with a month. They open with the month before it. */
function ladderOf(recording: Recording, month: number, now: number): readonly Contract[] {
  const { listing, tape } = recording;
  const startOf = (of: number) => Date.UTC(1970 + Math.floor(of / 12), of % 12, 1);
  const [opens, closes] = [startOf(month - 1), startOf(month + 1)];
  const first = Math.floor((opens - EPOCH) / DAY_MS);
  const newest = newestTick(now);
  if (first < WINDOW + 1 || newest === null) return [];
  const open = tape(first - 1, 0, DAY_TICKS).close;
  const step = roundStep(RUNG_SPREAD * open * spreadOf(recording, first - 1) * Math.sqrt(MONTH_DAYS));
  const middle = Math.round(open / step);
  const spread = spreadOf(recording, newest.day - 1) * Math.sqrt((closes - now) / DAY_MS);
  const price = tape(newest.day, 0, newest.to).close;
  const lean = leanOf(recording, month);
  const { symbol } = listing.instrument;
  // a ticker of one or two letters is marked as one
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
  const ask = (rung: number, kind: "above" | "touch"): SimulatedQuestion | null => {
    const level = (middle + rung) * step;
    if (!(level > 0)) return null;
    const shown = formatLevel(level);
    const up = kind === "above" || rung > 0;
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
          : `Will ${ticker} hit (${up ? "HIGH" : "LOW"}) $${shown} in ${monthName} ${year}?`,
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
    const [above, touch] = [ask(rung, "above"), rung === 0 ? null : ask(rung, "touch")];
    const level = (middle + rung) * step;
    const away = Math.log(price / level);
    const straight = normalCdf((away - (spread * spread) / 2) / spread);
    const found: Contract[] = [];
    const show = (asked: SimulatedQuestion, plain: number, sign: 1 | -1, venues: readonly VenueName[]) => {
      const fair = plain + sign * lean * 4 * plain * (1 - plain);
      for (const venue of venues) found.push(venueContract(asked, venue, fair, now));
    };
    const venues =
      rung === 0
        ? ["simex", "simbook", "simplay"]
        : Math.abs(rung) < RUNGS
          ? ["simex", "simbook"]
          : ["simex"];
    if (above !== null) show(above, straight, 1, venues as readonly VenueName[]);
    const hit = rung > 0 ? reached.high >= level : reached.low <= level;
    if (touch !== null && !hit) {
      const sign = rung > 0 ? 1 : -1;
      // a path whose price has no drift: those that end beyond, and those that touched and came back
      const beyond = normalCdf((sign * (away - (spread * spread) / 2)) / spread);
      const back = (price / level) * normalCdf((sign * (away + (spread * spread) / 2)) / spread);
      const plain = Math.min(0.998, beyond + back);
      show(touch, plain, rung > 0 ? 1 : -1, ["simex"]);
    }
    return found;
  });
}

/** A level as a question writes it: `1,250.5`. */
function formatLevel(level: number): string {
  const [units = "", parts = ""] = level.toFixed(8).split(".");
  const fraction = parts.replace(/0+$/, "");
  return `${units.replace(/\B(?=(\d{3})+$)/g, ",")}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Spread of the daily moves up to and including a day. */
function spreadOf({ path }: Recording, day: number): number {
  const moves: number[] = [];
  for (let at = day - WINDOW + 1; at <= day; at++)
    moves.push(Math.log(path.candle(at).close / path.candle(at - 1).close));
  const mean = moves.reduce((all, move) => all + move, 0) / WINDOW;
  return Math.sqrt(moves.reduce((all, move) => all + (move - mean) ** 2, 0) / (WINDOW - 1));
}

/** The nearest of 1, 2, 2.5 and 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const near = [1, 2, 2.5, 5, 10].reduce((best, one) =>
    Math.abs(one - step / power) < Math.abs(best - step / power) ? one : best,
  );
  return Number((near * power).toPrecision(3));
}
