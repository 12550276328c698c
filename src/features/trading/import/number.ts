import { type Decimal, decimal } from "../../../lib/decimal.ts";

/** How a file marks decimals and thousands: `us` 1,234.5, `continental` 1.234,5; `unsure` where a lone comma may be either. */
export type NumberFormat = "us" | "continental" | "unsure";

const MAX_CELL_LENGTH = 40;
const COMMA_DECIMAL = /\d,(\d{1,2}|\d{4,})$|\d\.\d{3},\d+$/;
const POINT_DECIMAL = /\d\.(\d{1,2}|\d{4,})$|\d,\d{3}\.\d+$/;
const PLAIN = /^(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i;
const US_GROUPS = /^\d{1,3}(,\d{3})+(\.\d*)?$/;
/** Groups of three behind marks of one kind: thousands, or three decimals. */
const THREES = /^\d{1,3}([.,])\d{3}$/;
const CONTINENTAL = /^(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$/;

/** How the numbers in some cells of a file are marked; a comma between columns leaves a lone one in a cell to thousands. */
export function detectNumberFormat(cells: readonly string[], separator: string): NumberFormat {
  const bare = cells.filter((cell) => cell.length <= MAX_CELL_LENGTH).map(digitsIn);
  if (bare.some((cell) => POINT_DECIMAL.test(cell))) return "us";
  if (bare.some((cell) => COMMA_DECIMAL.test(cell))) return "continental";
  return separator === "," ? "us" : "unsure";
}

/** The number that a cell holds, in dollars or units; parentheses or a minus for below 0. null for no number, or one that may be two. */
export function parseNumber(cell: string, marks: NumberFormat): Decimal | null {
  if (cell.length > MAX_CELL_LENGTH) return null;
  const { open, sign, late, digits, close } =
    NUMBER_PATTERN.exec(cell.trim().replace(/[\u2212\u2013]/g, "-"))?.groups ?? {};
  const signs = [open, sign, late].filter((one) => one !== undefined);
  if (digits === undefined || (open === undefined) !== (close === undefined) || signs.length > 1) return null;
  const plain = normalizeDigits(digits, marks);
  if (plain === null) return null;
  return signs.some((one) => one !== "+") ? decimal(plain).times(-1) : decimal(plain);
}

const NUMBER_PATTERN =
  /^(?<open>\()?\s*(?<sign>[+-])?\s*(?:US\$|USD|\$)?\s*(?<late>[+-])?\s*(?<digits>[\d.,]+(?:e[+-]?\d{1,2})?)\s*(?:USD)?\s*(?<close>\))?$/i;

const digitsIn = (cell: string): string => NUMBER_PATTERN.exec(cell.trim())?.groups?.digits ?? "";

function normalizeDigits(text: string, marks: NumberFormat): string | null {
  if (marks === "continental")
    return CONTINENTAL.test(text) ? text.replaceAll(".", "").replace(",", ".") : null;
  if (marks === "unsure" && THREES.test(text)) return null;
  if (PLAIN.test(text)) return text.startsWith(".") ? `0${text}` : text.replace(/\.$/, "");
  return US_GROUPS.test(text) ? text.replaceAll(",", "").replace(/\.$/, "") : null;
}
