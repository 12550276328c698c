import { formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import { plainText } from "../../lib/plain-text.ts";

type Json = Readonly<Record<string, unknown>>;

/** Fields that are not shown, because the exit code has the same information or only programs need them. */
const ENVELOPE: ReadonlySet<string> = new Set(["ok", "success", "request_id"]);
const MAX_TEXT_LENGTH = 2_000;
const GAP = "  ";

/** Formats a result for a terminal: one line per field, lists of objects as tables, nested objects indented. */
export function formatAnswer(answer: Json, paint: Paint): string {
  const fields = Object.entries(answer)
    .filter(([name]) => !ENVELOPE.has(name))
    .flatMap(([name, value]) =>
      name === "data" && isObject(value) ? Object.entries(value) : [[name, value] as const],
    );
  return fields.length === 0 ? "Done." : formatObject(Object.fromEntries(fields), paint).join("\n");
}

/**
 * Formats rows as a table with their fields in order of importance: on a narrow terminal the last are left out. Missing
 * values are shown as a dash.
 */
export const formatRows = (rows: readonly Json[], paint: Paint): readonly string[] =>
  formatTable(
    rows,
    [...new Set(rows.flatMap(Object.keys))].map((head, rank) => ({
      head,
      cell: (row: Json) => formatScalar(row[head], "-"),
      rank,
    })),
    paint,
  );

function formatObject(object: Json, paint: Paint): readonly string[] {
  const names = Object.keys(object);
  const width = Math.max(0, ...names.filter((name) => isShort(object[name])).map((name) => name.length));
  return names.flatMap((name) => {
    const value = object[name];
    if (isShort(value)) return [`${paint("dim", name.padEnd(width))}${GAP}${formatShort(value)}`];
    return [paint("bold", name), ...formatBlock(value, paint).map((line) => `${GAP}${line}`)];
  });
}

function formatBlock(value: unknown, paint: Paint): readonly string[] {
  if (typeof value === "string")
    return value
      .trimEnd()
      .split("\n")
      .map((line) => `${/^ */.exec(line)?.[0]}${plainText(line, MAX_TEXT_LENGTH)}`);
  if (isMedia(value))
    return [
      `${plainText(value.alt, MAX_TEXT_LENGTH)} (${value.mime}, ${Math.ceil((value.base64.length * 3) / 4096)} kB; --json includes it)`,
    ];
  if (isObject(value)) return formatObject(value, paint);
  const items = value as readonly unknown[];
  if (items.every((item) => isObject(item) && Object.values(item).every((each) => isCell(each, paint))))
    return formatRows(items as readonly Json[], paint);
  return items.flatMap((item) => {
    const [first = "", ...rest] = isShort(item) ? [formatShort(item)] : formatBlock(item, paint);
    return [`- ${first}`, ...rest.map((line) => `${GAP}${line}`)];
  });
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isMedia = (value: unknown): value is { mime: string; base64: string; alt: string } =>
  isObject(value) && [value.mime, value.base64, value.alt].every((part) => typeof part === "string");

/** Returns true for a value that fits on the line of its name. */
function isShort(value: unknown): boolean {
  if (typeof value === "string") return !value.trimEnd().includes("\n");
  if (Array.isArray(value)) return value.every((item) => typeof item !== "object" || item === null);
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

/** Returns true for a value that takes at most half the width of the terminal. */
const isCell = (value: unknown, { columns = Number.POSITIVE_INFINITY }: Paint): boolean =>
  isShort(value) && formatScalar(value, "-").length <= columns / 2;

const formatShort = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((item) => formatScalar(item, "none")).join(", ") || "none"
    : formatScalar(value, "none");

function formatScalar(value: unknown, missing: string): string {
  if (value === null || value === undefined) return missing;
  if (typeof value === "number")
    return String(Number.isInteger(value) ? value : Number(value.toPrecision(8)));
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object") return Array.isArray(value) ? formatShort(value) : missing;
  return plainText(String(value), MAX_TEXT_LENGTH);
}
