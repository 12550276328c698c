import type { AssetClass, Instrument } from "../../domain/market/market.ts";

/** An instrument of the simulated market with the parameters of its path. */
export interface Listing {
  readonly instrument: Instrument;
  /** Level of the slow trend on 2026-01-01, US dollars. */
  readonly price: number;
  /** Beta: multiple of the market's move. */
  readonly beta: number;
  /** Group whose common move the listing follows in addition to the market's, and its share of that move. */
  readonly group: string | null;
  readonly load: number;
  /** Yearly standard deviation of its own move, as a fraction. */
  readonly own: number;
  /** Usual daily volume, in shares or coins. */
  readonly volume: number;
  /** Price units per dollar; 100 means that the smallest step is one cent. */
  readonly scale: number;
  /** Logarithmic yearly growth of the slow trend. Default: 0.04. */
  readonly growth?: number;
}

/** Group of all coins. */
export const CRYPTO = "Crypto";

/** Symbol, price, beta, own spread, volume in millions. */
type Row = readonly [string, number, number, number, number];

const STOCKS: Readonly<Record<string, readonly Row[]>> = {
  "Information Technology": [
    ["AAPL", 265, 1.1, 0.2, 50],
    ["MSFT", 480, 1, 0.18, 22],
    ["NVDA", 180, 1.6, 0.34, 190],
    ["AVGO", 340, 1.3, 0.3, 25],
    ["AMD", 210, 1.6, 0.4, 45],
    ["ORCL", 200, 1.1, 0.3, 20],
    ["CRM", 240, 1.1, 0.27, 8],
    ["PLTR", 160, 1.6, 0.45, 60],
  ],
  "Communication Services": [
    ["GOOGL", 290, 1.05, 0.22, 35],
    ["META", 640, 1.2, 0.28, 15],
    ["NFLX", 110, 1.1, 0.3, 35],
    ["DIS", 108, 1, 0.22, 10],
  ],
  "Consumer Discretionary": [
    ["AMZN", 225, 1.2, 0.24, 45],
    ["TSLA", 420, 1.7, 0.45, 85],
    ["HD", 355, 1, 0.17, 4],
    ["MCD", 305, 0.6, 0.15, 4],
    ["NKE", 65, 1.1, 0.27, 15],
  ],
  "Consumer Staples": [
    ["WMT", 103, 0.6, 0.17, 18],
    ["COST", 910, 0.8, 0.17, 2.2],
    ["PG", 148, 0.45, 0.14, 8],
    ["KO", 71, 0.45, 0.13, 16],
  ],
  "Health Care": [
    ["LLY", 1000, 0.7, 0.29, 3.5],
    ["UNH", 330, 0.6, 0.3, 9],
    ["JNJ", 200, 0.5, 0.14, 8],
    ["PFE", 25, 0.6, 0.2, 45],
  ],
  Financials: [
    ["BRK.B", 500, 0.7, 0.11, 4.5],
    ["JPM", 305, 1.1, 0.17, 9],
    ["V", 335, 0.9, 0.15, 6],
    ["BAC", 53, 1.2, 0.18, 38],
  ],
  Industrials: [
    ["CAT", 560, 1.1, 0.22, 3.5],
    ["BA", 195, 1.2, 0.29, 8],
    ["GE", 300, 1.2, 0.23, 5],
    ["UPS", 95, 0.9, 0.22, 6],
  ],
  Energy: [
    ["XOM", 117, 0.8, 0.15, 15],
    ["CVX", 152, 0.8, 0.15, 8],
    ["COP", 90, 1, 0.2, 7],
  ],
  Materials: [
    ["LIN", 420, 0.8, 0.13, 2.2],
    ["FCX", 42, 1.4, 0.3, 16],
    ["NEM", 90, 0.5, 0.32, 10],
  ],
  Utilities: [
    ["NEE", 83, 0.6, 0.19, 9],
    ["SO", 88, 0.4, 0.12, 5],
    ["DUK", 121, 0.4, 0.12, 3.5],
  ],
  "Real Estate": [
    ["PLD", 127, 1, 0.19, 4],
    ["AMT", 180, 0.7, 0.19, 3],
    ["O", 57, 0.6, 0.13, 6],
  ],
};

