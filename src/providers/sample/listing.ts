import type { AssetClass, Instrument } from "../../domain/market.ts";

/** An instrument of the simulated market with what its path is drawn from. */
export interface Listing {
  readonly instrument: Instrument;
  /** The level that the slow trend passes on 2026-01-01. */
  readonly price: number;
  /** Share of the market's move. */
  readonly beta: number;
  /** Whose common move it shares beside the market's, and how much of it. */
  readonly group: string | null;
  readonly load: number;
  /** Yearly spread of its own move, as a fraction. */
  readonly own: number;
  /** Usual daily volume, in shares or coins. */
  readonly volume: number;
  /** Price units in a dollar: 100 makes the smallest step one cent. */
  readonly scale: number;
}

/** The group that all coins move with. */
export const CRYPTO = "Crypto";

/** Symbol, name, price, beta, own spread, volume in millions. */
type Row = readonly [string, string, number, number, number, number];

const STOCKS: Readonly<Record<string, readonly Row[]>> = {
  "Information Technology": [
    ["AAPL", "Apple Inc.", 265, 1.1, 0.2, 50],
    ["MSFT", "Microsoft Corporation", 480, 1, 0.18, 22],
    ["NVDA", "NVIDIA Corporation", 180, 1.6, 0.34, 190],
    ["AVGO", "Broadcom Inc.", 340, 1.3, 0.3, 25],
    ["AMD", "Advanced Micro Devices, Inc.", 210, 1.6, 0.4, 45],
    ["ORCL", "Oracle Corporation", 200, 1.1, 0.3, 20],
    ["CRM", "Salesforce, Inc.", 240, 1.1, 0.27, 8],
    ["PLTR", "Palantir Technologies Inc.", 160, 1.6, 0.45, 60],
  ],
  "Communication Services": [
    ["GOOGL", "Alphabet Inc. Class A", 290, 1.05, 0.22, 35],
    ["META", "Meta Platforms, Inc.", 640, 1.2, 0.28, 15],
    ["NFLX", "Netflix, Inc.", 110, 1.1, 0.3, 35],
    ["DIS", "The Walt Disney Company", 108, 1, 0.22, 10],
  ],
  "Consumer Discretionary": [
    ["AMZN", "Amazon.com, Inc.", 225, 1.2, 0.24, 45],
    ["TSLA", "Tesla, Inc.", 420, 1.7, 0.45, 85],
    ["HD", "The Home Depot, Inc.", 355, 1, 0.17, 4],
    ["MCD", "McDonald's Corporation", 305, 0.6, 0.15, 4],
    ["NKE", "NIKE, Inc.", 65, 1.1, 0.27, 15],
  ],
  "Consumer Staples": [
    ["WMT", "Walmart Inc.", 103, 0.6, 0.17, 18],
    ["COST", "Costco Wholesale Corporation", 910, 0.8, 0.17, 2.2],
    ["PG", "The Procter & Gamble Company", 148, 0.45, 0.14, 8],
    ["KO", "The Coca-Cola Company", 71, 0.45, 0.13, 16],
  ],
  "Health Care": [
    ["LLY", "Eli Lilly and Company", 1000, 0.7, 0.29, 3.5],
    ["UNH", "UnitedHealth Group Incorporated", 330, 0.6, 0.3, 9],
    ["JNJ", "Johnson & Johnson", 200, 0.5, 0.14, 8],
    ["PFE", "Pfizer Inc.", 25, 0.6, 0.2, 45],
  ],
  Financials: [
    ["BRK.B", "Berkshire Hathaway Inc. Class B", 500, 0.7, 0.11, 4.5],
    ["JPM", "JPMorgan Chase & Co.", 305, 1.1, 0.17, 9],
    ["V", "Visa Inc. Class A", 335, 0.9, 0.15, 6],
    ["BAC", "Bank of America Corporation", 53, 1.2, 0.18, 38],
  ],
  Industrials: [
    ["CAT", "Caterpillar Inc.", 560, 1.1, 0.22, 3.5],
    ["BA", "The Boeing Company", 195, 1.2, 0.29, 8],
    ["GE", "GE Aerospace", 300, 1.2, 0.23, 5],
    ["UPS", "United Parcel Service, Inc.", 95, 0.9, 0.22, 6],
  ],
  Energy: [
    ["XOM", "Exxon Mobil Corporation", 117, 0.8, 0.15, 15],
    ["CVX", "Chevron Corporation", 152, 0.8, 0.15, 8],
    ["COP", "ConocoPhillips", 90, 1, 0.2, 7],
  ],
  Materials: [
    ["LIN", "Linde plc", 420, 0.8, 0.13, 2.2],
    ["FCX", "Freeport-McMoRan Inc.", 42, 1.4, 0.3, 16],
    ["NEM", "Newmont Corporation", 90, 0.5, 0.32, 10],
  ],
  Utilities: [
    ["NEE", "NextEra Energy, Inc.", 83, 0.6, 0.19, 9],
    ["SO", "The Southern Company", 88, 0.4, 0.12, 5],
    ["DUK", "Duke Energy Corporation", 121, 0.4, 0.12, 3.5],
  ],
  "Real Estate": [
    ["PLD", "Prologis, Inc.", 127, 1, 0.19, 4],
    ["AMT", "American Tower Corporation", 180, 0.7, 0.19, 3],
    ["O", "Realty Income Corporation", 57, 0.6, 0.13, 6],
  ],
};

