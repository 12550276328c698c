import table from "../data/figures.json" with { type: "json" };
import type { AnswerReader, Quote } from "./answer-reader.ts";

/** A figure by its kind and path, or those of the first rows of a list, `rows`, or of a `part` of the answer. */
type Field = string | Fields;
interface Fields {
  readonly [name: string]: Field;
}

/** Figures of tools whose answers begin with other fields; other tools give their first single values. */
const FIELDS: Readonly<Record<string, Fields | undefined>> = table;
const MAX_SCALARS = 12;

/** Maximum number of rows of a list in the figures, unless the table states another. */
const MAX_ROWS = 5;
const MAX_QUOTES = 3;

/**
 * Returns the rounded figures of a tool's answer. `brief` omits the figures marked with `?`, which for many symbols
 * would be too long. Those marked with `*` are omitted if there are none.
 */
export function figuresOf(
  skill: string,
  answer: AnswerReader,
  brief: boolean,
): Readonly<Record<string, unknown>> {
  const fields = FIELDS[skill];
  return fields === undefined ? answer.scalars(MAX_SCALARS) : figuresIn(answer, fields, brief);
}

const figuresIn = (answer: AnswerReader, fields: Fields, brief = false) =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !(brief && name.endsWith("?")))
      .map(([name, field]) => [name, figureOf(answer, field)] as const)
      .filter(([name, value]) => !name.endsWith("*") || (value !== null && String(value) !== ""))
      .map(([name, value]) => [name.replace(/[?*]$/, ""), value]),
  );

function figureOf(answer: AnswerReader, field: Field): unknown {
  if (typeof field === "object") {
    const { rows, part, ...fields } = field;
    if (typeof rows === "string") {
      const [path = "", most = MAX_ROWS] = rows.split(" ");
      const shown = answer.list(path).slice(0, Number(most));
      return shown.map((row) => figuresIn(row, fields));
    }
    const inside = answer.part(String(part));
    return inside === null ? null : figuresIn(inside, fields);
  }
  const [, kind, digits, path = "", text = "", source = ""] =
    /^([a-z]+)(\d?) (\S+)(?: (\S+) (\S+))?$/.exec(field) ?? [];
  if (kind === "quotes") return quotesOf(answer.list(path), { text, source, limit: MAX_QUOTES });
  if (kind === "number" || kind === "millions") return answer[kind](path, digits === "" ? 1 : Number(digits));
  return answer[kind as "price" | "percent" | "text" | "reason" | "moment" | "flag"](path);
}

/** Returns third-party texts at a path of each row, without duplicates, marked as untrusted. */
export function quotesOf(
  rows: readonly AnswerReader[],
  { text, source, limit }: { readonly text: string; readonly source: string; readonly limit: number },
): readonly Quote[] {
  const quotes = new Map<string, Quote>();
  for (const row of rows) {
    const words = row.text(text);
    if (words !== null && !quotes.has(words))
      quotes.set(words, { text: words, source: row.text(source), untrusted: true });
  }
  return [...quotes.values()].slice(0, limit);
}
