import type { EarningsFigure, ReportLine } from "../../domain/earnings/earnings.ts";
import { tradingDay } from "../../market/calendar/holidays.ts";
import { draw, exp, keyOf, normal, unit } from "./draws.ts";
import type { Recording } from "./recordings.ts";
import { GAP_SHARE } from "./shocks.ts";
import { DAY_MS, dayAt } from "./time.ts";

/** A quarter of a listing: its end and the day of its report. */
export interface Quarter {
  /** Number of the quarter, counted from year 0. */
  readonly index: number;
  readonly year: number;
  readonly quarter: 1 | 2 | 3 | 4;
  /** 00:00 UTC of its last day, epoch ms. */
  readonly end: number;
  /** Day of the simulated market at whose start the report is published. */
  readonly day: number;
  /** Start of that day, epoch ms. */
  readonly reportedAt: number;
}

/** Usual days from the end of a quarter to its report: 20 to 41, by company. */
const MIN_LAG_DAYS = 20;
const LAG_RANGE_DAYS = 22;

/** First quarter that is reported within the simulated time. */
export const FIRST_QUARTER = 4 * 2017;

/**
 * Returns a quarter of the listing with this key. It is reported on the first full trading day from 19 to 42 days
 * after its end.
 */
export function quarterOf(key: number, index: number): Quarter {
  const ofDates = keyOf(key, "earnings dates");
  const year = Math.floor(index / 4);
  const quarter = ((index % 4) + 1) as 1 | 2 | 3 | 4;
  const end = Date.UTC(year, 3 * quarter, 0);
  const usual = MIN_LAG_DAYS + Math.floor(LAG_RANGE_DAYS * unit(draw(ofDates, -1)));
  let at = end + (usual + Math.floor(3 * unit(draw(ofDates, index))) - 1) * DAY_MS;
  while (tradingDay(at) !== "full") at += DAY_MS;
  return { index, year, quarter, end, day: dayAt(at), reportedAt: at };
}

/** Returns the newest quarter reported by a time (epoch ms); below `FIRST_QUARTER` if there is none. */
export function newestReported(key: number, at: number): number {
  const now = new Date(at);
  let index = 4 * now.getUTCFullYear() + Math.floor(now.getUTCMonth() / 3);
  while (index >= FIRST_QUARTER && quarterOf(key, index).reportedAt > at) index--;
  return index;
}

/** Correlation of a surprise with the opening gap of the report's day. */
export const GAP_CORRELATION = 0.75;
const SURPRISE_DEVIATION_PCT = 6;
const MEAN_SURPRISE_PCT = 1.5;
const BASE_YEAR = 2026;

/** Returns the analysts' estimates of a quarter, which depend on nothing that happens later. */
export function estimatesOf({ listing, key }: Recording, { index }: Pick<Quarter, "index">) {
  const of = keyOf(key, "earnings company");
  const share = (at: number) => unit(draw(of, at));
  const growth = 0.02 + 0.12 * share(0);
  const season = 1 + 0.12 * (unit(draw(keyOf(of, "season"), index % 4)) - 0.5);
  const noise = 1 + 0.02 * normal(keyOf(of, "noise"), index);
  const margin = 0.12 + 0.2 * share(1);
  const multiple = 14 + 18 * share(2);
  const eps = (listing.price / multiple / 4) * exp(growth * (index / 4 - BASE_YEAR)) * season * noise;
  return { eps: cents(eps), revenue: millions((eps * listing.volume * 300) / margin), margin };
}

/**
 * Returns the percentage by which EPS exceeds its estimate; correlated with the opening gap on the day of the report.
 */
function surprisePct({ key, path }: Recording, { index, day }: Quarter): number {
  const noise = normal(keyOf(key, "earnings surprise"), index);
  const gap = day === 0 ? 0 : path.candle(day).open / path.candle(day - 1).close - 1;
  const { spread, open } = path.candle(day);
  const usual = (spread / open) * Math.sqrt(GAP_SHARE / (1 - GAP_SHARE));
  const moved = Math.max(-3, Math.min(3, gap / usual));
  return (
    MEAN_SURPRISE_PCT +
    SURPRISE_DEVIATION_PCT *
      (GAP_CORRELATION * moved + Math.sqrt(1 - GAP_CORRELATION * GAP_CORRELATION) * noise)
  );
}

export function figuresOf(recording: Recording, quarter: Quarter) {
  const { key } = recording;
  const { index } = quarter;
  const expected = estimatesOf(recording, quarter);
  const ahead = estimatesOf(recording, { index: index + 1 });
  const surprise = surprisePct(recording, quarter) / 100;
  const noise = (at: number) => normal(keyOf(key, "earnings lines"), 8 * index + at);
  const revenue = revenueOf(recording, index);
  const [lines, before] = [operatingFigures(recording, index), operatingFigures(recording, index - 4)];
  const line = (name: string, unit: string, good: ReportLine["good"], of: keyof typeof lines): ReportLine => {
    return { name, unit, good, current: lines[of], prior: before[of] };
  };
  return {
    eps: { actual: cents(expected.eps * (1 + surprise)), estimate: expected.eps },
    revenue: { actual: revenue, estimate: expected.revenue },
    guidance: {
      actual: millions(ahead.revenue * (1 + 0.25 * surprise + 0.01 * noise(1))),
      estimate: ahead.revenue,
    },
    ebitda: millions(revenue * expected.margin * 1.8),
    fcf: millions(revenue * expected.margin * (0.9 + 0.1 * noise(2))),
    kpis: [line("Operating margin", "percent", "UP", "margin"), line("Inventory", "days", "DOWN", "days")],
    segments: [line("Products", "USD", "UP", "products"), line("Services", "USD", "UP", "services")],
  };
}

/** Returns the operating figures of a report; the segments add up to the revenue. */
function operatingFigures(recording: Recording, index: number) {
  const { margin } = estimatesOf(recording, { index });
  const surprise = surpriseAt(recording, index);
  const noise = (at: number) => normal(keyOf(recording.key, "earnings lines"), 8 * index + at);
  const revenue = revenueOf(recording, index);
  const products = millions(0.7 * revenue * (1 + 0.02 * noise(5)));
  return {
    margin: tenth(125 * margin * (1 + 0.5 * surprise + 0.04 * noise(3))),
    days: Math.round(60 * (1 - 0.8 * surprise + 0.05 * noise(4))),
    products,
    services: revenue - products,
  };
}

/** Returns the revenue of a quarter, US dollars. */
function revenueOf(recording: Recording, index: number): number {
  const expected = estimatesOf(recording, { index });
  const surprise = surpriseAt(recording, index);
  const noise = normal(keyOf(recording.key, "earnings lines"), 8 * index);
  return millions(expected.revenue * (1 + 0.3 * surprise + 0.012 * noise));
}

/** Returns the surprise as a fraction; 0 before the simulated market begins. */
const surpriseAt = (recording: Recording, index: number): number =>
  index < FIRST_QUARTER ? 0 : surprisePct(recording, quarterOf(recording.key, index)) / 100;

export function toFigures(
  { actual, estimate }: { readonly actual: number; readonly estimate: number },
  basis: EarningsFigure["basis"],
) {
  const figure = (value: number): EarningsFigure => ({ value, basis, by: "sample" });
  return { actual: figure(actual), estimate: figure(estimate) };
}

const cents = (value: number): number => Math.round(100 * value) / 100;
const tenth = (value: number): number => Math.round(10 * value) / 10;
const millions = (value: number): number => Math.round(value / 1e6) * 1e6;