/** As `Row`, then the group and how much of its common move the fund holds. */
const FUNDS: readonly (readonly [...Row, string | null, number])[] = [
  ["SPY", "SPDR S&P 500 ETF Trust", 670, 1, 0.004, 75, null, 0],
  ["QQQ", "Invesco QQQ Trust", 600, 1.12, 0.015, 52, "Information Technology", 0.6],
  ["DIA", "SPDR Dow Jones Industrial Average ETF Trust", 475, 0.92, 0.025, 5, "Industrials", 0.25],
  ["IWM", "iShares Russell 2000 ETF", 240, 1.15, 0.09, 35, "Financials", 0.3],
  ["XLK", "Technology Select Sector SPDR Fund", 280, 1.2, 0.02, 9, "Information Technology", 1],
  ["XLC", "Communication Services Select Sector SPDR Fund", 114, 1, 0.02, 5, "Communication Services", 1],
  ["XLY", "Consumer Discretionary Select Sector SPDR Fund", 235, 1.15, 0.02, 5, "Consumer Discretionary", 1],
  ["XLP", "Consumer Staples Select Sector SPDR Fund", 78, 0.55, 0.02, 13, "Consumer Staples", 1],
  ["XLV", "Health Care Select Sector SPDR Fund", 150, 0.65, 0.02, 10, "Health Care", 1],
  ["XLF", "Financial Select Sector SPDR Fund", 53, 1, 0.02, 40, "Financials", 1],
  ["XLI", "Industrial Select Sector SPDR Fund", 153, 1.05, 0.02, 8, "Industrials", 1],
  ["XLE", "Energy Select Sector SPDR Fund", 90, 0.85, 0.02, 15, "Energy", 1],
  ["XLB", "Materials Select Sector SPDR Fund", 87, 1, 0.02, 6, "Materials", 1],
  ["XLU", "Utilities Select Sector SPDR Fund", 86, 0.5, 0.02, 11, "Utilities", 1],
  ["XLRE", "Real Estate Select Sector SPDR Fund", 41, 0.8, 0.02, 6, "Real Estate", 1],
  ["GLD", "SPDR Gold Shares", 380, 0.05, 0.17, 11, null, 0],
  ["TLT", "iShares 20+ Year Treasury Bond ETF", 89, -0.1, 0.14, 36, null, 0],
];

const COINS: readonly Row[] = [
  ["BTC-USD", "Bitcoin", 92_000, 0.5, 0.06, 0.03],
  ["ETH-USD", "Ethereum", 3_100, 0.7, 0.3, 0.6],
  ["SOL-USD", "Solana", 140, 0.8, 0.48, 9],
  ["XRP-USD", "XRP", 2.1, 0.6, 0.45, 900],
  ["DOGE-USD", "Dogecoin", 0.15, 0.7, 0.5, 5_000],
  ["ADA-USD", "Cardano", 0.45, 0.7, 0.45, 900],
  ["LINK-USD", "Chainlink", 13.5, 0.7, 0.45, 18],
  ["LTC-USD", "Litecoin", 85, 0.6, 0.35, 3],
  ["AVAX-USD", "Avalanche", 14, 0.8, 0.5, 15],
  ["DOT-USD", "Polkadot", 2.3, 0.7, 0.45, 50],
  ["BCH-USD", "Bitcoin Cash", 520, 0.6, 0.4, 0.3],
  ["BNB-USD", "BNB", 880, 0.6, 0.28, 1.2],
];

const coinScale = (price: number) =>
  price >= 1_000 ? 100 : price >= 10 ? 1_000 : price >= 1 ? 10_000 : 100_000;

function listing(
  [symbol, name, price, beta, own, millions]: readonly [...Row, ...unknown[]],
  asset_class: AssetClass,
  { sector = null, group, load }: { sector?: string | null; group: string | null; load: number },
): Listing {
  const scale = asset_class === "crypto" ? coinScale(price) : 100;
  const instrument = { symbol, name, asset_class, sector, currency: "USD" } as const;
  return { instrument, price, beta, group, load, own, volume: millions * 1e6, scale };
}

/** Everything listed on the simulated venue: stocks of all eleven GICS sectors, funds and coins. */
export const LISTINGS: readonly Listing[] = [
  ...Object.entries(STOCKS).flatMap(([sector, rows]) =>
    rows.map((row) => listing(row, "equity", { sector, group: sector, load: 1 })),
  ),
  ...FUNDS.map((row) => listing(row, "etf", { group: row[6], load: row[7] })),
  ...COINS.map((row) => listing(row, "crypto", { group: CRYPTO, load: 1 })),
];
