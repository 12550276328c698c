import tokens from "./tokens.json" with { type: "json" };

/**
 * CoinMarketCap ids of tokens whose plain ticker Yahoo gives to another coin; an id is never another coin's.
 */
const NUMBERED: ReadonlyMap<string, number> = new Map(Object.entries(tokens.numbered));
/** Tokens listed under their plain ticker. */
const PLAIN: ReadonlySet<string> = new Set(tokens.plain.flatMap((line) => line.split(" ")));

/** Returns Yahoo's name of a token in dollars: `BTC-USD`, `UNI7083-USD`; null if the name is not certain. */
export function tokenName(ticker: string): string | null {
  const number = NUMBERED.get(ticker);
  if (number !== undefined) return `${ticker}${number}-USD`;
  return PLAIN.has(ticker) ? `${ticker}-USD` : null;
}
