import type { OptionChain, OptionContract, OptionTrade } from "../../src/domain/options-flow/options.ts";

/** A call at 100 without any market data; every field can be overridden. Its symbol is derived from the fields. */
export function option(over: Partial<OptionContract> = {}): OptionContract {
  const { expiry = "2026-02-20", type = "call", strike = 100 } = over;
  const name = `XYZ${expiry.slice(2).replaceAll("-", "")}${type === "call" ? "C" : "P"}`;
  return {
    symbol: `${name}${String(strike * 1000).padStart(8, "0")}`,
    expiry,
    type,
    strike,
    bid: null,
    ask: null,
    bidSize: null,
    askSize: null,
    last: null,
    lastTradedAt: null,
    volume: null,
    openInterest: null,
    iv: null,
    delta: null,
    gamma: null,
    theta: null,
    vega: null,
    theoretical: null,
    ...over,
  };
}

/** A trade of an AAPL call at its execution time, without details; every field can be overridden. */
export const optionTrade = (executedAt: number, over: Partial<OptionTrade> = {}): OptionTrade => ({
  id: `${executedAt}`,
  contract: "AAPL260220C00100000",
  expiry: "2026-02-20",
  type: "call",
  strike: 100,
  price: 1,
  size: 1,
  trades: 1,
  premium: 100,
  askPremium: null,
  bidPremium: null,
  sweep: null,
  floor: null,
  multileg: null,
  executedAt,
  ...over,
});

/** A chain on XYZ at 100, as of 16:00 New York on 2026-01-21, thirty days before the expiry of `option`. */
export const chainOf = (
  contracts: readonly OptionContract[],
  over: Partial<OptionChain> & { readonly price?: number | null } = {},
): OptionChain => {
  const { price = 100, ...rest } = over;
  return {
    underlying: { symbol: "XYZ", price, tradedAt: "2026-01-21T21:00:00.000Z" },
    asOf: "2026-01-21T21:00:00.000Z",
    delayMinutes: 0,
    source: "fixture",
    contracts,
    ...rest,
  };
};
