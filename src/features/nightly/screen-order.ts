import { AssetClass } from "../../domain/market/market.ts";
import type { ScreenRow } from "../../domain/nightly/scan.ts";
import { Direction, Grade, Tier } from "../../domain/signal/signal.ts";
import { WYCKOFF_PHASES } from "../../domain/signal/structure.ts";

interface Column {
  readonly key: (row: ScreenRow) => number | string | null;
  readonly order: Order;
  /** true: rows whose direction is WAIT, which have no plan, come last in either order. Default: false. */
  readonly isOfPlan?: boolean;
}

/** Sort orders of a screen. Default: that of the column. */
export const ORDERS = ["asc", "desc"] as const;
export type Order = (typeof ORDERS)[number];

/** Columns, each with its default order; rows with equal values are sorted by symbol. */
const COLUMNS = {
  score: { key: (row) => row.overallScore, order: "desc" },
  score_asc: { key: (row) => row.overallScore, order: "asc" },
  // how far the score lies from neutral, in the direction of the plan
  setup: { key: (row) => Math.abs(row.overallScore - 50), order: "desc", isOfPlan: true },
  rr: { key: (row) => row.actionCard.rr, order: "desc", isOfPlan: true },
  expected_r: {
    key: (row) => row.actionCard.odds?.expected_r?.mean ?? null,
    order: "desc",
    isOfPlan: true,
  },
  odds: { key: (row) => row.actionCard.odds?.target_first ?? null, order: "desc", isOfPlan: true },
  symbol: { key: (row) => row.symbol, order: "asc" },
  name: { key: (row) => row.name.toLowerCase(), order: "asc" },
  sector: { key: (row) => row.sector, order: "asc" },
  asset_class: { key: (row) => AssetClass.options.indexOf(row.asset_class), order: "asc" },
  // the best value is the highest
  tier: { key: (row) => -Tier.options.indexOf(row.tier), order: "desc" },
  grade: { key: (row) => (row.grade === null ? null : -Grade.options.indexOf(row.grade)), order: "desc" },
  bias: { key: (row) => Direction.options.indexOf(row.bias), order: "asc" },
  stage: { key: (row) => row.stage, order: "asc" },
  phase: { key: (row) => WYCKOFF_PHASES.indexOf(row.phase), order: "asc" },
  close: { key: (row) => row.close, order: "desc" },
  change: { key: (row) => row.change ?? null, order: "desc" },
  change_percent: { key: (row) => row.change_percent, order: "desc" },
  volume: { key: (row) => row.volume ?? null, order: "desc" },
  volume_ratio: { key: (row) => row.volume_ratio ?? null, order: "desc" },
  as_of: { key: (row) => row.as_of, order: "desc" },
} as const satisfies Readonly<Record<string, Column>>;

export type Sort = keyof typeof COLUMNS;
export const SORTS = Object.keys(COLUMNS) as [Sort, ...Sort[]];

/** Returns the comparison of rows by a column; rows without a value come last in either order. */
export function rowOrder(sort: Sort, order?: Order): (a: ScreenRow, b: ScreenRow) => number {
  const { key, isOfPlan = false, ...column }: Column = COLUMNS[sort];
  const sign = (order ?? column.order) === "asc" ? 1 : -1;
  const bySymbol = (a: ScreenRow, b: ScreenRow) => (a.symbol < b.symbol ? -1 : 1);
  const isLast = (row: ScreenRow) => Number(isOfPlan && row.bias === "WAIT");
  return (a, b) => {
    const [x, y] = [key(a), key(b)];
    const first = isLast(a) - isLast(b) || Number(x === null) - Number(y === null);
    if (first !== 0) return first;
    if (x === null || y === null || x === y) return bySymbol(a, b);
    return x < y ? -sign : sign;
  };
}
