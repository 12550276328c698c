import {
  judgeBuckets,
  MAX_MISS,
  MIN_BUCKET,
  oddsBucketFold,
} from "../../../src/analytics/odds/odds-buckets.ts";
import type { ForecastScore } from "../../../src/analytics/odds/score-forecast.ts";
import { fixedText } from "../../../src/charts/figures.ts";
import type { JudgedBucket } from "../../../src/domain/odds/odds-record.ts";
import { tableOf } from "../detectors/report.ts";
import type { OddsClass } from "./read-folder.ts";
import { percent } from "./tables.ts";
import { type FileScores, HORIZONS } from "./walk.ts";

const PLAN_BARS = 20;

/** Returns the odds of the files by horizon, event, side and volatility, as the track record counts them. */
export function bucketsOf(scored: readonly FileScores[], assetClass: OddsClass): readonly JudgedBucket[] {
  const isCoin = assetClass === "crypto";
  return HORIZONS.flatMap((horizon) => {
    const subject = { horizon, isCoin };
    const [ranges, ends] = [oddsBucketFold(), oddsBucketFold()];
    for (const { paths, plans } of scored) {
      for (const { inside, width80, touches, ...score } of paths)
        if (score.horizon === horizon)
          ranges.add(
            {
              ...NO_SCORE,
              inside: { 50: inside[0]!, 80: inside[1]!, 90: inside[2]! },
              width80,
              touches: touches.map(({ happened, ...touch }) => ({ ...touch, touched: happened })),
            },
            subject,
          );
      if (horizon === PLAN_BARS)
        for (const { side, width80, stopOdds, odds, isStopped, happened } of plans) {
          const end = isStopped ? "stop" : happened ? "target" : "neither";
          const shares = { stop: stopOdds, target: odds, neither: 1 - stopOdds - odds };
          ends.add({ ...NO_SCORE, width80, plan: { side, odds: shares, base: null, end } }, subject);
        }
    }
    const all = [...ranges.result(), ...ends.result().filter(({ event }) => event.endsWith("_first"))];
    return judgeBuckets(all.map((bucket) => ({ asset_class: null, version: "", horizon, ...bucket })));
  });
}

const NO_SCORE = {
  inside: { 50: false, 80: false, 90: false },
  score: 0,
  baseScore: null,
  touches: [],
  plan: null,
} as const satisfies Partial<ForecastScore>;

const SIDES = { touch: { LONG: "above", SHORT: "below" }, plan: { LONG: "LONG", SHORT: "SHORT" } } as const;
const EVENTS = {
  in_80_range: "close in the 80 % range",
  touch: "touch",
  stop_first: "stop first",
  target_first: "target first",
} as const;

/** States how many groups of odds came true, with a table of the others, worst first. */
export function bucketText(buckets: readonly JudgedBucket[]): string {
  const measured = buckets.filter(({ within_3_points }) => within_3_points !== null);
  const missOf = ({ odds, happened }: JudgedBucket) => Math.abs(odds - happened);
  const outside = measured
    .filter(({ within_3_points }) => within_3_points === false)
    .sort((a, b) => missOf(b) - missOf(a));
  const sentence = `Of ${measured.length} groups of at least ${MIN_BUCKET} forecasts by horizon, side and forecast volatility, ${measured.length - outside.length} are within ${100 * MAX_MISS} points of what happened${outside.length === 0 ? "." : "; these are not:"}`;
  if (outside.length === 0) return sentence;
  return `${sentence}\n\n${tableOf(
    ["odds of", "side", "bars", "volatility a year", "odds, %", "happened, %", "forecasts"],
    outside.map(({ event, side, horizon, volatility, odds, happened, n }) => [
      EVENTS[event],
      side === null ? "" : SIDES[event === "touch" ? "touch" : "plan"][side],
      String(horizon),
      volatility,
      percent(odds),
      percent(happened),
      fixedText(n, 0),
    ]),
  )}`;
}
