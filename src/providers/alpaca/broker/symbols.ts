import type { Instrument } from "../../../domain/market/market.ts";
import type { Symbols } from "../../../domain/ports.ts";
import { tickerOf } from "../../../market/symbols/listings.ts";

/**
 * What Alpaca calls it in an order: `BRK.B`, `BTC/USD`, `BTC` for the fund `BTC.US`. Null for preferred shares and the
 * like, of which nobody has seen how it writes them.
 */
export function orderSymbol(instrument: Instrument): string | null {
  const ticker = tickerOf(instrument);
  if (instrument.asset_class === "crypto") return /^[A-Z0-9]{1,16}$/.test(ticker) ? `${ticker}/USD` : null;
  return /^[A-Z]{1,6}(\.[A-Z]{1,2})?$/.test(ticker) ? ticker : null;
}

/** The canonical name of what Alpaca calls `BRK.B`, `BTC/USD` or `BTCUSD`; as it stands where it is not known here. */
export function canonicalSymbol(symbol: string, kind: string, symbols: Pick<Symbols, "find">): string {
  if (kind === "crypto") return symbol.replace(/^([A-Z0-9]+?)\/?USD$/, "$1-USD").replace("/", "-");
  if (kind !== "us_equity") return symbol;
  // a bare name may belong to a token, the name of a listing never does
  for (const name of [`${symbol}.US`, symbol]) {
    const found = symbols.find(name)?.instrument;
    if (found !== undefined && found.asset_class !== "crypto" && tickerOf(found) === symbol)
      return found.symbol;
  }
  return symbol;
}
