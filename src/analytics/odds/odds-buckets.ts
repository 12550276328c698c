import type { JudgedBucket, OddsBucket } from "../../domain/odds/odds-record.ts";
import { effectiveCount, wilson } from "../track/interval.ts";
import type { ForecastScore } from "./score-forecast.ts";

/** Minimum number of forecasts of a bucket that is judged. */
export const MIN_BUCKET = 500;
/** Largest difference of odds and share that is as said, 0-1. */
export const MAX_MISS = 0.03;

/** Forecast volatility in percent a year from which each bucket begins. */
const VOLATILITIES = [
  { from: 60, name: "over 60%" },
  { from: 35, name: "35-60%" },
  { from: 20, name: "20-35%" },
  { from: 10, name: "10-20%" },
  { from: 0, name: "under 10%" },
] as const satisfies readonly { from: number; name: OddsBucket["volatility"] }[];
const EVENTS = [
  "in_80_range",
  "touch",
  "stop_first",
  "target_first",
] as const satisfies readonly OddsBucket["event"][];
const SIDES = ["LONG", "SHORT"] as const;
/** Width of the 80 % range of a normal distribution, in standard deviations. */
const WIDTH_80 = 2 * 1.2815515655446004;
const SESSIONS_PER_YEAR = 252;
const DAYS_PER_YEAR = 365;

/** Sums of odds and of what happened. */
interface Sums {
  n: number;
  odds: number;
  happened: number;
}
type Key = Pick<OddsBucket, "event" | "side" | "volatility">;

/** Daily odds of one method, asset class and horizon by event, side and volatility. */
export interface OddsBucketFold {
  /** Adds a score; `isCoin`: its price changes on 365 days a year. */
  add(score: ForecastScore, subject: { readonly horizon: number; readonly isCoin: boolean }): void;
  /** Returns the buckets with a forecast, from the calmest of each event and side on. */
  result(): readonly (Key & Pick<OddsBucket, "n" | "odds" | "happened">)[];
}

/** Returns an empty record by bucket; it stores sums, not the forecasts. */
export function oddsBucketFold(): OddsBucketFold {
  const buckets = new Map<string, Key & Sums>();
  function add(key: Key, odds: number, happened: number): void {
    const name = nameOf(key);
    const sums = buckets.get(name) ?? { ...key, n: 0, odds: 0, happened: 0 };
    buckets.set(name, sums);
    sums.n++;
    sums.odds += odds;
    sums.happened += happened;
  }
  return {
    add(score, { horizon, isCoin }) {
      const days = (isCoin ? DAYS_PER_YEAR : SESSIONS_PER_YEAR) / horizon;
      const yearly = (100 * score.width80 * Math.sqrt(days)) / WIDTH_80;
      const volatility = VOLATILITIES.find(({ from }) => yearly >= from)!.name;
      add({ event: "in_80_range", side: null, volatility }, 0.8, Number(score.inside[80]));
      for (const side of SIDES) {
        const touches = score.touches.filter(({ isAbove }) => isAbove === (side === "LONG"));
        if (touches.length === 0) continue;
        const meanOf = (figure: (touch: (typeof touches)[number]) => number) =>
          touches.reduce((sum, touch) => sum + figure(touch), 0) / touches.length;
        add(
          { event: "touch", side, volatility },
          meanOf(({ odds }) => odds),
          meanOf(({ touched }) => Number(touched)),
        );
      }
      const { plan } = score;
      if (plan === null || plan.side === null) return;
      for (const end of ["stop", "target"] as const)
        add({ event: `${end}_first`, side: plan.side, volatility }, plan.odds[end], Number(plan.end === end));
    },
    result: () =>
      EVENTS.flatMap((event) =>
        [null, ...SIDES].flatMap((side) =>
          VOLATILITIES.toReversed().flatMap(({ name: volatility }) => {
            const sums = buckets.get(nameOf({ event, side, volatility }));
            if (sums === undefined) return [];
            const { n, odds, happened } = sums;
            return {
              event,
              side,
              volatility,
              n,
              odds: odds / n,
              happened: happened / n,
            };
          }),
        ),
      ),
  };
}

const nameOf = ({ event, side, volatility }: Key): string => `${event}|${side}|${volatility}`;

/** Judges buckets by the difference of mean odds and what happened, with the interval of the latter. */
export const judgeBuckets = (buckets: readonly OddsBucket[]): readonly JudgedBucket[] =>
  buckets.map(({ asset_class: _class, version: _version, ...bucket }) => ({
    ...bucket,
    interval: wilson(bucket.happened, effectiveCount(bucket.n, bucket.horizon)),
    within_3_points:
      bucket.n < MIN_BUCKET ? null : Math.abs(bucket.odds - bucket.happened) <= MAX_MISS + 1e-9,
  }));
