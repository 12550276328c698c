import type { TextPiece } from "./pdf-text.ts";

/** Pieces of a smaller font size are remarks below a row. */
const MIN_CELL_FONT_SIZE = 11.9;

/** Start of a remark: capitals, whose other letters have no code, and a colon. */
export const REMARK = /^[A-Z](?: [A-Z])* ?:/;

/**
 * Joins text pieces to lines: pieces at the same height form a line, and a remark with its wrapped lines
 * forms one line.
 */
export function toTextLines(pages: readonly (readonly TextPiece[])[]): readonly string[] {
  const lines: string[] = [];
  let before: TextPiece | null = null;
  for (const piece of pages.flat()) {
    const text = piece.text.replace(/\s+/g, " ");
    const isSameLine = before !== null && before.y === piece.y && Math.abs(before.size - piece.size) < 0.2;
    const isWrappedRemark =
      before !== null &&
      piece.size < MIN_CELL_FONT_SIZE &&
      before.size === piece.size &&
      !REMARK.test(text.trim());
    if ((isSameLine || isWrappedRemark) && lines.length > 0) lines[lines.length - 1] += ` ${text}`;
    else lines.push(text);
    before = piece;
  }
  return lines;
}
