import { z } from "zod";

/** Currency of a price: the US dollar, or a token that some exchanges trade against instead of it. */
export const PriceCurrency = z.enum(["USD", "USDT", "USDC"]);
export type PriceCurrency = z.infer<typeof PriceCurrency>;
