import type { Instrument } from "../../src/domain/market/market.ts";
import { tickerOf } from "../../src/market/symbols/listings.ts";
import { FIRST_QUARTER, quarterOf } from "../../src/providers/sample/earnings-dates.ts";
import { figuresOf } from "../../src/providers/sample/earnings-figures.ts";
import { recordingsOf } from "../../src/providers/sample/tapes.ts";
import type { World } from "./world.ts";

/** After the close in New York. */
const RELEASE = 21 * 3_600_000 + 5 * 60_000;
const QUARTERS = 12;

/** A quarter of a company of the replay, reported or to come. */
export interface ToldReport {
  readonly symbol: string;
  readonly year: number;
  readonly quarter: 1 | 2 | 3 | 4;
  readonly start: string;
  readonly end: string;
  /** Of the report. */
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

const recordings = recordingsOf("replay");
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Reports of a company of the world, newest first, the next one before them; none of funds, tokens and whatever is not known to report. */
export function reportsOf(instrument: Instrument | null, world: World): readonly ToldReport[] {
  if (instrument === null || instrument.asset_class !== "equity") return [];
  const recording = recordings(instrument.symbol);
  if (recording === null) return [];
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
        start: dateOf(Date.UTC(quarter.year, 3 * (quarter.quarter - 1), 1)),
        end: dateOf(quarter.end),
        date: dateOf(at),
        eps: eps.actual,
        epsEstimate: eps.estimate,
        revenue: revenue.actual,
        revenueEstimate: revenue.estimate,
        netIncome: Math.round(revenue.actual * 0.2),
        shares: Math.round((revenue.actual * 0.2) / eps.actual),
      };
    });
}

/** All reports of the world on a date. */
export const reportsOn = (date: string, world: World): readonly ToldReport[] =>
  world
    .instruments()
    .flatMap((instrument) => reportsOf(instrument, world).filter((one) => one.date === date));

/** The next report, which is not out. */
export const nextOf = (reports: readonly ToldReport[]): ToldReport | null =>
  reports.find(({ out }) => !out) ?? null;
