import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { OddsBucket, OddsRow } from "../../domain/odds/odds-record.ts";
import type { PlanEnd, PlanShares } from "../../domain/odds/plan-end.ts";
import type { Horizon } from "../../domain/track-record/track.ts";
import { effectiveCount, wilson } from "../track/interval.ts";
import { type OddsBucketFold, oddsBucketFold } from "./odds-buckets.ts";
import type { ForecastScore } from "./score-forecast.ts";
import { skill } from "./scores.ts";

/** Periods that are no calendar year. */
export const ALL_YEARS = "all";
export const LAST_250_DAYS = "last_250_days";

const ENDS = ["stop", "target", "neither"] as const satisfies readonly PlanEnd[];
const DAY = 86_400_000;
const ROLLING_DAYS = 250;
const BINS = 10;

/** One horizon of a forecast with its score. */
export interface ScoredForecast {
  /** Close time of the decision bar, epoch ms. */
  readonly at: number;
  readonly asset_class: AssetClass;
  readonly version: string;
  readonly horizon: Horizon;
  /** true: the forecast was computed after its outcome was known. */
  readonly replayed: boolean;
  readonly score: ForecastScore;
}

/** An incremental record of odds; it stores sums per row, not the forecasts. */
export interface OddsRecordFold {
  /** Adds the next forecast, in order of decision. Throws RangeError for an earlier one. */
  add(forecast: ScoredForecast): void;
  /**
   * Returns the rows of every version, asset class (and of all) and horizon: of all years, of each year of decision,
   * and of the last 250 days up to the newest decision.
   */
  result(): readonly OddsRow[];
  /** Returns the buckets of every version, asset class (and of all) and horizon; none of bars other than daily. */
  buckets(): readonly OddsBucket[];
}

/** Returns an empty record of the odds of one timeframe. */
export function oddsRecordFold(timeframe: Timeframe): OddsRecordFold {
  const groups = new Map<string, Group>();
  let now = Number.NEGATIVE_INFINITY;

  function groupOf({ version, horizon }: ScoredForecast, asset_class: AssetClass | null): Group {
    const name = `${version}|${asset_class}|${horizon}`;
    const group = groups.get(name) ?? {
      version,
      asset_class,
      horizon,
      all: tally(),
      years: new Map(),
      days: new Map(),
      buckets: oddsBucketFold(),
    };
    groups.set(name, group);
    return group;
  }

  return {
    add(forecast) {
      if (forecast.at < now) throw new RangeError("Forecasts must be added in order of decision");
      now = forecast.at;
      const day = Math.floor(now / DAY);
      const year = new Date(now).getUTCFullYear();
      for (const asset_class of [null, forecast.asset_class]) {
        const { all, years, days, buckets } = groupOf(forecast, asset_class);
        const { horizon, score } = forecast;
        if (timeframe === "1d") buckets.add(score, { horizon, isCoin: forecast.asset_class === "crypto" });
        addTo(all, forecast, day);
        addTo(tallyIn(years, year), forecast, day);
        addTo(tallyIn(days, day), forecast, day);
        dropBefore(days, day);
      }
    },
    result() {
      const today = Math.floor(now / DAY);
      return [...groups.values()].sort(inOrder).flatMap(({ all, years, days, buckets: _, ...group }) => {
        dropBefore(days, today);
        const last = sumOf(days.values());
        const row = (period: string, sums: Tally) => rowOf(sums, { ...group, timeframe, period });
        return [
          row(ALL_YEARS, all),
          ...(last.n === 0 ? [] : [row(LAST_250_DAYS, last)]),
          ...[...years].map(([year, sums]) => withoutBins(row(String(year), sums))),
        ];
      });
    },
    buckets: () =>
      [...groups.values()]
        .sort(inOrder)
        .flatMap(({ version, asset_class, horizon, buckets }) =>
          buckets.result(horizon).map((bucket) => ({ asset_class, version, horizon, ...bucket })),
        ),
  };
}

interface Group extends Pick<OddsRow, "version" | "asset_class" | "horizon"> {
  readonly all: Tally;
  readonly years: Map<number, Tally>;
  /** Of the last 250 days, by day since 1970, ascending. */
  readonly days: Map<number, Tally>;
  readonly buckets: OddsBucketFold;
}

interface Tally {
  n: number;
  replayed: number;
  dates: number;
  /** Newest date, in days since 1970. */
  day: number;
  readonly inside: Record<50 | 80 | 90, number>;
  /** Sums of scores with a base, and of their bases. */
  score: number;
  baseScore: number;
  touches: number;
  /** Squared errors of touches with a base, and of their bases. */
  error: number;
  baseError: number;
  /** By bin of odds: number, sum of odds, touches. */
  readonly bins: Float64Array;
  readonly plan: PlanTally;
}

interface PlanTally {
  n: number;
  readonly odds: Record<PlanEnd, number>;
  readonly ends: Record<PlanEnd, number>;
  error: number;
  baseError: number;
}

