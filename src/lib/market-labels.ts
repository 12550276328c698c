/** Where the prices of a market come from. */
export type MarketKind = "sample" | "files" | "live";

/** What each market is called, and what that means in two words and in a sentence. */
export const MARKET_LABELS = {
  sample: { name: "SAMPLE", meaning: "simulated", sentence: "All prices are simulated" },
  files: { name: "FILES", meaning: "your own bars", sentence: "Closes of your own bars; no live prices" },
  live: { name: "LIVE", meaning: "real prices", sentence: "Prices of the connected providers" },
} as const satisfies Record<MarketKind, object>;
