import { kellyShare } from "../sizing/kelly.ts";
import { wilson } from "../track/interval.ts";

/** Results of the trades closed so far, in multiples of their risk. */
export interface TradeStats {
  closed: number;
  wins: number;
  losses: number;
  won: number;
  lost: number;
}

/** The record of a run that has closed nothing yet. */
export const emptyTradeStats = (): TradeStats => ({ closed: 0, wins: 0, losses: 0, won: 0, lost: 0 });

/** Takes a closed trade into the record: its profit after costs over what it risked. NaN, of no known risk, is not counted. */
export function addTrade(record: TradeStats, multiple: number): void {
  if (Number.isNaN(multiple)) return;
  record.closed += 1;
  if (multiple > 0) {
    record.wins += 1;
    record.won += multiple;
  } else if (multiple < 0) {
    record.losses += 1;
    record.lost -= multiple;
  }
}

/** Closed trades a record needs before it says anything. */
export const MIN_TRADES = 20;

/**
 * The Kelly stake of a record, a fraction of equity, with p the lower end of the 95 % interval of the share of trades
 * that won and b the mean win over the mean loss. At or below 0 there is no edge; null under 20 trades.
 */
export function kellyStake({ closed, wins, losses, won, lost }: TradeStats): number | null {
  if (closed < MIN_TRADES) return null;
  const p = wilson(wins / closed, closed)!.low;
  return kellyShare(p, wins === 0 ? null : won / wins, losses === 0 ? null : lost / losses);
}
