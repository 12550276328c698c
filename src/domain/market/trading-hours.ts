/** Session coverage of bars: the regular session only, or pre-market and after-hours trades too. */
export type TradingHours = "regular" | "extended";

/**
 * Layout of bars in the day: `regular`: only the regular session; `extended`: all trading hours, on any grid;
 * `by_session`: all trading hours, each bar within one of pre-market, regular session and after-hours.
 */
export type BarLayout = TradingHours | "by_session";
