import type { Instrument } from "../../../domain/market/market.ts";
import type { Symbols } from "../../../domain/ports.ts";
import { tickerOf } from "../../../market/symbols/listings.ts";

/**
 * Returns Alpaca's symbol for an instrument in an order: `BRK.B`, `BTC/USD`, `BTC` for the fund `BTC.US`.
 * Null for preferred shares and the like, whose spelling there is unknown.
 */
export function orderSymbol(instrument: Instrument): string | null {
  const ticker = tickerOf(instrument);
  if (instrument.asset_class === "crypto") return /^[A-Z0-9]{1,16}$/.test(ticker) ? `${ticker}/USD` : null;
  return /^[A-Z]{1,6}(\.[A-Z]{1,2})?$/.test(ticker) ? ticker : null;
}

/** Canonical symbol of Alpaca's `BRK.B`, `BTC/USD` or `BTCUSD`; unchanged if it is unknown. */
export function canonicalSymbol(symbol: string, kind: string, symbols: Pick<Symbols, "find">): string {
  if (kind === "crypto") return symbol.replace(/^([A-Z0-9]+?)\/?USD$/, "$1-USD").replace("/", "-");
  if (kind !== "us_equity") return symbol;
  // a plain ticker may belong to a token, one with `.US` never does
  for (const name of [`${symbol}.US`, symbol]) {
    const found = symbols.find(name)?.instrument;
    if (found !== undefined && found.asset_class !== "crypto" && tickerOf(found) === symbol)
      return found.symbol;
  }
  return symbol;
}
