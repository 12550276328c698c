import table from "../data/figures.json" with { type: "json" };
import type { AnswerReader, Quote } from "./answer-reader.ts";

type Field = string | ({ readonly rows: string } & Readonly<Record<string, string>>);
type Fields = Readonly<Record<string, Field>>;

/** Figures of tools whose answers begin with other fields; other tools give their first single values. */
const FIELDS: Readonly<Record<string, Fields | undefined>> = table;
const MAX_SCALARS = 12;

/** Maximum number of rows of a list in the figures. */
const MAX_ROWS = 5;
const MAX_QUOTES = 3;

/**
 * Returns the rounded figures of a tool's answer. `brief` omits the figures marked with `?`, which for many symbols
 * would be too long. `reason` is omitted if there is none.
 */
export function figuresOf(
  skill: string,
  answer: AnswerReader,
  brief: boolean,
): Readonly<Record<string, unknown>> {
  const fields = FIELDS[skill];
  if (fields === undefined) return answer.scalars(MAX_SCALARS);
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !(brief && name.endsWith("?")))
      .map(([name, field]): [string, unknown] => [name.replace("?", ""), figureOf(answer, field)])
      .filter(([name, value]) => name !== "reason" || value !== null),
  );
}

function figureOf(answer: AnswerReader, field: Field): unknown {
  if (typeof field === "object") {
    const { rows, ...columns } = field;
    return answer
      .list(rows)
      .slice(0, MAX_ROWS)
      .map((row) =>
        Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, figureOf(row, one)])),
      );
  }
  const [, kind, digits, path = "", text = "", source = ""] =
    /^([a-z]+)(\d?) (\S+)(?: (\S+) (\S+))?$/.exec(field) ?? [];
  if (kind === "quotes") return quotesOf(answer.list(path), { text, source, limit: MAX_QUOTES });
  if (kind === "number" || kind === "millions") return answer[kind](path, digits === "" ? 1 : Number(digits));
  return answer[kind as "price" | "text" | "reason" | "moment" | "flag"](path);
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
