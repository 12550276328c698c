import type { ExitReason } from "../../domain/backtest/backtest.ts";
import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import { addTrade, emptyTradeStats, type TradeStats } from "./trade-stats.ts";
import type { Account, Ledger, Position, Refused, Stream, Trade } from "./types.ts";

/** Cash and open positions during a run; one column entry per stream. */
export interface Portfolio {
  readonly streams: readonly Stream[];
  readonly account: Account;
  readonly time: Float64Array;
  /** Initial cash plus realised profits minus commissions, USD; open positions are not deducted. */
  cash: number;
  ruined: boolean;
  /** Highest equity at a close so far, USD. */
  peak: number;
  /**
   * Close times of the bars in which positions were stopped out at a loss, epoch ms; the time within the bar is
   * unknown.
   */
  readonly stopOuts: number[];
  /** Signed: negative if short, 0 without a position. */
  readonly units: Float64Array;
  readonly entry: Float64Array;
  readonly entryBar: Int32Array;
  /** NaN without a stop. */
  readonly stop: Float64Array;
  readonly target: Float64Array;
  /** Risk per unit used for sizing, USD; NaN if the sizing does not use it. */
  readonly risk: Float64Array;
  /** Dividends received less dividends and borrowing fees paid since entry, USD. */
  readonly carry: Float64Array;
  /** Fraction by which market orders of each symbol fill worse than the price. */
  readonly slippage: Float64Array;
  /** Bar of the timeline in which the entry was filled at its limit, after the open; -1 for none. */
  readonly limitFillBar: Int32Array;
  /** Distance of the trailing stop; NaN without one. */
  readonly trail: Float64Array;
  /** Last known price of each symbol. */
  readonly mark: Float64Array;
  readonly trades: Trade[];
  readonly refused: Refused[];
  readonly tradeStats: TradeStats;
}

/** Returns a portfolio that holds only the account's cash. */
export function openPortfolio(streams: readonly Stream[], account: Account, time: Float64Array): Portfolio {
  const column = () => new Float64Array(streams.length);
  return {
    streams,
    account,
    time,
    cash: account.cash,
    ruined: false,
    peak: account.cash,
    stopOuts: [],
    units: column(),
    entry: column(),
    entryBar: new Int32Array(streams.length),
    stop: column().fill(Number.NaN),
    target: column().fill(Number.NaN),
    risk: column().fill(Number.NaN),
    carry: column(),
    slippage: Float64Array.from(streams, ({ slippage = account.slippage }) => slippage),
    limitFillBar: new Int32Array(streams.length).fill(-1),
    trail: column().fill(Number.NaN),
    mark: column(),
    trades: [],
    refused: [],
    tradeStats: emptyTradeStats(),
  };
}

/** Returns the commission of one order, USD. */
export const commissionOf = ({ commission, perShare = 0 }: Account, units: number, price: number): number =>
  units * price * commission + units * perShare;

/**
 * Closes the position of stream `s` in bar `t` of the timeline; every order but a target fills worse than `at` by the
 * slippage.
 */
export function closePosition(
  portfolio: Portfolio,
  s: number,
  t: number,
  at: number,
  reason: ExitReason,
): void {
  const signed = portfolio.units[s]!;
  const worse = reason === "target" ? 0 : Math.sign(signed) * portfolio.slippage[s]!;
  const price = at * (1 - worse);
  const { symbol, side, units, entryBar, entryTime, entryPrice, stop, target } = positionOf(portfolio, s);
  const paid = commissionOf(portfolio.account, units, price);
  const gross = signed * (price - entryPrice);
  const commission = paid + commissionOf(portfolio.account, units, entryPrice);
  const profit = gross - commission + portfolio.carry[s]!;
  portfolio.cash += gross - paid;
  portfolio.units[s] = 0;
  if (reason === "stop" && profit < 0)
    portfolio.stopOuts.push(portfolio.time[t]! + TIMEFRAME_MS[portfolio.streams[s]!.bars.timeframe]);
  addTrade(portfolio.tradeStats, profit / (units * portfolio.risk[s]!));
  // written out: a spread of so many fields makes an object several times slower to create
  portfolio.trades.push({
    symbol,
    side,
    units,
    entryBar,
    entryTime,
    entryPrice,
    stop,
    target,
    exitBar: t,
    exitTime: portfolio.time[t]!,
    exitPrice: price,
    profit,
    commission,
    return: profit / (units * entryPrice),
    reason,
  });
}

export function ledgerOf(portfolio: Portfolio, equity: Float64Array): Ledger {
  const open = portfolio.streams.flatMap((_, s) => {
    const signed = portfolio.units[s]!;
    if (signed === 0) return [];
    const position = positionOf(portfolio, s);
    const { units, entryPrice } = position;
    const gross = signed * (portfolio.mark[s]! - entryPrice);
    const profit = gross - commissionOf(portfolio.account, units, entryPrice) + portfolio.carry[s]!;
    return { ...position, profit };
  });
  const { time, trades, refused } = portfolio;
  return { time, equity, trades, open, refused };
}

function positionOf(portfolio: Portfolio, s: number): Position {
  const signed = portfolio.units[s]!;
  const entryBar = portfolio.entryBar[s]!;
  return {
    symbol: portfolio.streams[s]!.symbol,
    side: signed > 0 ? "LONG" : "SHORT",
    units: Math.abs(signed),
    entryBar,
    entryTime: portfolio.time[entryBar]!,
    entryPrice: portfolio.entry[s]!,
    stop: known(portfolio.stop[s]!),
    target: known(portfolio.target[s]!),
  };
}

const known = (price: number): number | null => (Number.isNaN(price) ? null : price);
