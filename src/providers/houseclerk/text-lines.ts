import type { TextPiece } from "./pdf-text.ts";

/** Size under which a piece is a remark beneath a row and no cell of it. */
const MIN_CELL_FONT_SIZE = 11.9;

/** What begins a remark: capitals, whose other letters have no code, and a colon. */
export const REMARK = /^[A-Z](?: [A-Z])* ?:/;

/** Pages as lines: pieces beside each other are one line, and so is a remark however often it wraps. */
export function toTextLines(pages: readonly (readonly TextPiece[])[]): readonly string[] {
  const lines: string[] = [];
  let before: TextPiece | null = null;
  for (const piece of pages.flat()) {
    const text = piece.text.replace(/\s+/g, " ");
    const beside = before !== null && before.y === piece.y && Math.abs(before.size - piece.size) < 0.2;
    const goesOn =
      before !== null &&
      piece.size < MIN_CELL_FONT_SIZE &&
      before.size === piece.size &&
      !REMARK.test(text.trim());
    if ((beside || goesOn) && lines.length > 0) lines[lines.length - 1] += ` ${text}`;
    else lines.push(text);
    before = piece;
  }
  return lines;
}
