import { z } from "zod";

/** A price of 0 is none. */
const PriceOrNone = z
  .number()
  .nonnegative()
  .nullish()
  .transform((price) => (price === undefined || price === 0 ? null : price));

/** The newest price and its day. It names no symbol; one that it does not know is 0 throughout. */
export const Quote = z.object({
  c: z.number().nonnegative(),
  /** Close of the session before. */
  pc: PriceOrNone,
  o: PriceOrNone,
  h: PriceOrNone,
  l: PriceOrNone,
  /** Seconds. */
  t: z.number().int().nonnegative(),
});
export type Quote = z.infer<typeof Quote>;
