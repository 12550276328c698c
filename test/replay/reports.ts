import type { Instrument } from "../../src/domain/market/market.ts";
import { tickerOf } from "../../src/market/symbols/listings.ts";
import { FIRST_QUARTER, figuresOf, quarterOf } from "../../src/providers/sample/earnings-figures.ts";
import { isoDate } from "../../src/providers/sample/time.ts";
import { recordings, sampleListings } from "./market.ts";
import type { World } from "./world.ts";

/** Time of release within the day (UTC), ms: after the close in New York. */
const RELEASE = 21 * 3_600_000 + 5 * 60_000;
const QUARTERS = 12;

/** A quarter of a simulated company, reported or scheduled. */
export interface WorldReport {
  readonly symbol: string;
  readonly year: number;
  readonly quarter: 1 | 2 | 3 | 4;
  readonly start: string;
  readonly end: string;
  /** Date of the report, `YYYY-MM-DD`. */
  readonly date: string;
  readonly at: number;
  readonly out: boolean;
  readonly eps: number;
  readonly epsEstimate: number;
  readonly revenue: number;
  readonly revenueEstimate: number;
  readonly netIncome: number;
  readonly shares: number;
}

/**
 * Reports of a company, the next one first, then newest first; empty for funds, tokens and companies outside the sample
 * market.
 */
export function reportsOf(instrument: Instrument | null, world: World): readonly WorldReport[] {
  if (instrument === null || instrument.asset_class !== "equity") return [];
  if (!sampleListings.has(instrument.symbol)) return [];
  const recording = recordings(instrument.symbol)!;
  const now = new Date(world.now());
  let index = 4 * now.getUTCFullYear() + Math.floor(now.getUTCMonth() / 3);
  while (quarterOf(recording.key, index).reportedAt + RELEASE > world.now()) index--;
  return Array.from({ length: QUARTERS + 1 }, (_, back) => index + 1 - back)
    .filter((of) => of >= FIRST_QUARTER)
    .map((of) => {
      const quarter = quarterOf(recording.key, of);
      const { eps, revenue } = figuresOf(recording, quarter);
      const at = quarter.reportedAt + RELEASE;
      return {
        symbol: tickerOf(instrument),
        year: quarter.year,
        quarter: quarter.quarter,
        at,
        out: at <= world.now(),
        start: isoDate(Date.UTC(quarter.year, 3 * (quarter.quarter - 1), 1)),
        end: isoDate(quarter.end),
        date: isoDate(at),
        eps: eps.actual,
        epsEstimate: eps.estimate,
        revenue: revenue.actual,
        revenueEstimate: revenue.estimate,
        netIncome: Math.round(revenue.actual * 0.2),
        shares: Math.round((revenue.actual * 0.2) / eps.actual),
      };
    });
}

/** All reports on a date. */
export const reportsOn = (date: string, world: World): readonly WorldReport[] =>
  world
    .instruments()
    .flatMap((instrument) => reportsOf(instrument, world).filter((report) => report.date === date));

/** The next report. */
export const nextOf = (reports: readonly WorldReport[]): WorldReport | null =>
  reports.find(({ out }) => !out) ?? null;
