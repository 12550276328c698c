import { displayWidth } from "./display-width.ts";

/** Minimum width of a terminal for which lines are wrapped, columns. */
const MIN_COLUMNS = 20;
const COLOUR = String.raw`\u001b\[[\d;]*m`;
/** Name of a row before its text, in letters, with the spaces after it. */
const LABEL = new RegExp(`^[a-z][a-z :-]*?(?:${COLOUR})* {2,}(?:${COLOUR})*(?=\\S)`);
const LEAD = new RegExp(`^(?:${COLOUR}| )*`);
/** Letters of scripts without spaces between words; a line may break between two of them. */
const SPACELESS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;
const BETWEEN = new RegExp(String.raw`(?<=[${SPACELESS}\p{Pe}\p{Po}])(?=[${SPACELESS}])`, "u");

/**
 * Wraps lines to `columns`; continuation lines are indented by two more columns, or to the text of a row with a short
 * name. Lines break preferably between the short
 * cells of a table row, else between words; words are never broken.
 */
export const wrapLines = (text: string, columns: number): string =>
  columns < MIN_COLUMNS
    ? text
    : text
        .split("\n")
        .map((line) => wrapLine(line, columns))
        .join("\n");

function wrapLine(line: string, columns: number): string {
  if (displayWidth(line) <= columns) return line;
  const [lead = ""] = LEAD.exec(line) ?? [];
  const indent = displayWidth(lead);
  const label = LABEL.exec(line.slice(lead.length))?.[0] ?? "";
  const isLabelled = displayWidth(label) <= columns / 4;
  const hang = Math.min(
    indent + (isLabelled && label !== "" ? displayWidth(label) : 2),
    Math.floor(columns / 2),
  );
  const done: string[] = [];
  let now = lead;
  let width = indent;
  let isEmpty = true;
  let pendingGap = 0; // spaces before a colour sequence
  for (const { gap: before, text } of piecesOf(line.slice(lead.length), columns / 3)) {
    const own = displayWidth(text);
    const gap = before + pendingGap;
    pendingGap = own === 0 ? gap : 0;
    if (own === 0) {
      now += text;
    } else if (!isEmpty && width + gap + own > columns) {
      done.push(now);
      now = " ".repeat(hang) + text;
      width = hang + own;
    } else {
      now += " ".repeat(gap) + text;
      width += gap + own;
      isEmpty = false;
    }
  }
  return [...done, now].join("\n");
}

/**
 * Splits a line into unbreakable pieces with the number of spaces before each: cells of at most `cell` columns
 * (separated by two or more spaces) and single words.
 */
function piecesOf(text: string, cell: number): readonly { readonly gap: number; readonly text: string }[] {
  return text.split(/(?<! )(?= {2})/).flatMap((part) => {
    const body = part.trimStart();
    const gap = part.length - body.length;
    const words = displayWidth(body) <= cell ? [body] : body.split(" ");
    return words.flatMap((word, i) =>
      (word.includes("://") ? [word] : word.split(BETWEEN)).map((text, j) => ({
        gap: j > 0 ? 0 : i > 0 ? 1 : gap,
        text,
      })),
    );
  });
}
