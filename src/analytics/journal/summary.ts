import type { JournalSummary } from "../../domain/trading/journal.ts";
import { type Decimal, decimal, roundHalfUp, truncated } from "../../lib/decimal.ts";
import type { Trip } from "./trips.ts";

/** Returns the profit of a trade after fees, US dollars; for an open trade, the realized profit minus all fees so far. */
export const netOf = ({ realized, fees }: Pick<Trip, "realized" | "fees">): Decimal =>
  decimal(realized).minus(fees);

/** Returns the profit of a closed trade as a multiple of the risk to its stop; null with the reason if undefined. */
export function rMultiple(trip: Trip): { readonly value: number | null; readonly reason: string | null } {
  const none = (reason: string) => ({ value: null, reason });
  if (trip.closedAt === null) return none("The trade is not closed yet");
  if (trip.stop === null) return none("The entry had no stop");
  const away = decimal(trip.entryPrice).minus(trip.stop);
  const risk = (trip.side === "LONG" ? away : away.times(-1)).times(trip.quantity);
  if (risk.lte(0)) return none("The stop was not on the losing side of the entry");
  return { value: netOf(trip).div(risk).round(4).toNumber(), reason: null };
}

/**
 * Summarizes closed trades. Profits are rounded to the nearest cent, half a cent is rounded away from 0; a figure that
 * would divide by 0 is null with the reason.
 */
export function journalSummary(trips: readonly Trip[]): JournalSummary {
  const closed = trips.filter(({ closedAt }) => closedAt !== null);
  const nets = closed.map(netOf);
  const sum = (values: readonly Decimal[]) => values.reduce((all, one) => all.plus(one), decimal(0));
  const wins = nets.filter((net) => net.gt(0));
  const losses = nets.filter((net) => net.lt(0));
  const multiples = closed.map((trip) => rMultiple(trip).value).filter((value) => value !== null);
  const n = closed.length;
  const none = n === 0 ? "No trade is closed yet" : null;
  return {
    closed: n,
    open: trips.length - n,
    win_share: figure(n, none, () => decimal(wins.length).div(n).round(4).toNumber()),
    average_r: figure(
      multiples.length,
      none ?? (multiples.length === 0 ? "No closed trade had a valid stop" : null),
      () => sum(multiples.map(decimal)).div(multiples.length).round(4).toNumber(),
    ),
    expectancy: figure(n, none, () => roundHalfUp(sum(nets).div(n), 2)),
    profit_factor: figure(n, none ?? (losses.length === 0 ? "No closed trade made a loss" : null), () =>
      sum(wins).div(sum(losses).abs()).round(4).toNumber(),
    ),
    net_pnl: roundHalfUp(sum(nets), 2),
    fees: truncated(sum(closed.map(({ fees }) => decimal(fees)))),
  };
}

const figure = <T>(n: number, reason: string | null, value: () => T) =>
  reason === null ? { value: value(), n, reason } : { value: null, n, reason };
