import { z } from "zod";
import { MarketMode } from "./answers.ts";
import { Price } from "./figures.ts";
import { AssetClass, MarketState, PriceSource } from "./market/market.ts";
import { BarsProvenance, Provenance } from "./market/provenance.ts";

const Iso = z.iso.datetime();

/** Price, bars and provenance fields shared by all answers about one charted symbol. */
export const ChartedAnswerFields = {
  price: Price.nullable().describe("null with price_reason; never a stale prior close"),
  price_source: PriceSource.nullable(),
  price_reason: z.string().nullable(),
  market_state: MarketState.nullable(),
  asset_class: AssetClass,
  venue: z.string(),
  source: z.string().describe("Provider of bars and price; `sample` is simulated"),
  market: MarketMode,
  bars: z.object({
    count: z.number().int().describe("Closed bars read"),
    as_of: Iso.describe("Close time of the decision bar; no input is later"),
    adjustment: z.string(),
  }),
  provenance: z.object({
    bars: BarsProvenance,
    price: Provenance.nullable().describe("null without a quote"),
  }),
  inputs_hash: z.string().describe("Same hash and model_version give the same signal"),
} as const;
