/**
 * Tokens whose ticker another coin had first: Yahoo appends the id that CoinMarketCap gives them, so that a name is
 * right or unknown there, and never another coin's.
 */
const NUMBERED: ReadonlyMap<string, number> = new Map([
  ["APT", 21794],
  ["ARB", 11841],
  ["COMP", 5692],
  ["GRT", 6719],
  ["HYPE", 32196],
  ["IMX", 10603],
  ["JUP", 29210],
  ["MNT", 27075],
  ["PEPE", 24478],
  ["POL", 28321],
  ["S", 32684],
  ["SKY", 33038],
  ["STX", 4847],
  ["SUI", 20947],
  ["TAO", 22974],
  ["TIA", 22861],
  ["UNI", 7083],
]);

/** Tokens known to stand under their bare ticker. */
const BARE: ReadonlySet<string> = new Set(
  `BTC ETH XRP SOL BNB USDT USDC DOGE ADA TRX AVAX LINK DOT LTC BCH XLM SHIB NEAR HBAR AAVE ETC XMR ZEC CRO DAI ATOM
  ICP FIL LEO OP INJ SEI RENDER FET ALGO VET MKR LDO QNT SAND MANA AXS THETA EOS XTZ NEO KAS BONK SNX CHZ RUNE KAVA
  EGLD FLOW MINA IOTA DASH BLUR OKB BGB BSV HNT ROSE`.split(/\s+/),
);

/**
 * What Yahoo calls a token in dollars, by its ticker: `BTC-USD`, `UNI7083-USD`. Null for all whose name there is not
 * known for sure: their ticker may be another coin's.
 */
export function tokenName(ticker: string): string | null {
  const number = NUMBERED.get(ticker);
  if (number !== undefined) return `${ticker}${number}-USD`;
  return BARE.has(ticker) ? `${ticker}-USD` : null;
}
