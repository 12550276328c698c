import { z } from "zod";

/** Strategies on bars, strategies on past signals, and custom rules. */
export const STRATEGIES = [
  "sma_cross",
  "ema_cross",
  "macd",
  "rsi_reversion",
  "bollinger_reversion",
  "donchian_breakout",
  "supertrend",
  "buy_hold",
  "signal",
  "momentum",
  "rules",
] as const;
/** Agents that cannot be replayed over the past, with the reason. */
const UNRECORDED: Readonly<Record<string, string>> = {
  prediction_news: "it reads news and prediction markets, and no history of them is recorded",
  edge_detection: "it reads prediction markets, and no history of them is recorded",
};
export const StrategyName = z.enum(STRATEGIES, {
  error: ({ input }) => {
    const why = typeof input === "string" && Object.hasOwn(UNRECORDED, input) ? UNRECORDED[input] : undefined;
    return why === undefined ? undefined : `${input} cannot be tested: ${why}`;
  },
});
export type StrategyName = z.infer<typeof StrategyName>;
