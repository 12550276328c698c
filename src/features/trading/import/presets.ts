/** Known export of a broker, exchange or app. */
export interface Preset {
  /** Name of the export, as in `taken_for`. */
  readonly name: string;
  /** Text above the table that only this export has. */
  readonly preamble?: RegExp;
  /** Normalised header texts, all of which the table must have. */
  readonly headers?: readonly string[];
  /** Class of its positions, which decides symbols such as BTC that may be a fund or a coin. Default: both. */
  readonly trades?: "share" | "coin";
  /** true: `Type` is the kind of the account (cash or margin), not of the instrument. */
  readonly typeIsAccount?: true;
  /** true: amounts are in the currency of the account, which the export does not name. */
  readonly currencyUnnamed?: true;
}

/** Known exports, the most specific first; any other table is read by its headers alone. */
const PRESETS: readonly Preset[] = [
  { name: "Interactive Brokers Flex query", headers: ["asset class", "currency primary"] },
  { name: "Interactive Brokers Flex query", headers: ["asset class", "level of detail"] },
  { name: "Interactive Brokers Flex query", headers: ["asset class", "cost basis money"] },
  { name: "Schwab positions", preamble: /positions for (account|all|.*accounts?)/i, trades: "share" },
  { name: "Schwab positions", headers: ["qty quantity", "mkt val market value"], trades: "share" },
  {
    name: "Fidelity positions",
    headers: ["account number", "account name", "last price", "current value"],
    typeIsAccount: true,
  },
  { name: "Fidelity positions", headers: ["last price change", "cost basis total"], typeIsAccount: true },
  { name: "E*Trade portfolio", preamble: /view summary|net account value/i, trades: "share" },
  { name: "E*Trade portfolio", headers: ["last price", "price paid", "value"], trades: "share" },
  { name: "Robinhood activity report", headers: ["activity date", "instrument", "trans code"] },
  { name: "Robinhood positions", headers: ["instrument", "average cost", "quantity"] },
  { name: "Coinbase transactions", headers: ["timestamp", "transaction type", "asset"], trades: "coin" },
  { name: "Coinbase holdings", preamble: /coinbase/i, trades: "coin" },
  { name: "Kraken ledger", headers: ["txid", "refid", "asset"], trades: "coin" },
  { name: "Kraken trades", headers: ["txid", "ordertxid", "pair"], trades: "coin" },
  { name: "Kraken balances", headers: ["asset", "balance"], trades: "coin" },
  { name: "Binance balances", headers: ["coin", "total", "available"], trades: "coin" },
  { name: "Kraken balances", preamble: /kraken/i, trades: "coin" },
  { name: "Trading 212 history", headers: ["action", "time", "isin", "ticker"], trades: "share" },
  { name: "Trading 212 pie", headers: ["slice", "owned quantity"], trades: "share", currencyUnnamed: true },
  { name: "Ghostfolio activities", headers: ["date", "code", "data source", "action"] },
  { name: "Ghostfolio holdings", headers: ["asset class", "asset sub class"] },
  { name: "Ghostfolio holdings", headers: ["data source", "symbol", "quantity"] },
];

/** Name of the sectioned statement of Interactive Brokers. */
export const IBKR_STATEMENT: Preset = { name: "Interactive Brokers statement" };

/** Any other table. */
const PLAIN_TABLE: Preset = { name: "Table of positions" };

/** Returns the export that a table comes from, by its headers and the text above it. */
export const presetOf = (names: readonly string[], preamble: string): Preset =>
  PRESETS.find(
    ({ headers, preamble: text }) =>
      (headers === undefined || headers.every((header) => names.includes(header))) &&
      (text === undefined || text.test(preamble)),
  ) ?? PLAIN_TABLE;

/** Returns true for the layout of a known export, false for any other table. */
export const isKnownExport = (preset: Preset): boolean => preset !== PLAIN_TABLE;
