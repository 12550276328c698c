import { shownScore } from "../../domain/figures.ts";
import { AssetClass } from "../../domain/market/market.ts";
import type { EngineRow } from "../../domain/nightly/engine.ts";
import { FACETS, type Facet, type Facets, type ScreenRow } from "../../domain/nightly/scan.ts";
import { Direction, Grade, passesGrade, Tier } from "../../domain/signal/signal.ts";
import { WYCKOFF_PHASES } from "../../domain/signal/structure.ts";

/** Filters of a screen. A row passes a list if it has one of its values. */
export interface Filters {
  readonly tier?: readonly ScreenRow["tier"][] | undefined;
  readonly bias?: readonly ScreenRow["bias"][] | undefined;
  /** Grades, or `>=B` for that grade and better ones. */
  readonly grade?: readonly string[] | undefined;
  readonly stage?: readonly number[] | undefined;
  readonly phase?: readonly ScreenRow["phase"][] | undefined;
  readonly sector?: readonly string[] | undefined;
  readonly asset_class?: readonly ScreenRow["asset_class"][] | undefined;
  readonly min_score?: number | undefined;
  /** Conditions in the syntax of backtest rules, joined by "and" or by "or". */
  readonly rules?: string | undefined;
}

export const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const VALUE_OF: Readonly<Record<Facet, (row: EngineRow) => string | number | null>> = {
  tier: ({ tier }) => tier,
  bias: ({ direction }) => direction,
  grade: ({ grade }) => grade,
  stage: ({ stage }) => stage,
  phase: ({ wyckoff }) => wyckoff.phase,
  sector: ({ sector }) => sector,
  asset_class: ({ asset_class }) => asset_class,
};

/** Values in the order in which facets list them; those of others are sorted. */
const LISTED: Readonly<Partial<Record<Facet, readonly string[]>>> = {
  tier: Tier.options,
  bias: Direction.options,
  grade: Grade.options,
  phase: WYCKOFF_PHASES,
  asset_class: AssetClass.options,
};

function accepts(facet: Facet, wanted: readonly (string | number)[], row: EngineRow): boolean {
  if (facet === "grade") return wanted.some((grade) => passesGrade(String(grade), row.grade));
  const value = VALUE_OF[facet](row);
  if (value === null) return false;
  return wanted.some((one) => (facet === "sector" ? sameText(String(one), String(value)) : one === value));
}

/** Returns the columns whose filter a row does not pass; null if it does not pass the minimum score. */
function failedFilters(row: EngineRow, filters: Filters): readonly Facet[] | null {
  if (row.score === null) return null;
  if (filters.min_score !== undefined && shownScore(row.score) < filters.min_score) return null;
  return FACETS.filter((facet) => {
    const wanted = filters[facet];
    return wanted !== undefined && wanted.length > 0 && !accepts(facet, wanted, row);
  });
}

/** Returns true if a row has a score and passes all filters but the rule. */
export const passes = (row: EngineRow, filters: Filters): boolean =>
  failedFilters(row, filters)?.length === 0;

/** Returns true if a row passes all filters but the rule and that of exactly one column. */
export const nearlyPasses = (row: EngineRow, filters: Filters): boolean =>
  failedFilters(row, filters)?.length === 1;

/** Counts rows by the values of each column. A column counts the rows that pass the filters of all other columns. */
export function facetsOf(rows: readonly EngineRow[], filters: Filters): Facets {
  const failed = new Map(rows.map((row) => [row, failedFilters(row, filters)]));
  const countsOf = (facet: Facet) => {
    const counts = new Map<string | null, number>();
    for (const row of rows) {
      if (failed.get(row)?.every((one) => one === facet) !== true) continue;
      const value = VALUE_OF[facet](row)?.toString() ?? null;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const known = [...counts.keys()].filter((value) => value !== null).sort();
    const values = LISTED[facet]?.filter((value) => counts.has(value)) ?? known;
    return [...values, ...(counts.has(null) ? [null] : [])].map((value) => ({
      value,
      count: counts.get(value)!,
    }));
  };
  return Object.fromEntries(FACETS.map((facet) => [facet, countsOf(facet)])) as Facets;
}
