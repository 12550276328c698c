import { z } from "zod";

/** A price, or a percent change from the last close, as text: `190`, `+5%`, `-3.5%`. */
export const LevelText = z
  .string()
  .trim()
  .max(24)
  .regex(/^(\$?\d+(\.\d+)?|[+-]?\d+(\.\d+)?\s?%)$/, "must be a price such as 190.5, or a percent such as -3%")
  .describe("190.5 or -3%");
