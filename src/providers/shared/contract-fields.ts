import { z } from "zod";
import { plainText } from "../../lib/plain-text.ts";

/** Longest question, answer or title kept, in characters. */
const MAX_TEXT_LENGTH = 240;
const NUMBER = /^-?\d+(\.\d+)?(e-?\d+)?$/i;

/** A number, or one written as text; null for anything else. */
const parseNumber = (value: unknown): number | null => {
  const read = typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) ? read : null;
};

/** A price between 0 and 1, both included; null for anything else. */
export const Probability = z
  .unknown()
  .optional()
  .transform((value) => {
    const read = parseNumber(value);
    return read !== null && read >= 0 && read <= 1 ? read : null;
  });

/** An amount of 0 or more; null for anything else. */
export const Amount = z
  .unknown()
  .optional()
  .transform((value) => {
    const read = parseNumber(value);
    return read !== null && read >= 0 && read < 1e15 ? read : null;
  });

/** A moment as text, or as milliseconds, in ISO 8601 UTC; null for anything else. */
export const IsoTime = z
  .unknown()
  .optional()
  .transform((value) => {
    const at = typeof value === "number" ? value : typeof value === "string" ? Date.parse(value) : Number.NaN;
    // years that a program can write down
    return at > 0 && at < 8e12 ? new Date(at).toISOString() : null;
  });

/** A venue's own words, made fit to show; null for nothing or what is no text. */
export const DisplayText = z
  .unknown()
  .optional()
  .transform((value) => {
    const text =
      typeof value === "string" ? plainText(value.slice(0, 4 * MAX_TEXT_LENGTH), MAX_TEXT_LENGTH) : "";
    return text === "" ? null : text.replace(/\s+/g, " ");
  });

/** What a venue calls a contract or an event; null for what is no name. */
export const Id = z
  .unknown()
  .optional()
  .transform((value) => {
    const text = typeof value === "number" ? String(value) : value;
    return typeof text === "string" && /^[\w.:-]{1,120}$/.test(text) ? text : null;
  });

/** Rows as they come; null where there is no list. */
export const Rows = z
  .array(z.unknown())
  .nullish()
  .transform((rows) => rows ?? null);

/** The middle of a book, where both sides of it are there: a bid of 0 and an ask of 0 or 1 are none. */
export function topOfBook(bid: number | null, ask: number | null) {
  const [low, high] = [bid === 0 ? null : bid, ask === 0 || ask === 1 ? null : ask];
  const both = low !== null && high !== null && low <= high;
  const tidy = (value: number) => Math.round(value * 1e6) / 1e6;
  return both
    ? { bid: low, ask: high, spread: tidy(high - low), mid: tidy((low + high) / 2) }
    : { bid: low, ask: high, spread: null, mid: null };
}
