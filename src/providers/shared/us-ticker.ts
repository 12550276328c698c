import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";

/**
 * A stock's or fund's ticker as a vendor writes it: `BRK.B`, or `BRK-B` where classes stand behind a dash; `BTC` for
 * the fund `BTC.US`. Throws ProviderFailure "unsupported" for tokens, and for preferred shares and the like, which are
 * written in too many ways.
 */
export function usTicker(instrument: Instrument, dash: "." | "-" = "."): string {
  const ticker = tickerOf(instrument);
  if (instrument.asset_class === "crypto" || !/^[A-Z]{1,6}(\.[A-Z]{1,2})?$/.test(ticker))
    throw new ProviderFailure("unsupported", "it has US stocks and funds alone");
  return ticker.replace(".", dash);
}
