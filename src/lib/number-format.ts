import { type Decimal, decimal } from "./decimal.ts";

/**
 * Decimal and thousands separators of a file: `us` 1,234.5, `continental` 1.234,5; `unsure` when one separator may be
 * either.
 */
export type NumberFormat = "us" | "continental" | "unsure";

const MAX_CELL_LENGTH = 40;
const COMMA_DECIMAL = /\d,(\d{1,2}|\d{4,})$|\d\.\d{3},\d+$/;
const POINT_DECIMAL = /\d\.(\d{1,2}|\d{4,})$|\d,\d{3}\.\d+$/;
const PLAIN = /^(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i;
/** Power of ten without a separator, which every format reads alike. */
const EXPONENT = /^\d+e[+-]?\d+$/i;
const US_GROUPS = /^\d{1,3}(,\d{3})+(\.\d*)?$/;
/** Matches a single separator followed by three digits, which may be a thousands or a decimal separator. */
const THREES = /^\d{1,3}([.,])\d{3}$/;
const CONTINENTAL = /^(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$/;

/** Detects the number format of cells. Default: `us` for a comma-separated file, `unsure` otherwise. */
export function detectNumberFormat(cells: readonly string[], separator: string): NumberFormat {
  const bare = cells.filter((cell) => cell.length <= MAX_CELL_LENGTH).map(digitsIn);
  if (bare.some((cell) => POINT_DECIMAL.test(cell))) return "us";
  if (bare.some((cell) => COMMA_DECIMAL.test(cell))) return "continental";
  return separator === "," ? "us" : "unsure";
}

/**
 * Parses an amount in dollars or units; parentheses or a minus mean negative. null when it is not a number or
 * ambiguous.
 */
export function parseNumber(cell: string, format: NumberFormat): Decimal | null {
  if (cell.length > MAX_CELL_LENGTH) return null;
  const { open, sign, late, digits, after, close } = partsOf(cell);
  const signs = [open, sign, late, after].filter((part) => part !== undefined);
  if (digits === undefined || (open === undefined) !== (close === undefined) || signs.length > 1) return null;
  const plain = normalizeDigits(digits, format);
  if (plain === null) return null;
  return signs.some((part) => part !== "+") ? decimal(plain).times(-1) : decimal(plain);
}

const NUMBER_PATTERN =
  /^(?<open>\()?\s*(?<sign>[+-])?\s*(?:US\$|USD|\$)?\s*(?<late>[+-])?\s*(?<digits>[\d.,]+(?:e[+-]?\d{1,2})?)\s*(?<after>-)?\s*(?:USD)?\s*(?<close>\))?$/i;

/** Thousands separators that no decimal separator looks like: 1 000, 1'000. */
const SPACES = /(?<=^\W*\d{1,3}(?:[ '\u2019\u00a0\u202f]\d{3})*)[ '\u2019\u00a0\u202f](?=\d{3}(?!\d))/g;
const partsOf = (cell: string): Readonly<Record<string, string | undefined>> =>
  NUMBER_PATTERN.exec(
    cell
      .trim()
      .replace(/[\u2212\u2013]/g, "-")
      .replace(SPACES, ""),
  )?.groups ?? {};
const digitsIn = (cell: string): string => partsOf(cell).digits ?? "";

/** Returns true for a number whose only separator may be one of thousands or of decimals, such as 1.000. */
export const isAmbiguousNumber = (cell: string, format: NumberFormat): boolean =>
  format === "unsure" && THREES.test(digitsIn(cell.slice(0, MAX_CELL_LENGTH)));

function normalizeDigits(text: string, format: NumberFormat): string | null {
  if (format === "continental" && !EXPONENT.test(text))
    return CONTINENTAL.test(text) ? text.replaceAll(".", "").replace(",", ".") : null;
  if (format === "unsure" && THREES.test(text)) return null;
  if (PLAIN.test(text)) return text.startsWith(".") ? `0${text}` : text.replace(/\.$/, "");
  return US_GROUPS.test(text) ? text.replaceAll(",", "").replace(/\.$/, "") : null;
}
