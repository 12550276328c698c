/** Whether bars hold the regular session alone or trades before and after it too. */
export type TradingHours = "regular" | "extended";
