import type { Instrument } from "../../domain/market/market.ts";
import type { Listing, Listings } from "./listings.ts";
import { spellings, withoutExchange } from "./spelling.ts";

interface ResolvedSymbol {
  readonly listing: Listing;
  readonly alternatives: readonly Listing[];
}

const USD_QUOTES = ["USDT", "USDC", "USD"];
const OTHER_CURRENCIES = "EUR GBP JPY CHF CAD AUD NZD CNY HKD SGD KRW INR BRL MXN TRY ZAR SEK NOK".split(" ");
const OTHER_QUOTES = [...OTHER_CURRENCIES, "BTC", "ETH", "BNB", "DAI", "FDUSD", "BUSD", "TUSD"];
/** Bases of currency and metal pairs, which are not supported. */
export const NO_TOKEN = new Set([...OTHER_CURRENCIES, "USD", "XAU", "XAG", "XPT", "XPD"]);
const MAX_TICKER_LENGTH = 5;

/** Returns a name trimmed, in upper case and without the `$` of a cashtag; null unless it is short printable ASCII. */
function plainName(text: string): string | null {
  const name = text.trim();
  // letters outside ASCII are rejected before upper-casing, which would turn "ı" into "I"
  return /^[!-~]{1,24}$/.test(name) ? name.toUpperCase().replace(/^\$(?=[A-Z])/, "") : null;
}

/** Parses any accepted form of a known symbol; null for other text. */
export function parseSymbol(text: string, listings: Listings): ResolvedSymbol | null {
  const typed = text.trim();
  return parseName(typed, listings) ?? parseName(withoutExchange(typed), listings);
}

function parseName(text: string, { us, tokens }: Listings): ResolvedSymbol | null {
  const name = plainName(text);
  if (name === null) return null;
  const [stock, ...others] = listingsOf(name, text.trim(), us);
  if (stock && name.endsWith(".US")) return { listing: stock, alternatives: others };
  const token = tokens.get(name);
  if (stock && token)
    return tokenWins(stock, token)
      ? { listing: token, alternatives: [stock] }
      : { listing: stock, alternatives: [token] };
  if (stock) return { listing: stock, alternatives: others };
  const found = token ?? pairOf(name, tokens);
  return found ? { listing: found, alternatives: [] } : null;
}

/** Returns the US listings that a name may mean; only the exact match if there is one. */
function listingsOf(name: string, typed: string, us: Listings["us"]): readonly Listing[] {
  const ticker = name.replace(/\.US$/, "");
  const exact = us.get(ticker);
  if (exact) return [exact];
  return spellings(ticker, typed.replace(/\.US$/i, ""))
    .map((spelling) => us.get(spelling))
    .filter((listing) => listing !== undefined);
}

/** Returns the token of a pair that is not quoted in US dollars; null for any other text. */
export function foreignPair(text: string, { tokens }: Listings): Listing | null {
  const name = plainName(text) ?? "";
  const base =
    /^([A-Z0-9]+)[-/_](?!USD[TC]?$)[A-Z0-9]{3}/.exec(name)?.[1] ?? joinedBase(name, OTHER_QUOTES, tokens);
  return (base !== undefined && tokens.get(base)) || null;
}

/**
 * Returns the instrument for an unlisted name: a token if written as a pair, otherwise a stock; null for any other
 * text.
 */
export function inferInstrument(text: string, listings: Listings): Instrument | null {
  const name = plainName(text);
  if (name === null || foreignPair(name, listings)) return null;
  const base =
    /^([A-Z0-9]{1,12})[-/_]USD[TC]?$/.exec(name)?.[1] ??
    (name.length > MAX_TICKER_LENGTH ? /^([A-Z0-9]{2,12}?)USD[TC]?$/.exec(name)?.[1] : undefined);
  if (base !== undefined) return NO_TOKEN.has(base) ? null : instrument(`${base}-USD`, base, "crypto");
  const ticker = classShare(name.replace(/\.US$/, ""));
  return /^[A-Z][A-Z0-9]{0,9}(\.[A-Z])?$/.test(ticker) ? instrument(ticker, ticker, "equity") : null;
}

const tokenWins = (stock: Listing, token: Listing): boolean =>
  token.major && stock.instrument.asset_class === "etf";

/** Normalises `BRK-B` and `BRK/B` to `BRK.B`. A share class is one letter, so pairs are unchanged. */
const classShare = (name: string): string => name.replace(/^([A-Z]+)[-/_]([A-Z])$/, "$1.$2");

/** Returns the token of a US dollar pair such as `BTC-USD` or `BTCUSDT`. */
export function pairOf(name: string, tokens: Listings["tokens"]): Listing | undefined {
  const base = /^([A-Z0-9]+)[-/_]USD[TC]?$/.exec(name)?.[1] ?? joinedBase(name, USD_QUOTES, tokens);
  return base === undefined ? undefined : tokens.get(base);
}

/**
 * Returns the base of a joined pair such as `BTCUSDT`. A single letter before USD is a fund ticker such as CUSD, not a
 * pair.
 */
function joinedBase(name: string, quotes: readonly string[], tokens: Listings["tokens"]): string | undefined {
  return quotes
    .filter((quote) => name.endsWith(quote) && name.length - quote.length > (quote.length > 3 ? 0 : 1))
    .map((quote) => name.slice(0, -quote.length))
    .find((base) => tokens.has(base));
}

const instrument = (symbol: string, name: string, asset_class: "equity" | "crypto"): Instrument => ({
  symbol,
  name,
  asset_class,
  sector: null,
  currency: "USD",
});
