import { daysUntil, premiumOf, quoteTime } from "../../analytics/flow/contract.ts";
import { ratio } from "../../analytics/flow/sums.ts";
import type { TradesOfAKind } from "../../analytics/flow/tape.ts";
import type { FlowContract, FlowProvenance, FlowSides, FlowTrades } from "../../domain/options-flow/flow.ts";
import type { OptionContract, OptionTrade } from "../../domain/options-flow/options.ts";
import type { AnswerOrigin, OptionChainAnswer } from "../../domain/ports.ts";

/** Rounds to a number of decimals; null stays null. */
export const rounded = (value: number | null, digits = 2): number | null =>
  value === null ? null : Number(value.toFixed(digits));

/** Rounds sums for the answer: to whole contracts or dollars, the ratio to four decimals. */
export const sidesRow = ({ call, put, total, put_call }: FlowSides): FlowSides => ({
  call: rounded(call, 0),
  put: rounded(put, 0),
  total: rounded(total, 0),
  put_call: rounded(put_call, 4),
});

/** Returns a contract as a row of the answer. `traded` replaces the volume of the session. */
export function contractRow(
  contract: OptionContract,
  now: number,
  traded: { readonly volume: number; readonly premium: number | null } | null = null,
): FlowContract {
  const { symbol, expiry, type, strike, bid, ask, last, openInterest, iv, delta } = contract;
  return {
    contract: symbol,
    expiry,
    type,
    strike,
    days: daysUntil(expiry, now),
    bid: rounded(bid, 4),
    ask: rounded(ask, 4),
    last: rounded(last, 4),
    volume: traded === null ? contract.volume : traded.volume,
    open_interest: openInterest,
    volume_oi: rounded(ratio(contract.volume, openInterest), 4),
    premium: rounded(traded === null ? premiumOf(contract) : traded.premium, 0),
    iv: rounded(iv, 4),
    delta: rounded(delta, 4),
  };
}

/** Returns the sums and the largest trades of a kind as rows of the answer. */
export const tradesRow = (
  { count, premium, netCall, netPut, largest }: TradesOfAKind,
  limit: number,
): FlowTrades => ({
  count,
  premium: sidesRow(premium),
  net_call_premium: rounded(netCall, 0),
  net_put_premium: rounded(netPut, 0),
  largest: largest.slice(0, limit).map((trade) => ({
    contract: trade.contract,
    expiry: trade.expiry,
    type: trade.type,
    strike: trade.strike,
    executed_at: new Date(trade.executedAt).toISOString(),
    price: Number(trade.price.toFixed(4)),
    size: trade.size,
    trades: trade.trades,
    premium: Number(trade.premium.toFixed(2)),
    side: sideOf(trade),
  })),
});

/** Returns the side at which at least two thirds of the premium was paid, else `mixed`; null if unknown. */
function sideOf({ premium, askPremium, bidPremium }: OptionTrade): "ask" | "bid" | "mixed" | null {
  if (askPremium === null || bidPremium === null) return null;
  if (3 * askPremium >= 2 * premium) return "ask";
  return 3 * bidPremium >= 2 * premium ? "bid" : "mixed";
}

export const provenanceOf = ({ chain, ...by }: OptionChainAnswer): FlowProvenance => ({
  ...sourceRow(by),
  as_of: new Date(quoteTime(chain)).toISOString(),
  delay_minutes: chain.delayMinutes,
});

/** Returns the provider, the fetch time and the providers that failed before it. */
export const sourceRow = ({ source, fetchedAt, stale, tried }: AnswerOrigin) => {
  const failed = tried.filter(({ outcome, provider }) => outcome !== "answered" && provider !== source);
  return {
    provider: source,
    fetched_at: fetchedAt,
    stale,
    fallback_from: [...new Set(failed.map(({ provider }) => provider))],
  };
};
