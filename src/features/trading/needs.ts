/** Ports required to reconcile orders. */
export const ORDER_PORTS = [
  "brokers",
  "connections",
  "tradeRepository",
  "audit",
  "log",
  "clock",
  "market",
] as const;

/** Ports required to preview and send trades, in addition to those of the signal. */
export const TRADE_PORTS = [...ORDER_PORTS, "tradeRules", "quotes", "symbols", "bars"] as const;
