import type { OffExchange, Prints } from "../../../domain/ports.ts";

const PRINTS =
  "Live prices (MARKET_DATA=live) with UNUSUAL_WHALES_TOKEN, with ALPACA_KEY_ID and ALPACA_SECRET_KEY, or with MASSIVE_KEY of a plan that has trades";
const MARKET = "Live prices (MARKET_DATA=live) with UNUSUAL_WHALES_TOKEN";
const VOLUME = "Live prices (MARKET_DATA=live), without a key";

/** No source of off-exchange prints is connected. */
export const noPrints: Prints = {
  tape: async () => null,
  market: async () => null,
  missing: { tape: PRINTS, market: MARKET },
};

/** No source of off-exchange volume is connected. */
export const noOffExchange: OffExchange = {
  days: async () => null,
  weeks: async () => null,
  byPrice: async () => null,
  missing: { days: VOLUME, weeks: VOLUME, byPrice: MARKET },
};
