import { z } from "zod";
import { Failure, Figure, Iso } from "../answers.ts";
import { Percent, Price } from "../figures.ts";
import { PriceCurrency } from "./currency.ts";
import { AssetClass, MarketState, PriceSource } from "./market.ts";
import { Provenance } from "./provenance.ts";

/** Quote of one of several symbols. */
export const QuoteRow = z.object({
  symbol: z.string(),
  asset_class: AssetClass,
  venue: z.string(),
  price: Price.describe("USD, or the currency named"),
  change: Price.nullable().describe("Change from the previous close"),
  changePercent: Percent.nullable().describe("Change from the previous close, percent"),
  volume: Figure,
  high: Price.nullable(),
  low: Price.nullable(),
  open: Price.nullable(),
  bid: Price.nullable().describe("Best bid of the venue"),
  ask: Price.nullable().describe("Best ask of the venue"),
  bid_ask_reason: z.string().nullable().describe("Why bid or ask is null"),
  timestamp: Iso.describe("Time of the trade at this price"),
  price_source: PriceSource,
  market_state: MarketState,
  delayed_minutes: Figure.describe("Delay of the feed, minutes; null without a feed"),
  currency: PriceCurrency,
  source: z.string().describe("Provider that supplied the figures; `sample` is simulated"),
  provenance: Provenance,
});
export type QuoteRow = z.infer<typeof QuoteRow>;

/** Error of one of several symbols. */
export const QuoteError = z.object({ symbol: z.string().describe("Symbol as requested"), ...Failure.shape });
export type QuoteError = z.infer<typeof QuoteError>;
