import tokens from "./tokens.json" with { type: "json" };

/** Ids of tokens whose ticker another coin had first. They are those of CoinMarketCap, so a name is never another coin's. */
const NUMBERED: ReadonlyMap<string, number> = new Map(Object.entries(tokens.numbered));
/** Tokens listed under their plain ticker. */
const PLAIN: ReadonlySet<string> = new Set(tokens.plain.flatMap((line) => line.split(" ")));

/** Yahoo's name of a token in dollars: `BTC-USD`, `UNI7083-USD`. Null unless the name is known for certain. */
export function tokenName(ticker: string): string | null {
  const number = NUMBERED.get(ticker);
  if (number !== undefined) return `${ticker}${number}-USD`;
  return PLAIN.has(ticker) ? `${ticker}-USD` : null;
}