const noEnds = () => ({ stop: 0, target: 0, neither: 0 });
const tally = (): Tally => ({
  n: 0,
  replayed: 0,
  dates: 0,
  day: Number.NEGATIVE_INFINITY,
  inside: { 50: 0, 80: 0, 90: 0 },
  score: 0,
  baseScore: 0,
  touches: 0,
  error: 0,
  baseError: 0,
  bins: new Float64Array(3 * BINS),
  plan: { n: 0, odds: noEnds(), ends: noEnds(), error: 0, baseError: 0 },
});

function tallyIn(tallies: Map<number, Tally>, name: number): Tally {
  const known = tallies.get(name) ?? tally();
  tallies.set(name, known);
  return known;
}

function dropBefore(days: Map<number, Tally>, today: number): void {
  for (const day of days.keys()) {
    if (day > today - ROLLING_DAYS) return;
    days.delete(day);
  }
}

function addTo(sums: Tally, { score, replayed }: ScoredForecast, day: number): void {
  sums.n++;
  if (replayed) sums.replayed++;
  if (day !== sums.day) sums.dates++;
  sums.day = day;
  for (const range of [50, 80, 90] as const) if (score.inside[range]) sums.inside[range]++;
  if (score.baseScore !== null) {
    sums.score += score.score;
    sums.baseScore += score.baseScore;
  }
  for (const { odds, base, touched } of score.touches) {
    const came = touched ? 1 : 0;
    sums.touches++;
    if (base !== null) {
      sums.error += (odds - came) ** 2;
      sums.baseError += (base - came) ** 2;
    }
    const bin = 3 * Math.min(BINS - 1, Math.floor(odds * BINS + 1e-9));
    sums.bins[bin]!++;
    sums.bins[bin + 1]! += odds;
    sums.bins[bin + 2]! += came;
  }
  if (score.plan === null) return;
  const { odds, base, end } = score.plan;
  const { plan } = sums;
  const errorOf = (shares: PlanShares) =>
    ENDS.reduce((sum, one) => sum + (shares[one] - (one === end ? 1 : 0)) ** 2, 0);
  plan.n++;
  plan.ends[end]++;
  for (const one of ENDS) plan.odds[one] += odds[one];
  if (base === null) return;
  plan.error += errorOf(odds);
  plan.baseError += errorOf(base);
}

/** Adds up the tallies of different days. */
function sumOf(tallies: Iterable<Tally>): Tally {
  const sum = tally();
  for (const one of tallies) {
    for (const field of [
      "n",
      "replayed",
      "dates",
      "score",
      "baseScore",
      "touches",
      "error",
      "baseError",
    ] as const)
      sum[field] += one[field];
    for (const range of [50, 80, 90] as const) sum.inside[range] += one.inside[range];
    for (let i = 0; i < one.bins.length; i++) sum.bins[i]! += one.bins[i]!;
    for (const field of ["n", "error", "baseError"] as const) sum.plan[field] += one.plan[field];
    for (const end of ENDS) {
      sum.plan.odds[end] += one.plan.odds[end];
      sum.plan.ends[end] += one.plan.ends[end];
    }
  }
  return sum;
}

function rowOf(
  sums: Tally,
  {
    period,
    timeframe,
    asset_class,
    version,
    horizon,
  }: Pick<OddsRow, "period" | "timeframe" | "asset_class" | "version" | "horizon">,
): OddsRow {
  const { n, inside, plan } = sums;
  const n_eff = effectiveCount(n, horizon);
  const cover_80 = inside[80] / n;
  const rateOf = (end: "stop" | "target") => ({
    odds: plan.odds[end] / plan.n,
    happened: plan.ends[end] / plan.n,
  });
  return {
    period,
    timeframe,
    asset_class,
    version,
    horizon,
    n,
    n_eff,
    entry_dates: sums.dates,
    replayed: sums.replayed,
    cover_50: inside[50] / n,
    cover_80,
    cover_80_interval: wilson(cover_80, n_eff),
    cover_90: inside[90] / n,
    crps_skill: skill(sums.score, sums.baseScore),
    touch: { n: sums.touches, brier_skill: skill(sums.error, sums.baseError), ...calibrationOf(sums) },
    plan:
      plan.n === 0
        ? null
        : {
            n: plan.n,
            stop: rateOf("stop"),
            target: rateOf("target"),
            brier_skill: skill(plan.error, plan.baseError),
          },
  };
}

function calibrationOf({
  bins,
  touches,
}: Tally): Pick<OddsRow["touch"], "calibration_error" | "reliability"> {
  const reliability: { odds: number; happened: number; n: number }[] = [];
  let distance = 0;
  for (let bin = 0; bin < bins.length; bin += 3) {
    const [n, odds, touched] = [bins[bin]!, bins[bin + 1]!, bins[bin + 2]!];
    if (n === 0) continue;
    distance += Math.abs(odds - touched);
    reliability.push({ odds: odds / n, happened: touched / n, n });
  }
  return { calibration_error: touches === 0 ? null : distance / touches, reliability };
}

const withoutBins = ({ touch: { reliability: _, ...touch }, ...row }: OddsRow): OddsRow => ({
  ...row,
  touch,
});

/** Sorts by version, asset class with all first, and horizon. */
const inOrder = (a: Group, b: Group): number =>
  byName(a.version, b.version) || byName(a.asset_class ?? "", b.asset_class ?? "") || a.horizon - b.horizon;
const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
