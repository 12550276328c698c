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

export const emptyTradeStats = (): TradeStats => ({ closed: 0, wins: 0, losses: 0, won: 0, lost: 0 });

/**
 * Adds a closed trade by its R-multiple (profit after costs over the amount risked). NaN means unknown risk and is not
 * counted.
 */
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

/** Minimum number of closed trades for a Kelly stake. */
export const MIN_TRADES = 20;

/**
 * Returns the Kelly stake as a fraction of equity, from the lower end of the 95 % interval of the win rate and the
 * ratio of mean win to mean loss. At or below 0 there is no edge; null under 20 trades.
 */
export function kellyStake({ closed, wins, losses, won, lost }: TradeStats): number | null {
  if (closed < MIN_TRADES) return null;
  const p = wilson(wins / closed, closed)!.low;
  return kellyShare(p, wins === 0 ? null : won / wins, losses === 0 ? null : lost / losses);
}
