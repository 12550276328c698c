import pg from "pg";

const BOOL = 16;
const INT8 = 20;
const NUMERIC = 1700;

/** Parsers that return values as SQLite does: integers and sums as numbers, booleans as 0 and 1. */
export const types = {
  getTypeParser(id: number, format: "text" | "binary" = "text") {
    if (id === INT8) return safeInteger;
    if (id === NUMERIC) return (text: string) => (/^-?\d+$/.test(text) ? safeInteger(text) : Number(text));
    if (id === BOOL) return (text: string) => (text === "t" ? 1 : 0);
    return pg.types.getTypeParser(id, format as "text");
  },
} as pg.CustomTypesConfig;

/** @throws RangeError for an integer that a number cannot hold */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The database returned ${text}, which is no safe integer`);
  return value;
}

/**
 * Returns a value as it is bound. NaN becomes null, as in SQLite. @throws TypeError for an object, which SQLite refuses and
 * the driver would store as JSON
 */
export function toBound(value: unknown): unknown {
  if (typeof value === "number" && Number.isNaN(value)) return null;
  if (value === undefined || (typeof value === "object" && value !== null && !ArrayBuffer.isView(value)))
    throw new TypeError(
      `A value of type ${typeof value} cannot be stored: only numbers, text, buffers and null can`,
    );
  return value;
}
