import { QUOTED_TEXT_NOTICE } from "../../../domain/outside-text.ts";

const MAX_LINE_LENGTH = 220;
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
      line.length <= MAX_LINE_LENGTH ? line : `${line.slice(0, MAX_LINE_LENGTH - 3).trimEnd()}...`,
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
