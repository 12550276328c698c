import { plainText } from "../../../lib/plain-text.ts";
import { pricePlaces } from "../../../lib/price-places.ts";
import { rounded } from "../../../lib/rounded.ts";

/** Third-party text among the figures; the answer itself never contains it. */
export interface Quote {
  readonly text: string;
  readonly source: string | null;
  readonly untrusted: true;
}

const MAX_TEXT_LENGTH = 120;
const MAX_REASON_LENGTH = 300;
/** Fields of the source and time of an answer. */
const ORIGIN = ["source", "as_of", "data_as_of", "fetched_at", "market"];
/** Significant digits of a number: enough for prices of any size. */
const SCALAR_DIGITS = 6;
/** Matches a time or a short code, which holds no sentence that others wrote. */
const SCALAR = /^\d{4}-\d\d-\d\d[\d:.TZ]{0,16}$|^[\w.+-]{1,20}$/;
const NO_FIGURES: ReadonlySet<string> = new Set(["ok", "request_id", "next_cursor"]);
const MINUTE_LENGTH = "2026-01-15T14:50".length;

/**
 * Reads a tool's answer by paths such as `data.signal.score`, or `ranges[bars=horizon].p5`: the row of a list whose
 * `bars` are the `horizon` of the whole answer. A missing value is null.
 */
export class AnswerReader {
  readonly #answer: unknown;
  readonly #whole: unknown;

  constructor(answer: unknown, whole: unknown = answer) {
    this.#answer = answer;
    this.#whole = whole;
  }

  number(path: string, digits = 1): number | null {
    const value = this.#at(path);
    return typeof value === "number" && Number.isFinite(value) ? rounded(value, digits) : null;
  }

  /** Returns a price rounded to the price step of a coin, which is at most a cent. */
  price(path: string): number | null {
    const value = this.number(path, 12);
    if (value === null) return null;
    return value === 0 ? 0 : rounded(value, pricePlaces(Math.abs(value), "crypto"));
  }

  /** Returns a share in percent with one decimal. */
  percent(path: string): number | null {
    const share = this.number(path, 4);
    return share === null ? null : rounded(100 * share, 1);
  }

  /** Returns a number in millions. */
  millions(path: string, digits = 1): number | null {
    const value = this.number(path, 0);
    return value === null ? null : rounded(value / 1e6, digits);
  }

  /** Returns one line of plain text, at most 120 characters. */
  text(path: string): string | null {
    const value = this.#at(path);
    return typeof value === "string" && value !== "" ? plainText(value, MAX_TEXT_LENGTH) : null;
  }

  /** Returns a text shortened to 300 characters, at the end of a sentence if possible. */
  reason(path: string): string | null {
    const value = this.#at(path);
    return typeof value === "string" && value !== "" ? shortened(value) : null;
  }

  flag(path: string): boolean | null {
    const value = this.#at(path);
    return typeof value === "boolean" ? value : null;
  }

  /** Returns a time to the minute, `2026-01-15T14:50Z`; a date is returned unchanged. */
  moment(path: string): string | null {
    const value = this.text(path);
    return value === null || value.length <= MINUTE_LENGTH ? value : `${value.slice(0, MINUTE_LENGTH)}Z`;
  }

  /** Returns the first single values of the answer and of its `data`, its source and time first; texts only if short. */
  scalars(limit: number): Readonly<Record<string, unknown>> {
    const { data, ...answer } = (this.#answer ?? {}) as Readonly<Record<string, unknown>>;
    const inner = data !== null && typeof data === "object" && !Array.isArray(data) ? data : {};
    const all = { ...answer, ...inner };
    const names = [...ORIGIN.filter((name) => name in all), ...Object.keys(all)];
    const known = [...new Set(names)].flatMap((name): readonly [string, unknown][] => {
      const value = this.#at(name in inner ? `data.${name}` : name);
      if (typeof value === "number") return [[name, Number(value.toPrecision(SCALAR_DIGITS))]];
      if (typeof value === "boolean") return [[name, value]];
      return typeof value === "string" && SCALAR.test(value) ? [[name, value]] : [];
    });
    return Object.fromEntries(known.filter(([name]) => !NO_FIGURES.has(name)).slice(0, limit));
  }

  list(path: string): readonly AnswerReader[] {
    const value = this.#at(path);
    return Array.isArray(value) ? value.map((row) => new AnswerReader(row, this.#whole)) : [];
  }

  part(path: string): AnswerReader | null {
    const value = this.#at(path);
    return value === null || typeof value !== "object" ? null : new AnswerReader(value, this.#whole);
  }

  #at(path: string): unknown {
    return path.split(".").reduce<unknown>((inside, key) => {
      const [, name = key, field, of] = /^(\w+)\[(\w+)=(\w+)\]$/.exec(key) ?? [];
      const value = fieldOf(inside, name);
      if (field === undefined) return value;
      return (value as readonly unknown[] | undefined)?.find(
        (row) => fieldOf(row, field) === fieldOf(this.#whole, of!),
      );
    }, this.#answer);
  }
}

const fieldOf = (inside: unknown, name: string): unknown =>
  (inside as Readonly<Record<string, unknown>> | null | undefined)?.[name];

export const readerOf = (answer: unknown): AnswerReader => new AnswerReader(answer);

/** Returns a text cut to 300 characters at the end of a sentence, before a colon or between words. */
export function shortened(text: string): string {
  const plain = plainText(text, 4 * MAX_REASON_LENGTH);
  if (plain.length <= MAX_REASON_LENGTH) return plain;
  const start = plain.slice(0, MAX_REASON_LENGTH + 1);
  const sentence = Math.max(start.lastIndexOf(". "), start.lastIndexOf(": "), start.lastIndexOf("; "));
  const end = sentence > 0 ? sentence : start.lastIndexOf(" ");
  return start.slice(0, end > 0 ? end : MAX_REASON_LENGTH);
}
