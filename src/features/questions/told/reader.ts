import { plainText } from "../../../lib/plain-text.ts";
import { rounded } from "../../../lib/rounded.ts";

/** An answer of a skill, read by paths such as `data.signal.score`; what is not there is null. */
export interface Reader {
  number(path: string, digits?: number): number | null;
  /** As many digits as a person needs of a price. */
  price(path: string): number | null;
  /** In millions. */
  millions(path: string, digits?: number): number | null;
  /** One line of our own words or a name of the product, 120 characters at most. */
  text(path: string): string | null;
  /** Our own words for why, whole sentences of them: 300 characters at most. */
  reason(path: string): string | null;
  isTrue(path: string): boolean;
  /** A moment to the minute: `2026-01-15T14:50Z`; a date stays one. */
  moment(path: string): string | null;
  list(path: string): readonly Reader[];
}

const LONGEST = 120;
const LONGEST_REASON = 300;
const MINUTE = "2026-01-15T14:50".length;

/** Reads the answer of a skill by paths, each figure rounded for people. */
export function readerOf(answer: unknown): Reader {
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
    return typeof value === "string" && value !== "" ? plainText(value, LONGEST) : null;
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
      return value === null || value.length <= MINUTE ? value : `${value.slice(0, MINUTE)}Z`;
    },
    reason(path) {
      const value = at(path);
      return typeof value === "string" && value !== "" ? wholeWords(value) : null;
    },
    isTrue: (path) => at(path) === true,
    list(path) {
      const value = at(path);
      return Array.isArray(value) ? value.map(readerOf) : [];
    },
  };
}

/** A text of ours, cut where it is too long at the end of a sentence, before a colon or between words. */
export function wholeWords(text: string): string {
  const plain = plainText(text, 4 * LONGEST_REASON);
  if (plain.length <= LONGEST_REASON) return plain;
  const start = plain.slice(0, LONGEST_REASON + 1);
  const sentence = Math.max(start.lastIndexOf(". "), start.lastIndexOf(": "), start.lastIndexOf("; "));
  return start.slice(
    0,
    sentence > 0 ? sentence : start.lastIndexOf(" ") > 0 ? start.lastIndexOf(" ") : LONGEST_REASON,
  );
}
