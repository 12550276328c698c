import type { ScoredSignal, TrackRow } from "../../domain/track.ts";
import { GRADES } from "../score/grade.ts";
import { forecastScores, type Told } from "./forecast.ts";
import { effective, wilson } from "./interval.ts";

const DAY = 86_400_000;
const NO_SIDE = "WAIT takes no side";

/**
 * One row for every grade, direction, asset class and horizon that has an outcome. Base rates are of all signals given,
 * WAIT too, so give those of whole universes. A close that did not move is no hit for either side.
 */
export function recordOf(scored: readonly ScoredSignal[]): readonly TrackRow[] {
  const rows: TrackRow[] = [];
  for (const [, pool] of groupsOf(scored, ({ asset_class, horizon }) => `${asset_class}|${horizon}`)) {
    const skills = forecastScores(pool.map(toldOf));
    const base = baseOf(pool);
    for (const [name, group] of groupsOf(pool, nameOf))
      rows.push(rowOf(group, base, skills.get(name) ?? null));
  }
  // R is told by the 20-bar horizon alone and said of the others
  const trades = new Map(
    [...groupsOf(scored, (one) => `${one.asset_class}|${nameOf(one)}`)].map(([name, group]) => [
      name,
      tradesOf(group),
    ]),
  );
  return rows
    .map((row) => ({ ...row, trades: trades.get(`${row.asset_class}|${nameOf(row)}`)! }))
    .sort(inOrder);
}

/** By asset class, grade from the most attractive to none, direction and horizon. */
const inOrder = (a: TrackRow, b: TrackRow): number =>
  byName(a.asset_class, b.asset_class) ||
  placeOf(a.grade) - placeOf(b.grade) ||
  byName(a.direction, b.direction) ||
  a.horizon - b.horizon;
const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const placeOf = (grade: TrackRow["grade"]): number =>
  grade === null ? GRADES.length : GRADES.indexOf(grade);

function rowOf(
  group: readonly ScoredSignal[],
  base: Base,
  forecast: { readonly brier: number; readonly skill: number | null } | null,
): TrackRow {
  const { grade, direction, asset_class, horizon } = group[0]!;
  const n = group.length;
  const head = {
    ...{ grade, direction, asset_class, horizon, n, n_eff: effective(n) },
    entry_dates: new Set(group.map(({ at }) => Math.floor(at / DAY))).size,
    trades: tradesOf([]),
  };
  if (direction === "WAIT")
    return {
      ...head,
      ...{ hit_rate: null, interval: null, base_rate: null, mean_excess: null, brier: null, skill: null },
      reason: NO_SIDE,
    };
  const sign = direction === "LONG" ? 1 : -1;
  const share = (of: readonly ScoredSignal[]) => mean(of, ({ change }) => (sign * change > 0 ? 1 : 0));
  const hit_rate = share(group);
  return {
    ...head,
    hit_rate,
    interval: wilson(hit_rate, head.n_eff),
    base_rate: sign === 1 ? base.rose : base.fell,
    mean_excess: sign * (mean(group, ({ change }) => change) - base.change),
    brier: forecast?.brier ?? null,
    skill: forecast?.skill ?? null,
    reason: null,
  };
}

/** Of all signals of an asset class at a horizon: shares that rose and fell, mean change. */
type Base = ReturnType<typeof baseOf>;
const baseOf = (pool: readonly ScoredSignal[]) => ({
  rose: mean(pool, ({ change }) => (change > 0 ? 1 : 0)),
  fell: mean(pool, ({ change }) => (change < 0 ? 1 : 0)),
  change: mean(pool, ({ change }) => change),
});

function tradesOf(group: readonly ScoredSignal[]): TrackRow["trades"] {
  const results = group.flatMap(({ r }) => (r === null ? [] : [r]));
  const wins = results.filter((r) => r > 0);
  const losses = results.filter((r) => r <= 0);
  const n = results.length;
  const win_rate = n === 0 ? null : wins.length / n;
  return {
    ...{ n, n_eff: effective(n), win_rate },
    interval: win_rate === null ? null : wilson(win_rate, effective(n)),
    mean_win_r: wins.length === 0 ? null : mean(wins, (r) => r),
    mean_loss_r: losses.length === 0 ? null : mean(losses, (r) => r),
  };
}

const nameOf = ({ grade, direction }: Pick<ScoredSignal, "grade" | "direction">): string =>
  `${direction}|${grade}`;

const toldOf = (one: ScoredSignal): Told => ({
  at: one.at,
  known: one.known,
  group: one.direction === "WAIT" ? null : nameOf(one),
  rose: one.change > 0,
});

function groupsOf(all: readonly ScoredSignal[], of: (one: ScoredSignal) => string) {
  const groups = new Map<string, ScoredSignal[]>();
  for (const one of all) {
    const name = of(one);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return groups;
}

const mean = <T>(of: readonly T[], value: (one: T) => number): number =>
  of.reduce((sum, one) => sum + value(one), 0) / of.length;
