import type { z } from "zod";

/**
 * Kind of a text field; all fields of a kind are parsed in the same way. `time`: a past date or time; `day`: a past date;
 * `coming_day`: a date from today on; `level`: a price or distance; `duration`: a length of time or a deadline; `sector`; `cursor`: where a page begins; `key`: makes a
 * call safe to retry, so an empty key is refused, not omitted.
 */
export type FieldKind = TimeKind | "level" | "duration" | "sector" | "cursor" | "key";

export const TIME_KINDS = ["time", "day", "coming_day"] as const;
export type TimeKind = (typeof TIME_KINDS)[number];

export const isTimeKind = (kind: string): kind is TimeKind => TIME_KINDS.some((one) => one === kind);

/** Metadata key of a text field: its kind. Never published. */
export const KIND = "kind";
/** Metadata key of a text field: the separator that joins a list of texts. Never published. */
export const SEPARATOR = "separator";

/** Metadata key of a time until which a tool knows what came after the days in question. Never published. */
export const JUDGED_BY = "judged_by";

/** Returns the schema of such a time. */
export const judgedBy = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ [JUDGED_BY]: true });

/** Returns the schema of a text field of a kind. */
export const ofKind = <Schema extends z.ZodType>(schema: Schema, kind: FieldKind): Schema =>
  schema.meta({ [KIND]: kind });

/** Returns the schema of a text that may also be written as a list of texts. */
export const joinedBy = <Schema extends z.ZodType>(schema: Schema, separator: string): Schema =>
  schema.meta({ [SEPARATOR]: separator });
