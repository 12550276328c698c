import { z } from "zod";
import { AssetClass, MarketState, PriceSource } from "./market/market.ts";
import { BarsProvenance, Provenance } from "./market/provenance.ts";

const Iso = z.iso.datetime();

/** Price, bars and provenance fields shared by all answers about one charted symbol. */
export const Pictured = {
  price: z.number().nullable().describe("null with price_reason; never a silent prior close"),
  price_source: PriceSource.nullable(),
  price_reason: z.string().nullable(),
  market_state: MarketState.nullable(),
  asset_class: AssetClass,
  venue: z.string(),
  source: z.string().describe("Provider of bars and price; `sample` is simulated"),
  market: z.enum(["sample", "files", "live"]),
  bars: z.object({
    count: z.number().int().describe("Closed bars read"),
    as_of: Iso.describe("When the decision bar closed; nothing later was read"),
    adjustment: z.string(),
  }),
  provenance: z.object({
    bars: BarsProvenance,
    price: Provenance.nullable().describe("null where no quote was had"),
  }),
  inputs_hash: z.string().describe("Same hash and model_version, same signal"),
} as const;
