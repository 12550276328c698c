import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";

/**
 * Returns the ticker of a stock or fund, with its class after a dot or a dash: `BRK.B`, `BRK-B`; `BTC` for the fund
 * `BTC.US`.
 * @throws ProviderFailure "unsupported" for tokens, and for securities such as preferred shares, which each provider
 * spells differently
 */
export function usTicker(instrument: Instrument, classSeparator: "." | "-" = "."): string {
  const ticker = tickerOf(instrument);
  if (instrument.asset_class === "crypto" || !/^[A-Z]{1,6}(\.[A-Z]{1,2})?$/.test(ticker))
    throw new ProviderFailure("unsupported", "only US stocks and funds are supported");
  return ticker.replace(".", classSeparator);
}
