import type { News } from "../../../domain/ports.ts";

/** No source of news is connected: files of bars hold none. */
export const noNews: News = {
  missing: "Files of bars hold no news; MARKET_DATA=live connects public sources, and sample simulated ones",
  headlines: async () => null,
};