/** As `Row`, followed by the group and the fund's share of the group's common move. */
const FUNDS: readonly (readonly [...Row, string | null, number])[] = [
  ["SPY", 670, 1, 0.004, 75, null, 0],
  ["QQQ", 600, 1.12, 0.015, 52, "Information Technology", 0.6],
  ["DIA", 475, 0.92, 0.025, 5, "Industrials", 0.25],
  ["IWM", 240, 1.15, 0.09, 35, "Financials", 0.3],
  ["XLK", 280, 1.2, 0.02, 9, "Information Technology", 1],
  ["XLC", 114, 1, 0.02, 5, "Communication Services", 1],
  ["XLY", 235, 1.15, 0.02, 5, "Consumer Discretionary", 1],
  ["XLP", 78, 0.55, 0.02, 13, "Consumer Staples", 1],
  ["XLV", 150, 0.65, 0.02, 10, "Health Care", 1],
  ["XLF", 53, 1, 0.02, 40, "Financials", 1],
  ["XLI", 153, 1.05, 0.02, 8, "Industrials", 1],
  ["XLE", 90, 0.85, 0.02, 15, "Energy", 1],
  ["XLB", 87, 1, 0.02, 6, "Materials", 1],
  ["XLU", 86, 0.5, 0.02, 11, "Utilities", 1],
  ["XLRE", 41, 0.8, 0.02, 6, "Real Estate", 1],
  ["GLD", 380, 0.05, 0.17, 11, null, 0],
  ["TLT", 89, -0.1, 0.14, 36, null, 0],
];

const COINS: readonly Row[] = [
  ["BTC-USD", 92_000, 0.5, 0.06, 0.03],
  ["ETH-USD", 3_100, 0.7, 0.3, 0.6],
  ["SOL-USD", 140, 0.8, 0.48, 9],
  ["XRP-USD", 2.1, 0.6, 0.45, 900],
  ["DOGE-USD", 0.15, 0.7, 0.5, 5_000],
  ["ADA-USD", 0.45, 0.7, 0.45, 900],
  ["LINK-USD", 13.5, 0.7, 0.45, 18],
  ["LTC-USD", 85, 0.6, 0.35, 3],
  ["AVAX-USD", 14, 0.8, 0.5, 15],
  ["DOT-USD", 2.3, 0.7, 0.45, 50],
  ["BCH-USD", 520, 0.6, 0.4, 0.3],
  ["BNB-USD", 880, 0.6, 0.28, 1.2],
];

const coinScale = (price: number) =>
  price >= 1_000 ? 100 : price >= 10 ? 1_000 : price >= 1 ? 10_000 : 100_000;

function listing(
  [symbol, price, beta, own, millions]: readonly [...Row, ...unknown[]],
  asset_class: AssetClass,
  { sector = null, group, load }: { sector?: string | null; group: string | null; load: number },
): Listing {
  const scale = asset_class === "crypto" ? coinScale(price) : 100;
  // names come from the symbol directory
  const instrument = { symbol, name: symbol, asset_class, sector, currency: "USD" } as const;
  return { instrument, price, beta, group, load, own, volume: millions * 1e6, scale };
}

/** All listings of the simulated venue: stocks of all eleven GICS sectors, funds and coins. */
export const LISTINGS: readonly Listing[] = [
  ...Object.entries(STOCKS).flatMap(([sector, rows]) =>
    rows.map((row) => listing(row, "equity", { sector, group: sector, load: 1 })),
  ),
  ...FUNDS.map((row) => listing(row, "etf", { group: row[5], load: row[6] })),
  ...COINS.map((row) => listing(row, "crypto", { group: CRYPTO, load: 1 })),
];
