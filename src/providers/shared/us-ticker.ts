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

/**
 * Returns the canonical symbols of instruments by a provider's names for them. Instruments that the provider does not
 * serve are left out.
 */
export function symbolsByName(
  instruments: readonly Instrument[],
  nameOf: (instrument: Instrument) => string,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const instrument of instruments) {
    try {
      names.set(nameOf(instrument), instrument.symbol);
    } catch (cause) {
      if (!(cause instanceof ProviderFailure)) throw cause;
    }
  }
  return names;
}
