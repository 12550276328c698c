/** The ports that a trade is previewed and sent with, beside those of its signal. */
export const TRADE_NEEDS = [
  "brokers",
  "connections",
  "tradeBook",
  "tradeRules",
  "audit",
  "log",
  "quotes",
  "symbols",
  "bars",
  "clock",
  "market",
] as const;

/** Those that orders are read back with. */
export const ORDER_NEEDS = [
  "brokers",
  "connections",
  "tradeBook",
  "audit",
  "log",
  "clock",
  "market",
] as const;
