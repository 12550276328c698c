import { z } from "zod";
import { Figure } from "../shared/fields.ts";
import { parseNewYorkTime } from "../shared/timestamps.ts";

/** A price; null if it is 0 or missing. */
export const PriceOrNull = Figure.refine((price) => price >= 0)
  .nullish()
  .transform((price) => (price === undefined || price === 0 ? null : price));
/** A count; null if it is missing. */
export const CountOrNull = Figure.refine((figure) => figure >= 0)
  .nullish()
  .transform((figure) => figure ?? null);

/** Facts about a stock or fund; indexes are refused. `last_trade_time` is New York's clock, null without a trade. */
export const Header = z.object({
  symbol: z.string(),
  security_type: z.string().refine((type) => type !== "index"),
  current_price: PriceOrNull,
  last_trade_time: z
    .string()
    .nullish()
    .transform((text) => (typeof text === "string" ? parseNewYorkTime(text) : null)),
});
