import type { OptionTrade } from "../../domain/options-flow/options.ts";
import { tickAt } from "./descent.ts";
import { draw, keyOf, unit } from "./draws.ts";
import { DAY_TICKS, tickEnd } from "./intraday.ts";
import { type OptionConditions, splitByWeights } from "./option-conditions.ts";
import { priceOption, tradedBy } from "./option-contracts.ts";
import type { ListedOption } from "./option-listing.ts";
import type { Recording } from "./recordings.ts";

/** Number of equal periods of a day; an option has at most one large trade in each. */
const PERIODS = 12;
const PERIOD_TICKS = DAY_TICKS / PERIODS;
/** Maximum number of large trades of a listing in each period. */
const TRADES_PER_PERIOD = 4;
/** Probability of each of them; trades below the minimum premium are omitted afterwards. */
const TRADE_SHARE = 0.7;
/** Smallest and largest share of an option's volume since the period began that one large trade may have. */
const MIN_VOLUME_SHARE = 0.2;
const MAX_VOLUME_SHARE = 0.9;
/** Minimum premium of a large trade, US dollars. */
const MIN_PREMIUM = 25_000;
/** Shares per contract. */
const SHARES = 100;
const SWEEP_SHARE = 0.6;
/** Number of exchanges over which a sweep is split. */
const MIN_VENUES = 2;
const MAX_VENUES = 8;
/** Shares of the single trades: between bid and ask, on a trading floor, as part of a multi-leg trade. */
const MIDPOINT_SHARE = 0.3;
const FLOOR_SHARE = 0.12;
const MULTILEG_SHARE = 0.2;
/**
 * Added to the probability of 0.5 for a purchase of calls, and for a sale of puts, if the price has risen by a usual
 * day's move since the previous close; subtracted if it has fallen by that amount. Nothing depends on later prices.
 */
export const FLOW_LEAN = 0.25;

/** Price of a trade per share, and its premium as a whole, at the ask and at the bid, US dollars. */
type Execution = Pick<OptionTrade, "price" | "trades" | "premium" | "askPremium" | "bidPremium">;

/**
 * Returns the large option trades of a listing on a complete day, in order of time: sweeps, which take the quotes of
 * several exchanges at once, and single trades. Each is part of the volume that its option has in the chain by then.
 */
export function optionTradesOn(
  recording: Recording,
  day: number,
  { conditions, listed }: { readonly conditions: OptionConditions; readonly listed: readonly ListedOption[] },
): readonly OptionTrade[] {
  const total = listed.reduce((sum, { traded }) => sum + traded, 0);
  const trades: OptionTrade[] = [];
  for (let period = 0; period < PERIODS; period++) {
    const used = new Set<ListedOption>();
    for (let i = 0; i < TRADES_PER_PERIOD; i++) {
      const ofTrade = keyOf(recording.key, "flow", day, period, i);
      const share = (at: number) => unit(draw(ofTrade, at));
      if (share(0) >= TRADE_SHARE) continue;
      const option = optionAt(listed, share(1) * total);
      if (option === undefined || used.has(option)) continue;
      used.add(option);
      const trade = tradeOf(recording, option, { day, period, share, conditions });
      if (trade !== null) trades.push({ ...trade, id: `${option.symbol}-${day}-${period}-${i}` });
    }
  }
  return trades.sort((a, b) => a.executedAt - b.executedAt);
}

/** Returns the option at a place among the contracts traded on the day. */
function optionAt(listed: readonly ListedOption[], place: number): ListedOption | undefined {
  let sum = 0;
  return listed.find(({ traded }) => {
    sum += traded;
    return place < sum;
  });
}

interface TradeDraws {
  readonly day: number;
  readonly period: number;
  /** Returns a draw in [0, 1) of this trade. */
  readonly share: (at: number) => number;
  readonly conditions: OptionConditions;
}

/** Returns a large trade of an option within a period; null if it would be too small, or there is no bid to sell at. */
function tradeOf(
  { listing, key, path }: Recording,
  option: ListedOption,
  { day, period, share, conditions }: TradeDraws,
): Omit<OptionTrade, "id"> | null {
  const first = period * PERIOD_TICKS;
  const tick = first + Math.floor(share(2) * PERIOD_TICKS);
  const volume = tradedBy(option, tick + 1) - tradedBy(option, first);
  const size = Math.floor(volume * (MIN_VOLUME_SHARE + (MAX_VOLUME_SHARE - MIN_VOLUME_SHARE) * share(3)));
  if (size < MIN_VENUES) return null;
  const at = tickEnd(day, tick);
  const spot = tickAt(path.candle(day), keyOf(key, "day", day), tick) / listing.scale;
  const quote = priceOption(option, conditions, { at, price: spot });
  const usual = conditions.atm(1 / 365) * Math.sqrt(1 / 365);
  const move = Math.max(-1, Math.min(1, Math.log(spot / conditions.before) / usual));
  const lean = (option.type === "call" ? 1 : -1) * FLOW_LEAN * move;
  const isPurchase = share(4) < 0.5 + lean;
  if (!isPurchase && quote.bid === 0) return null;
  const sweep = share(5) < SWEEP_SHARE;
  const execution = sweep
    ? sweepOf(size, quote, isPurchase, share)
    : singleTrade(size, quote, isPurchase, share(6) < MIDPOINT_SHARE);
  if (execution.premium < MIN_PREMIUM) return null;
  return {
    contract: option.symbol,
    expiry: option.date,
    type: option.type,
    strike: option.strike,
    size,
    ...execution,
    sweep,
    floor: !sweep && share(7) < FLOOR_SHARE,
    multileg: !sweep && share(8) < MULTILEG_SHARE,
    executedAt: at,
  };
}

type Quote = Pick<ReturnType<typeof priceOption>, "bid" | "ask">;

/** Splits an order over exchanges: the first half takes the best quotes, the rest quotes that are a cent worse. */
function sweepOf(
  size: number,
  { bid, ask }: Quote,
  isPurchase: boolean,
  share: (at: number) => number,
): Execution {
  const venues = Math.min(size, MIN_VENUES + Math.floor(share(6) * (MAX_VENUES - MIN_VENUES + 1)));
  const weights = Array.from({ length: venues }, (_, venue) => 0.2 + share(10 + venue));
  const parts = splitByWeights(weights, size).filter((part) => part > 0);
  const worse = isPurchase ? ask + 0.01 : Math.max(0.01, bid - 0.01);
  const best = isPurchase ? ask : bid;
  const premium = parts.reduce(
    (sum, part, venue) => sum + SHARES * part * (venue < parts.length / 2 ? best : worse),
    0,
  );
  return { ...executionOf(premium, size, isPurchase ? "ask" : "bid"), trades: parts.length };
}

function singleTrade(size: number, { bid, ask }: Quote, isPurchase: boolean, isBetween: boolean): Execution {
  const price = isBetween ? (bid + ask) / 2 : isPurchase ? ask : bid;
  const side = isBetween ? null : isPurchase ? "ask" : "bid";
  return { ...executionOf(SHARES * size * price, size, side), trades: 1 };
}

function executionOf(premium: number, size: number, side: "ask" | "bid" | null): Omit<Execution, "trades"> {
  const cents = Math.round(100 * premium) / 100;
  return {
    price: Number((premium / (SHARES * size)).toFixed(4)),
    premium: cents,
    askPremium: side === "ask" ? cents : 0,
    bidPremium: side === "bid" ? cents : 0,
  };
}
