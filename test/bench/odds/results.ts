import type { Side } from "../../../src/analytics/levels/side.ts";
import { mean } from "../../../src/analytics/statistics.ts";
import type { AssetClass } from "../../../src/domain/market/market.ts";
import { groupBy } from "../../../src/lib/group-by.ts";
import { isoDate } from "../../../src/lib/iso-date.ts";
import { type BlockOf, blockRatio, calendarBlocks, type Estimate } from "./bootstrap.ts";
import { type Bin, calibrationEstimate, reliability } from "./calibration.ts";
import { kindTable } from "./kinds.ts";
import { SIDES } from "./plan.ts";
import {
  type PlanCalibration,
  type PlanDifference,
  type PlanError,
  planCalibrations,
  planDifferences,
  planErrors,
} from "./plan-odds.ts";
import { type RangeCoverage, rangeCoverage, type UsScales, usScales } from "./range-results.ts";
import type { DailyFile, OddsClass } from "./read-folder.ts";
import {
  COVERS,
  type FileScores,
  HORIZONS,
  type Horizon,
  type PlanScore,
  type Score,
  type ScoredOdds,
} from "./walk.ts";

/** Minimum number of forecasts of a year that is shown, and of dates on which they were made. */
const MIN_YEAR_FORECASTS = 50;
const MIN_YEAR_DATES = 10;

/** Cover of one central range in one year. */
export interface YearCover {
  readonly year: string;
  readonly cover: number;
  readonly forecasts: number;
  /** Number of different dates of the forecasts. */
  readonly dates: number;
}

/** Forecasts of one horizon. Estimates named after a comparison are the share of the other's error that is avoided. */
export interface HorizonResults {
  readonly horizon: Horizon;
  readonly forecasts: number;
  /** By central range of `COVERS`. */
  readonly cover: readonly number[];
  /** Years with at least 50 forecasts on 10 dates, worst first, by central range of `COVERS`. */
  readonly years: readonly (readonly YearCover[])[];
  readonly crpsOverBase: Estimate;
  readonly crpsOverNormal: Estimate;
  readonly brierOverBase: Estimate;
  /** Mean distance between odds and share over ten bins, weighted by count, 0-1; null without any odds. */
  readonly calibration: number | null;
  readonly calibrationAbove: number | null;
  readonly calibrationBelow: number | null;
  /** Null for a tenth without odds. */
  readonly bins: readonly (Bin | null)[];
  readonly riseOverBase: Estimate;
}

export interface PlanResults {
  /** Null: both sides. */
  readonly side: Side | null;
  readonly plans: number;
  readonly stopOdds: number;
  readonly stopped: number;
  readonly odds: number;
  readonly happened: number;
  readonly brierOverBase: Estimate;
  /** Against the share of all plans of the same side that reached the target, known only afterwards. */
  readonly brierOverShare: Estimate;
  readonly expectedR: number;
  readonly r: number;
  /** Correlation of expected and realised R; null without variation. */
  readonly correlation: number | null;
}

/** Results of the files of one asset class in one folder. */
export interface Section {
  readonly folder: string;
  readonly assetClass: OddsClass;
  readonly files: number;
  readonly from: string;
  readonly until: string;
  readonly paths: readonly HorizonResults[];
  /** Coverage by kind of instrument and by volatility. */
  readonly kinds: string;
  readonly newest: readonly HorizonResults[];
  /** Empty for coins. */
  readonly closedForm: readonly HorizonResults[];
  readonly plans: readonly PlanResults[];
  readonly planCalibrations: readonly PlanCalibration[];
  readonly planDifferences: readonly PlanDifference[];
  readonly planErrors: readonly PlanError[];
  readonly range: RangeResults;
}

/** Coverage of `range_position` on held-out forecasts: those of US files from the cut on, all of coins. */
export interface RangeResults {
  /** Null for coins without US files. */
  readonly scales: UsScales | null;
  readonly coverage: readonly RangeCoverage[];
}

export interface SectionOptions {
  /** Paths of a forecast. */
  readonly paths: number;
  /** Scales of the US files, used for coins; null without US files. */
  readonly scales: UsScales | null;
}

/** Returns the results of files of one asset class; `scored` is in the order of the files. */
export function sectionOf(
  folder: string,
  files: readonly DailyFile[],
  scored: readonly FileScores[],
  options: SectionOptions,
): Section {
  const blockOf = calendarBlocks(files.map(({ bars }) => bars.time));
  const all = (name: "paths" | "newest" | "closedForm") =>
    HORIZONS.flatMap((horizon) => {
      const scores = scored.flatMap((file) => file[name].filter((score) => score.horizon === horizon));
      return scores.length === 0 ? [] : [horizonResults(horizon, scores, blockOf)];
    });
  const plans = scored.flatMap((file) => file.plans);
  const { assetClass } = files[0]!;
  const scales = assetClass === "crypto" ? options.scales : usScales(scored, blockOf);
  const times = scored.flatMap((file) => file.paths.map(({ time }) => time)).sort((a, b) => a - b);
  return {
    folder,
    assetClass,
    files: files.length,
    from: isoDate(times[0]!),
    until: isoDate(times.at(-1)!),
    paths: all("paths"),
    kinds: kindTable(
      scored.flatMap((file) => file.paths),
      assetClass,
    ),
    newest: all("newest"),
    closedForm: all("closedForm"),
    plans: plans.length === 0 ? [] : [...SIDES, null].map((side) => planResults(side, plans, blockOf)),
    planCalibrations: planCalibrations(plans, blockOf),
    planDifferences: planDifferences(plans, options.paths),
    planErrors: planErrors(plansByClass(files, scored), blockOf),
    range: {
      scales,
      coverage: rangeCoverage(scored, blockOf, {
        from: assetClass === "crypto" ? times[0]! : scales!.cut,
        scale: scales?.early.value ?? null,
      }),
    },
  };
}

