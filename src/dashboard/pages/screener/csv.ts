import type { ScreenRow } from "../../views/screener/table-row.ts";

const COLUMNS: Readonly<Record<string, (row: ScreenRow) => string | number | null | undefined>> = {
  symbol: ({ symbol }) => symbol,
  name: ({ name }) => name,
  asset_class: ({ asset_class }) => asset_class,
  sector: ({ sector }) => sector,
  tier: ({ tier }) => tier,
  bias: ({ bias }) => bias,
  grade: ({ grade }) => grade,
  score: ({ overallScore }) => overallScore,
  close: ({ close }) => close,
  change_percent: ({ change_percent }) => change_percent,
  volume: ({ volume }) => volume,
  entry: ({ actionCard }) => actionCard.entry,
  stop: ({ actionCard }) => actionCard.stop,
  target: ({ actionCard }) => actionCard.target,
  reward_to_risk: ({ actionCard }) => actionCard.rr,
  levels_basis: ({ actionCard }) => actionCard.levels_basis,
  stage: ({ stage }) => stage,
  wyckoff: ({ phase }) => phase,
  elliott: ({ wave }) => wave,
  as_of: ({ as_of }) => as_of,
  source: ({ source }) => source,
};

/** Returns rows as CSV with a line of names. Texts that a spreadsheet would run as a formula get an apostrophe. */
export function csvOf(rows: readonly ScreenRow[]): string {
  const names = Object.keys(COLUMNS);
  const lines = rows.map((row) => names.map((name) => cellOf(COLUMNS[name]!(row))).join(","));
  return `${[names.join(","), ...lines].join("\r\n")}\r\n`;
}

function cellOf(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
