/** Ports required to reconcile orders. */
export const ORDER_NEEDS = [
  "brokers",
  "connections",
  "tradeRepository",
  "audit",
  "log",
  "clock",
  "market",
] as const;

/** Ports required to preview and send trades, in addition to those of the signal. */
export const TRADE_NEEDS = [...ORDER_NEEDS, "tradeRules", "quotes", "symbols", "bars"] as const;
