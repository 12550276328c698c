import type { Input } from "../../api/tools.ts";

export type ScreenInput = Input<"screen_universe">;

/** Columns by which the rows are filtered, with their names. */
export const FILTERS = {
  bias: "Signal",
  tier: "Tier",
  grade: "Grade",
  asset_class: "Asset class",
  stage: "Stage",
  phase: "Wyckoff",
  sector: "Sector",
} as const;
export type Filter = keyof typeof FILTERS;
export const FILTER_NAMES = Object.keys(FILTERS) as readonly Filter[];

/** What the address of the page says about the rows; every part can be shared as a link. */
export interface Screen {
  readonly filters: Readonly<Record<Filter, readonly string[]>>;
  readonly rules: string;
  readonly sort: string;
  readonly order: "asc" | "desc";
}

const DEFAULT_SORT = "setup";
const SEPARATOR = "|";

/** Reads the screen from the query of an address. */
export function screenOf(query: URLSearchParams): Screen {
  const values = (filter: Filter) => query.get(filter)?.split(SEPARATOR).filter(Boolean) ?? [];
  return {
    filters: Object.fromEntries(FILTER_NAMES.map((name) => [name, values(name)])) as Record<Filter, string[]>,
    rules: query.get("rules") ?? "",
    sort: query.get("sort") ?? DEFAULT_SORT,
    order: query.get("order") === "asc" ? "asc" : "desc",
  };
}

/** Returns the query of the address of a screen, without what is the default. */
export function queryOf({ filters, rules, sort, order }: Screen): string {
  const query = new URLSearchParams();
  for (const name of FILTER_NAMES)
    if (filters[name].length > 0) query.set(name, filters[name].join(SEPARATOR));
  if (rules !== "") query.set("rules", rules);
  if (sort !== DEFAULT_SORT) query.set("sort", sort);
  if (order !== "desc") query.set("order", order);
  return query.toString();
}

/** Returns the input of screen_universe for a screen. */
export function inputOf({ filters, rules, sort, order }: Screen): ScreenInput {
  const given = FILTER_NAMES.filter((name) => filters[name].length > 0);
  const wanted = given.map((name) => [name, name === "stage" ? filters[name].map(Number) : filters[name]]);
  return {
    ...Object.fromEntries(wanted),
    ...(rules !== "" && { rules }),
    sort: sort as NonNullable<ScreenInput["sort"]>,
    order,
  };
}

/** Returns a screen with a value of a filter added, or taken away if it has it. */
export function toggled(screen: Screen, filter: Filter, value: string): Screen {
  const values = screen.filters[filter];
  const changed = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  return { ...screen, filters: { ...screen.filters, [filter]: changed } };
}
