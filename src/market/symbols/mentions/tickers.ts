import type { Instrument } from "../../../domain/market/market.ts";
import type { Symbols } from "../../../domain/ports.ts";
import type { Mention } from "./span.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** Matches a cashtag such as `$AAPL` or `$BRK.B`. */
export const CASHTAG = /^\$[A-Za-z][A-Za-z0-9]{0,9}([./_-][A-Za-z]{1,4})?$/;
const PAIR = /^[A-Za-z0-9]{2,10}[-/_]?USD[TC]?$/i;
/** Matches capitals that may be a US ticker, with an optional share class. */
export const CAPITALS = /^[A-Z]{1,5}([./-][A-Z]|-P[A-Z]|\.US)?$/;
const SMALL = /^([A-Za-z]{3,5}|[A-Za-z]{2,5}[./-][A-Za-z]|[A-Za-z]{1,5}\.us)$/;
/** Returns true if a token is written as a pair; its own name may end in USD. */
const isPair = (text: string, { symbol, asset_class }: Instrument): boolean =>
  asset_class === "crypto" && PAIR.test(text) && text.toUpperCase() !== symbol.replace(/-USD$/, "");
/** Matches capitals that have another meaning after certain words: `grade B`, `50-day MA`. */
const EXPLAINED =
  /^(grade|class|series|plan|phase|wave|tier|type|model|option|part|\d) [A-Z]$|(\d|day|week|hour|bar|period|moving) MA$/i;

/**
 * Returns the mention of a ticker or pair: a cashtag, a pair, capitals, or lower-case letters that are not a word.
 * Returns several mentions if separated by slashes.
 */
export function tickers(
  words: readonly Word[],
  at: number,
  {
    capitalsAreTickers,
    sure,
    symbols,
  }: { readonly capitalsAreTickers: boolean; readonly sure: boolean; readonly symbols: Symbols },
): readonly Mention[] {
  const { base } = words[at]!;
  // a cashtag always means a ticker; an unknown one throws
  if (CASHTAG.test(base)) return [{ text: base, instrument: symbols.resolve(base).instrument }];
  const read = (text: string): Mention | null => {
    const capitals = CAPITALS.test(text) && capitalsAreTickers;
    const everyday = WORDS.everyday.has(text.toLowerCase());
    if (WORDS.acronyms.has(text.toUpperCase()) || (everyday && !capitals)) return null;
    if (!(capitals || PAIR.test(text) || SMALL.test(text))) return null;
    const instrument = symbols.find(text)?.instrument;
    if (instrument === undefined) return null;
    // a word that is also the ticker of an unfamiliar instrument counts as a word
    const shown = isPair(text, instrument) || (capitals && sure && !everyday);
    if (!symbols.familiar(instrument) && !shown) return null;
    return { text, instrument };
  };
  if (EXPLAINED.test(`${words[at - 1]?.text ?? ""} ${base}`)) return [];
  const full = read(base);
  if (full !== null) return [full];
  const parts = base.split("/").map((part) => (part.length > 1 ? read(part) : null));
  const isList = parts.length > 1 && parts.every((part) => part?.instrument.asset_class !== "crypto");
  return isList && parts.every((part) => part !== null) ? parts : [];
}
