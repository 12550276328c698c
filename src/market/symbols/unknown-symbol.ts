import type { Instrument, NotListed } from "../../domain/market/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Listing } from "./listings.ts";

const MAX_ECHO_LENGTH = 40;

/** Returns the error UNKNOWN_SYMBOL with the nearest symbols. Echoes only safe ASCII characters of the text. */
export function unknownSymbol(text: string, nearest: readonly Listing[], why?: string): ToolError {
  const symbol = echo(text);
  const candidates = nearest.map(({ instrument }) => candidate(instrument));
  return new ToolError(
    "UNKNOWN_SYMBOL",
    symbol === "" ? "The symbol is empty" : `No instrument is known as "${symbol}"`,
    {
      hint: why ?? hintOf(candidates),
      data: { symbol, price: null, data: { price: null }, candidates },
    },
  );
}

const candidate = ({ symbol, name, asset_class }: Instrument) => ({ symbol, name, asset_class });

/** Returns the error UNKNOWN_SYMBOL for an index or a former ticker, with its meaning and a hint on what to pass. */
export function notListedSymbol(text: string, { reason, hint, instrument }: NotListed): ToolError {
  const symbol = echo(text);
  const candidates = instrument === null ? [] : [candidate(instrument)];
  return new ToolError("UNKNOWN_SYMBOL", `${symbol} ${reason}`, {
    hint,
    data: { symbol, price: null, data: { price: null }, candidates },
  });
}

function hintOf([best]: readonly { symbol: string; name: string }[]): string {
  if (best) return `Did you mean ${best.symbol} (${best.name})?`;
  return "Pass a US ticker (AAPL), a share class (BRK.B) or a crypto pair (BTC-USD).";
}

/** Returns at most 40 ASCII characters; anything else is replaced by `?`. */
const echo = (text: string): string =>
  text
    .trim()
    .slice(0, MAX_ECHO_LENGTH)
    .replace(/[^A-Za-z0-9 .:\-/_$&^=]+/g, "?");
