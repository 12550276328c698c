import { z } from "zod";

/** ISO 8601, in some documents with a blank instead of the T; converted to epoch ms. */
export const Instant = z
  .string()
  .transform((text) => Date.parse(text.replace(" ", "T")))
  .refine((at) => !Number.isNaN(at));

/** A boolean, or one written as text; null if it is missing. */
export const FlagOrNull = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
  .nullish()
  .transform((flag) => flag ?? null);
