import { z } from "zod";
import type { ContractProviderAnswer, VenueContract } from "../../domain/prediction-markets/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { displayText } from "./display-text.ts";
import { parseTimeInUtc } from "./timestamps.ts";

/** Maximum length of a question, answer or title, characters. */
const MAX_TEXT_LENGTH = 240;
const NUMBER = /^-?\d+(\.\d+)?(e-?\d+)?$/i;

/** Maximum number of rows of one response; the longest page has 1,000. */
const MAX_ROWS = 5_000;

/** Returns the rows unchanged. @throws ProviderFailure "malformed" for more than 5,000, which no page has */
export function boundedRows(rows: readonly unknown[]): readonly unknown[] {
  if (rows.length > MAX_ROWS) throw new ProviderFailure("malformed", `more than ${MAX_ROWS} rows`);
  return rows;
}

/** Returns a number, also one written as text; null for anything else. */
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

/** A time as text, in UTC if it names no zone, or as epoch ms; converted to ISO 8601 UTC; null for anything else. */
export const IsoTime = z
  .unknown()
  .optional()
  .transform((value) => {
    const at =
      typeof value === "number" ? value : typeof value === "string" ? parseTimeInUtc(value) : Number.NaN;
    return at > 0 && at < 8e12 ? new Date(at).toISOString() : null;
  });

/** A venue's text, sanitized for display; null for empty text and for anything else. */
export const DisplayText = z
  .unknown()
  .optional()
  .transform((value) => {
    const text = typeof value === "string" ? displayText(value, MAX_TEXT_LENGTH) : "";
    return text === "" ? null : text;
  });

/** A venue's id of a contract or an event; null for anything else. */
export const Id = z
  .unknown()
  .optional()
  .transform((value) => {
    const text = typeof value === "number" ? String(value) : value;
    return typeof text === "string" && /^[\w.:-]{1,120}$/.test(text) ? text : null;
  });

/** Unparsed rows; null if the value is not a list. */
export const Rows = z
  .array(z.unknown())
  .nullish()
  .transform((rows) => rows ?? null);

/** Returns the best bid and ask with their mid. A bid of 0 and an ask of 0 or 1 count as missing. */
export function topOfBook(bid: number | null, ask: number | null) {
  const [low, high] = [bid === 0 ? null : bid, ask === 0 || ask === 1 ? null : ask];
  const both = low !== null && high !== null && low <= high;
  const tidy = (value: number) => Math.round(value * 1e6) / 1e6;
  return both
    ? { bid: low, ask: high, spread: tidy(high - low), mid: tidy((low + high) / 2) }
    : { bid: low, ask: high, spread: null, mid: null };
}

/** A parsed row: an open contract, "dead" for a settled or closed one, or "unreadable". */
export type ContractRow = VenueContract | "dead" | "unreadable";

/**
 * Returns the open contracts of a response. @throws ProviderFailure "malformed" if there are rows but all are
 * unreadable
 */
export function contractsFrom(rows: readonly ContractRow[]): ContractProviderAnswer {
  if (rows.length > 0 && rows.every((row) => row === "unreadable"))
    throw new ProviderFailure("malformed", "no row can be read");
  const contracts = rows.filter((row) => typeof row === "object");
  return { contracts, dropped: rows.length - contracts.length };
}
