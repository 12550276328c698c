import type { ROverBase, ScoredSignal, TrackRow } from "../../domain/track-record/track.ts";
import { GRADES } from "../score/grade.ts";
import { type ForecastFold, type ForecastScore, forecastFold } from "./forecast.ts";
import { effectiveCount, wilson } from "./interval.ts";
import { TIME_EXIT } from "./outcome.ts";
import { type OverBaseFold, overBaseFold } from "./over-base.ts";

const DAY = 86_400_000;
const NO_SIDE = "WAIT takes no side";

/** An incremental track record; it stores sums and counts per row, not the signals. */
export interface RecordFold {
  /** Adds the next signals, in order of decision. Throws RangeError for an earlier one. */
  add(page: readonly ScoredSignal[]): void;
  /**
   * Returns one row for every grade, direction, asset class and horizon with an outcome so far. Base rates include all
   * added signals, also WAIT, so add those of entire universes. An unchanged close is a hit for neither side.
   */
  result(): readonly TrackRow[];
  /**
   * Returns the results of trades over their base, one row at a time: for each asset class and at last for all, LONG and
   * SHORT with a trade, of each grade and at last of all.
   */
  overBase(): Iterable<ROverBase>;
}

/** Returns an empty track record; how signals are split into pages does not matter. */
export function recordFold(): RecordFold {
  const pools = new Map<string, Pool>();
  const trades = new Map<string, Trades>();
  const compared = overBaseFold();
  return {
    add(page) {
      for (const one of page) {
        const { asset_class, horizon } = one;
        if (horizon === TIME_EXIT) compared.add(one);
        addTo(
          held(pools, `${asset_class}|${horizon}`, () => poolOf(one)),
          one,
        );
        const own = held(trades, `${asset_class}|${nameOf(one)}`, noTrades);
        if (one.r === null) continue;
        const side = one.r > 0 ? own.wins : own.losses;
        side.n++;
        side.sum += one.r;
      }
    },
    result: () =>
      [...pools.values()]
        .flatMap((pool) => {
          const scores = pool.forecast.result();
          return [...pool.groups].map(([name, group]) =>
            rowOf(group, {
              pool,
              forecast: scores.get(name) ?? null,
              // R exists for the 20-bar horizon only and is repeated for the others
              trades: tradesOf(trades.get(`${pool.asset_class}|${name}`)!),
            }),
          );
        })
        .sort(inOrder),
    overBase: () => overBaseRows(compared),
  };
}

/** Returns the track record of the given signals, in any order. */
export function recordOf(scored: readonly ScoredSignal[]): readonly TrackRow[] {
  const fold = recordFold();
  fold.add(scored.toSorted((a, b) => a.at - b.at));
  return fold.result();
}

function* overBaseRows(compared: OverBaseFold): Iterable<ROverBase> {
  const groups = compared.groups();
  const classes = [...new Set(groups.map(({ asset_class }) => asset_class).sort(byName)), null];
  for (const asset_class of classes)
    for (const direction of ["LONG", "SHORT"] as const) {
      const own = groups.filter(
        (one) => one.direction === direction && (asset_class === null || one.asset_class === asset_class),
      );
      if (own.length === 0) continue;
      const grades = [...GRADES.filter((grade) => own.some((one) => one.grade === grade)), null];
      for (const grade of grades) {
        const matches = (one: (typeof own)[number]) =>
          own.includes(one) && (grade === null || one.grade === grade);
        yield { direction, asset_class, grade, ...compared.compare(matches) };
      }
    }
}

/** All signals of an asset class at a horizon. */
interface Pool extends Pick<ScoredSignal, "asset_class" | "horizon"> {
  n: number;
  rose: number;
  fell: number;
  change: number;
  readonly forecast: ForecastFold;
  readonly groups: Map<string, Group>;
}
/** Signals of one grade and direction. */
interface Group extends Pick<ScoredSignal, "grade" | "direction"> {
  n: number;
  hits: number;
  change: number;
  dates: number;
  /** Newest date, in days since 1970. */
  day: number;
}
interface Trades {
  readonly wins: { n: number; sum: number };
  readonly losses: { n: number; sum: number };
}

