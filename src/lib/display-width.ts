import { stripVTControlCharacters } from "node:util";

/** What takes two columns of a terminal. @see Unicode Standard Annex 11, wide and fullwidth */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\ufe0f|\p{Emoji_Presentation}/u;
const ZERO_WIDTH = /^[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]+$/u;

/** How many columns of a terminal a text of one line takes: colours none, wide characters and emoji two. */
export function displayWidth(text: string): number {
  const seen = text.includes("\u001b") ? stripVTControlCharacters(text) : text;
  if (/^[ -~]*$/.test(seen)) return seen.length;
  let width = 0;
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(seen))
    width += ZERO_WIDTH.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1;
  return width;
}