/** Returns the plans of the files by asset class; those of exchange-traded funds have their own. */
function plansByClass(
  files: readonly DailyFile[],
  scored: readonly FileScores[],
): ReadonlyMap<AssetClass, readonly PlanScore[]> {
  const byClass = groupBy(
    scored.map(({ plans }, i) => ({ plans, file: files[i]! })),
    ({ file }): AssetClass => (file.isFund ? "etf" : file.assetClass),
  );
  return new Map(
    [...byClass].map(([assetClass, own]) => [assetClass, own.flatMap(({ plans }) => plans)] as const),
  );
}

export function horizonResults(horizon: Horizon, scores: readonly Score[], blockOf: BlockOf): HorizonResults {
  const block = ({ time }: Score) => blockOf(time);
  const touches = scores.flatMap(({ time, touches }) => touches.map((touch) => ({ ...touch, time })));
  const calibrationOf = (own: typeof touches) => calibrationEstimate(own, blockOf).value;
  return {
    horizon,
    forecasts: scores.length,
    cover: COVERS.map((_, i) => coverOf(scores, i)),
    years: COVERS.map((_, i) => yearsOf(scores, i)),
    crpsOverBase: avoided(blockRatio(scores, block, ({ crps, baseCrps }) => [crps, baseCrps])),
    crpsOverNormal: avoided(blockRatio(scores, block, ({ crps, normalCrps }) => [crps, normalCrps])),
    brierOverBase: avoided(
      blockRatio(scores, block, (score) => [
        sumOf(score.touches, oddsError),
        sumOf(score.touches, baseError),
      ]),
    ),
    calibration: calibrationOf(touches),
    calibrationAbove: calibrationOf(touches.filter(({ isAbove }) => isAbove)),
    calibrationBelow: calibrationOf(touches.filter(({ isAbove }) => !isAbove)),
    bins: reliability(touches, blockOf),
    riseOverBase: avoided(blockRatio(scores, block, ({ rise }) => [oddsError(rise), baseError(rise)])),
  };
}

const coverOf = (scores: readonly Score[], range: number): number =>
  scores.filter(({ inside }) => inside[range]).length / scores.length;

function yearsOf(scores: readonly Score[], range: number): readonly YearCover[] {
  const years = groupBy(scores, ({ time }) => isoDate(time).slice(0, 4));
  return [...years]
    .map(([year, own]) => ({
      year,
      cover: coverOf(own, range),
      forecasts: own.length,
      dates: new Set(own.map(({ time }) => time)).size,
    }))
    .filter(({ forecasts, dates }) => forecasts >= MIN_YEAR_FORECASTS && dates >= MIN_YEAR_DATES)
    .sort((a, b) => a.cover - b.cover || (a.year < b.year ? -1 : 1));
}

export function planResults(side: Side | null, all: readonly PlanScore[], blockOf: BlockOf): PlanResults {
  const plans = side === null ? all : all.filter((plan) => plan.side === side);
  const meanOf = (figure: (plan: PlanScore) => number) => mean(plans.map(figure));
  const block = ({ time }: PlanScore) => blockOf(time);
  const shares = new Map(
    [...groupBy(plans, (plan) => plan.side)].map(([name, own]) => [
      name,
      mean(own.map(({ happened }) => Number(happened))),
    ]),
  );
  return {
    side,
    plans: plans.length,
    stopOdds: meanOf(({ stopOdds }) => stopOdds),
    stopped: meanOf(({ isStopped }) => Number(isStopped)),
    odds: meanOf(({ odds }) => odds),
    happened: meanOf(({ happened }) => Number(happened)),
    brierOverBase: avoided(blockRatio(plans, block, (plan) => [oddsError(plan), baseError(plan)])),
    brierOverShare: avoided(
      blockRatio(plans, block, (plan) => [
        oddsError(plan),
        baseError({ ...plan, base: shares.get(plan.side)! }),
      ]),
    ),
    expectedR: meanOf(({ expectedR }) => expectedR),
    r: meanOf(({ r }) => r),
    correlation: correlationOf(
      plans.map(({ expectedR }) => expectedR),
      plans.map(({ r }) => r),
    ),
  };
}

const sumOf = <Item>(items: readonly Item[], figure: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + figure(item), 0);
const oddsError = ({ odds, happened }: ScoredOdds): number => (odds - Number(happened)) ** 2;
const baseError = ({ base, happened }: ScoredOdds): number => (base - Number(happened)) ** 2;

/** Returns the share of an error that is avoided, from the ratio of the errors. */
const avoided = ({ value, low, high }: Estimate): Estimate => ({
  value: value === null ? null : 1 - value,
  low: high === null ? null : 1 - high,
  high: low === null ? null : 1 - low,
});

/** Returns the correlation of two figures; null without variation. */
export function correlationOf(a: readonly number[], b: readonly number[]): number | null {
  const [meanA, meanB] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]! - meanA, b[i]! - meanB];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : null;
}
