import { QUOTED_TEXT_NOTICE } from "../../../domain/outside-text.ts";
import type { SkillResult } from "../../../domain/requests/interpretation.ts";

/** Maximum total length of complete answers, in characters. */
const MAX_LENGTH = { concise: 3_000, full: 32_000 } as const;
/** Maximum number of results for which a concise answer contains complete answers. */
const MAX_CONCISE_RESULTS = 3;
/** Start of the note on omitted answers. */
export const OMITTED_ANSWERS = "Omitted because of their length: full answers of";

/** Returns the results with as many complete answers as fit; those of the tools in `first` have priority. */
export function withinSize(
  results: readonly SkillResult[],
  { detail, first }: { readonly detail: keyof typeof MAX_LENGTH; readonly first: readonly string[] },
): { readonly results: readonly SkillResult[]; readonly notes: readonly string[] } {
  const rank = ({ skill }: SkillResult) => (first.includes(skill) ? 0 : 1);
  let left = detail === "concise" && results.length > MAX_CONCISE_RESULTS ? 0 : MAX_LENGTH[detail];
  const whole = new Set<SkillResult>();
  for (const result of results.toSorted((a, b) => rank(a) - rank(b))) {
    if (result.data === null) continue;
    const size = JSON.stringify(result.data).length;
    if (size > left) continue;
    left -= size;
    whole.add(result);
  }
  const omitted = new Set(results.filter((result) => result.data !== null && !whole.has(result)));
  const skills = [...new Set([...omitted].map(({ skill }) => skill))];
  return {
    results: results.map((result) => (omitted.has(result) ? { ...result, data: null } : result)),
    notes: skills.length === 0 ? [] : [`${OMITTED_ANSWERS} ${skills.join(", ")}`],
  };
}

const MAX_LINE_LENGTH = 240;
/** Share of the maximum length for the first lines of a text that is too long; the rest is for its last lines. */
const HEAD_SHARE = 0.7;
const GAP = "  ...";

/**
 * Returns a tool's text, shortened to about `maxLength` characters by omitting lines in the middle. Also omits its
 * notes, which an answer lists separately, and lines with third-party text, which tools print in typographic quotes.
 */
export function resultText(text: string, maxLength: number, notes: readonly string[] = []): string {
  const lines = text
    .split("\n")
    .filter((line) => line.trim() !== "" && line !== QUOTED_TEXT_NOTICE && !line.includes("“"))
    .filter((line) => !notes.some((note) => isNoteRow(line.trim(), note)))
    .map((line) =>
      line.length <= MAX_LINE_LENGTH
        ? line
        : `${line.slice(0, MAX_LINE_LENGTH - 3).replace(/\s+\S*$/, "")}...`,
    );
  const lengthOf = (some: readonly string[]) => some.reduce((sum, line) => sum + line.length + 1, 0);
  if (lengthOf(lines) <= maxLength) return lines.join("\n");
  const head = lines.slice(0, 1);
  for (const line of lines.slice(1)) {
    if (lengthOf(head) + line.length > maxLength * HEAD_SHARE) break;
    head.push(line);
  }
  const tail: string[] = [];
  for (const line of lines.slice(head.length).toReversed()) {
    if (lengthOf(head) + lengthOf(tail) + line.length + GAP.length > maxLength) break;
    tail.unshift(line);
  }
  return [...head, ...(tail.length === 0 ? [] : [GAP, ...tail])].join("\n");
}

/** Returns true for a row that contains only the note, or one word as its label and the note. */
const isNoteRow = (row: string, note: string): boolean =>
  row.endsWith(note) && !row.slice(0, -note.length).trim().includes(" ");
