/** Session coverage of bars: the regular session only, or pre-market and after-hours trades too. */
export type TradingHours = "regular" | "extended";
