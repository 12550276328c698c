import type { Grade } from "../score/grade.ts";
import type { Direction } from "../score/verdict.ts";
import { forecastScores, type Told } from "./forecast.ts";
import { effective, type Interval, wilson } from "./interval.ts";
import type { Horizon } from "./outcome.ts";

/** What came of one signal after so many bars. */
export interface ScoredSignal {
  /** When the decision bar closed, and the last bar of the horizon, epoch ms. */
  readonly at: number;
  readonly known: number;
  readonly assetClass: string;
  readonly direction: Direction;
  readonly grade: Grade | null;
  readonly horizon: Horizon;
  /** From close to close, as a fraction. */
  readonly change: number;
  /** Result of the trade with a 20-bar time exit; null at other horizons and where there was no trade. */
  readonly r: number | null;
}

/** How trades of a group went, in units of their risk. */
export interface TradeRecord {
  readonly n: number;
  readonly n_eff: number;
  /** Share with a result above 0. */
  readonly win_rate: number | null;
  readonly interval: Interval | null;
  readonly mean_win_r: number | null;
  /** Below or at 0. */
  readonly mean_loss_r: number | null;
}

/** What came of the signals of one grade, direction, asset class and horizon. */
export interface RecordRow {
  readonly grade: Grade | null;
  readonly direction: Direction;
  readonly asset_class: string;
  readonly horizon: Horizon;
  readonly n: number;
  readonly n_eff: number;
  /** Days (UTC) on which they were decided. */
  readonly entry_dates: number;
  /** Share that closed in the signal's direction; null for WAIT, which has none. */
  readonly hit_rate: number | null;
  readonly interval: Interval | null;
  /** Share of all signals of the asset class, of any direction, that closed that way over the same horizon. */
  readonly base_rate: number | null;
  /** Mean change in the signal's direction less that of all signals of the asset class over the same horizon. */
  readonly mean_excess: number | null;
  readonly brier: number | null;
  readonly skill: number | null;
  /** With a 20-bar time exit, at every horizon the same. */
  readonly trades: TradeRecord;
  /** Why figures are null. */
  readonly reason: string | null;
}

const DAY = 86_400_000;
const NO_SIDE = "WAIT takes no side";

/**
 * One row for every grade, direction, asset class and horizon that has an outcome. Base rates are of all signals given,
 * WAIT too, so give those of whole universes. A close that did not move is no hit for either side.
 */
export function recordOf(scored: readonly ScoredSignal[]): readonly RecordRow[] {
  const rows: RecordRow[] = [];
  for (const [, pool] of groupsOf(scored, ({ assetClass, horizon }) => `${assetClass}|${horizon}`)) {
    const skills = forecastScores(pool.flatMap(toldOf));
    for (const [name, group] of groupsOf(pool, nameOf))
      rows.push(rowOf(group, pool, skills.get(name) ?? null));
  }
  // R is told by the 20-bar horizon alone and said of the others
  const trades = new Map(
    [...groupsOf(scored, (one) => `${one.assetClass}|${nameOf(one)}`)].map(([name, group]) => [
      name,
      tradesOf(group),
    ]),
  );
  return rows.map((row) => ({ ...row, trades: trades.get(`${row.asset_class}|${nameOf(row)}`)! }));
}

function rowOf(
  group: readonly ScoredSignal[],
  pool: readonly ScoredSignal[],
  forecast: { readonly brier: number; readonly skill: number | null } | null,
): RecordRow {
  const { grade, direction, assetClass, horizon } = group[0]!;
  const n = group.length;
  const head = {
    ...{ grade, direction, asset_class: assetClass, horizon, n, n_eff: effective(n) },
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
    base_rate: share(pool),
    mean_excess: sign * (mean(group, ({ change }) => change) - mean(pool, ({ change }) => change)),
    brier: forecast?.brier ?? null,
    skill: forecast?.skill ?? null,
    reason: null,
  };
}

function tradesOf(group: readonly ScoredSignal[]): TradeRecord {
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

const nameOf = ({ grade, direction }: { grade: Grade | null; direction: Direction }): string =>
  `${direction}|${grade}`;

const toldOf = (one: ScoredSignal): readonly Told[] =>
  one.direction === "WAIT"
    ? []
    : [
        {
          at: one.at,
          known: one.known,
          group: nameOf(one),
          hit: (one.direction === "LONG" ? 1 : -1) * one.change > 0,
        },
      ];

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