const poolOf = ({ asset_class, horizon }: ScoredSignal): Pool => ({
  asset_class,
  horizon,
  n: 0,
  rose: 0,
  fell: 0,
  change: 0,
  forecast: forecastFold(horizon),
  groups: new Map(),
});
const groupOf = ({ grade, direction }: ScoredSignal): Group => ({
  grade,
  direction,
  n: 0,
  hits: 0,
  change: 0,
  dates: 0,
  day: Number.NEGATIVE_INFINITY,
});
const noTrades = (): Trades => ({ wins: { n: 0, sum: 0 }, losses: { n: 0, sum: 0 } });

function addTo(pool: Pool, one: ScoredSignal): void {
  const { at, known, change, direction } = one;
  const rose = change > 0;
  const name = nameOf(one);
  pool.forecast.add({ at, known, group: direction === "WAIT" ? null : name, rose });
  pool.n++;
  pool.change += change;
  if (rose) pool.rose++;
  if (change < 0) pool.fell++;
  const group = held(pool.groups, name, () => groupOf(one));
  group.n++;
  group.change += change;
  if (signOf(group) * change > 0) group.hits++;
  const day = Math.floor(at / DAY);
  if (day !== group.day) group.dates++;
  group.day = day;
}

function rowOf(
  group: Group,
  {
    pool,
    forecast,
    trades,
  }: { readonly pool: Pool; readonly forecast: ForecastScore | null; readonly trades: TrackRow["trades"] },
): TrackRow {
  const { grade, direction, n, dates } = group;
  const { asset_class, horizon } = pool;
  const n_eff = effectiveCount(n, horizon);
  const head = { grade, direction, asset_class, horizon, n, n_eff, entry_dates: dates, trades };
  if (direction === "WAIT")
    return {
      ...head,
      hit_rate: null,
      interval: null,
      base_rate: null,
      mean_excess: null,
      brier: null,
      skill: null,
      reason: NO_SIDE,
    };
  const hit_rate = group.hits / n;
  return {
    ...head,
    hit_rate,
    interval: wilson(hit_rate, n_eff),
    base_rate: (direction === "LONG" ? pool.rose : pool.fell) / pool.n,
    mean_excess: signOf(group) * (group.change / n - pool.change / pool.n),
    brier: forecast?.brier ?? null,
    skill: forecast?.skill ?? null,
    reason: null,
  };
}

function tradesOf({ wins, losses }: Trades): TrackRow["trades"] {
  const n = wins.n + losses.n;
  const n_eff = effectiveCount(n, TIME_EXIT);
  const win_rate = n === 0 ? null : wins.n / n;
  return {
    n,
    n_eff,
    win_rate,
    interval: win_rate === null ? null : wilson(win_rate, n_eff),
    mean_win_r: wins.n === 0 ? null : wins.sum / wins.n,
    mean_loss_r: losses.n === 0 ? null : losses.sum / losses.n,
  };
}

const nameOf = ({ grade, direction }: Pick<ScoredSignal, "grade" | "direction">): string =>
  `${direction}|${grade}`;
const signOf = ({ direction }: Pick<ScoredSignal, "direction">): number =>
  direction === "LONG" ? 1 : direction === "SHORT" ? -1 : 0;

/** Sorts by asset class, grade from most attractive to none, direction and horizon. */
const inOrder = (a: TrackRow, b: TrackRow): number =>
  byName(a.asset_class, b.asset_class) ||
  placeOf(a.grade) - placeOf(b.grade) ||
  byName(a.direction, b.direction) ||
  a.horizon - b.horizon;
const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const placeOf = (grade: TrackRow["grade"]): number =>
  grade === null ? GRADES.length : GRADES.indexOf(grade);

function held<T>(map: Map<string, T>, name: string, make: () => T): T {
  const there = map.get(name) ?? make();
  map.set(name, there);
  return there;
}
