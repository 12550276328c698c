import { readFileSync } from "node:fs";
import type { Subjects } from "../../../src/analytics/news/tokens.ts";
import type { NewsLabel } from "../../../src/domain/news/news.ts";

/** A headline with one of the companies named in it as its subject. */
export interface Row {
  readonly headline: number;
  readonly title: string;
  readonly subjects: Subjects;
  readonly label: NewsLabel;
  /** True if it names only one company. */
  readonly alone: boolean;
  /** True if its companies have different labels. */
  readonly mixed: boolean;
}

const JUDGED = /['"](.+?)['"]: ['"](positive|negative|neutral)['"]/g;

/** Headlines with a label for each company named, from a SEntFiN file (MIT): number, title, labels. */
export function readRows(path: string): readonly Row[] {
  return recordsOf(readFileSync(path, "utf8"))
    .slice(1)
    .flatMap(([number = "", title = "", judgements = ""]) => {
      const named = [...judgements.matchAll(JUDGED)].map(
        ([, name, label]) => [name!, label as NewsLabel] as const,
      );
      const mixed = new Set(named.map(([, label]) => label)).size > 1;
      return named.map(([name, label]) => ({
        headline: Number(number),
        title,
        subjects: { own: [name], others: named.map(([other]) => other).filter((other) => other !== name) },
        label,
        alone: named.length === 1,
        mixed,
      }));
    });
}

/** Parses comma-separated records with quoted fields. */
function recordsOf(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  for (const [, field = "", end] of text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g)) {
    const last = records.at(-1);
    const plain = field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
    if (last === undefined) records.push([plain]);
    else last.push(plain);
    if (end !== ",") records.push([]);
    if (end === "") break;
  }
  return records.filter((record) => record.length > 1);
}
