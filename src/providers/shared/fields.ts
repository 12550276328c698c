import { z } from "zod";

/** Maximum time that a Date can represent, in milliseconds and in seconds. */
const MAX_MS = 8.64e15;
const MAX_SECONDS = 8.64e12;

export const Price = z.number().positive();
/** A price; null if it is 0 or missing. */
export const PriceOrNull = z
  .number()
  .nonnegative()
  .nullish()
  .transform((price) => (price === undefined || price === 0 ? null : price));
/** A count; null if it is missing. */
export const CountOrNull = z
  .number()
  .nonnegative()
  .nullish()
  .transform((count) => count ?? null);

/** A decimal number written as text, without sign or exponent. */
export const DecimalText = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,20})?$/)
  .transform(Number);
/** A positive price written as text. */
export const PriceText = DecimalText.refine((price) => price > 0);
/** A price written as text; 0 becomes null. */
export const PriceTextOrNull = DecimalText.transform((price) => (price > 0 ? price : null));
/** A number, or one written as text. */
export const Figure = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,20}(\.\d{1,20})?$/)
    .transform(Number),
]);
export const PositiveFigure = Figure.refine((value) => value > 0);

export const EpochMs = z.int().positive().max(MAX_MS);
/** Epoch seconds, converted to epoch ms. */
export const EpochSeconds = z
  .int()
  .positive()
  .max(MAX_SECONDS)
  .transform((seconds) => seconds * 1_000);
/**
 * ISO 8601 with an offset and up to nine fractional digits, with a T or, as databases write it, a space; converted to
 * epoch ms.
 */
export const Instant = z
  .string()
  .transform((text) => (text[10] === " " ? text.replace(" ", "T") : text))
  .pipe(z.iso.datetime({ offset: true }))
  .transform((text) => Date.parse(text));

export const OptionalText = z.string().nullish();
/** Text that starts with a date `YYYY-MM-DD`. */
export const DatedText = z.string().regex(/^\d{4}-\d\d-\d\d/);
/** Returns the `YYYY-MM-DD` at the start of a text; null for other text. */
export const leadingDate = (text: string | null | undefined): string | null =>
  /^\d{4}-\d\d-\d\d/.exec(text ?? "")?.[0] ?? null;
