import { plainText } from "../../../lib/plain-text.ts";
import { rounded } from "../../../lib/rounded.ts";

/** Third-party text among the figures; the answer itself never contains it. */
export interface Quote {
  readonly text: string;
  readonly source: string | null;
  readonly untrusted: true;
}

/** Reads a tool's answer by paths such as `data.signal.score`; a missing value is null. */
export interface AnswerReader {
  number(path: string, digits?: number): number | null;
  /** Returns a price rounded to cents, or below one dollar to four significant digits. */
  price(path: string): number | null;
  /** Returns a number in millions. */
  millions(path: string, digits?: number): number | null;
  /** Returns one line of plain text, at most 120 characters. */
  text(path: string): string | null;
  /** Returns a text shortened to 300 characters, at the end of a sentence if possible. */
  reason(path: string): string | null;
  flag(path: string): boolean | null;
  /** Returns a time to the minute, `2026-01-15T14:50Z`; a date is returned unchanged. */
  moment(path: string): string | null;
  list(path: string): readonly AnswerReader[];
}

const MAX_TEXT_LENGTH = 120;
const MAX_REASON_LENGTH = 300;
const MINUTE_LENGTH = "2026-01-15T14:50".length;

/** Returns a reader of a tool's answer. */
export function readerOf(answer: unknown): AnswerReader {
  const at = (path: string): unknown =>
    path
      .split(".")
      .reduce<unknown>(
        (inside, key) =>
          typeof inside === "object" && inside !== null
            ? (inside as Record<string, unknown>)[key]
            : undefined,
        answer,
      );
  const number = (path: string, digits = 1): number | null => {
    const value = at(path);
    return typeof value === "number" && Number.isFinite(value) ? rounded(value, digits) : null;
  };
  const text = (path: string): string | null => {
    const value = at(path);
    return typeof value === "string" && value !== "" ? plainText(value, MAX_TEXT_LENGTH) : null;
  };
  return {
    number,
    text,
    price(path) {
      const value = number(path, 12);
      if (value === null) return null;
      return Math.abs(value) >= 1 ? rounded(value, 2) : Number(value.toPrecision(4));
    },
    millions(path, digits = 1) {
      const value = number(path, 0);
      return value === null ? null : rounded(value / 1e6, digits);
    },
    moment(path) {
      const value = text(path);
      return value === null || value.length <= MINUTE_LENGTH ? value : `${value.slice(0, MINUTE_LENGTH)}Z`;
    },
    reason(path) {
      const value = at(path);
      return typeof value === "string" && value !== "" ? shortened(value) : null;
    },
    flag(path) {
      const value = at(path);
      return typeof value === "boolean" ? value : null;
    },
    list(path) {
      const value = at(path);
      return Array.isArray(value) ? value.map(readerOf) : [];
    },
  };
}

/** Returns a text cut to 300 characters at the end of a sentence, before a colon or between words. */
export function shortened(text: string): string {
  const plain = plainText(text, 4 * MAX_REASON_LENGTH);
  if (plain.length <= MAX_REASON_LENGTH) return plain;
  const start = plain.slice(0, MAX_REASON_LENGTH + 1);
  const sentence = Math.max(start.lastIndexOf(". "), start.lastIndexOf(": "), start.lastIndexOf("; "));
  return start.slice(
    0,
    sentence > 0 ? sentence : start.lastIndexOf(" ") > 0 ? start.lastIndexOf(" ") : MAX_REASON_LENGTH,
  );
}
