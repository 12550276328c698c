import { journalSummary, netOf, rMultiple } from "../../analytics/journal/summary.ts";
import { roundTrips, type Trip, type UnmatchedExit } from "../../analytics/journal/trips.ts";
import type { JournalSummary, JournalTrade } from "../../domain/trading/journal.ts";
import type { TradeNote } from "../../domain/trading/trade-notes-port.ts";
import { truncated } from "../../lib/decimal.ts";
import type { ConnectionFills } from "./journal.ts";

/** Selects trades by symbol and close time, open trades by their entry; `since` never excludes open trades. */
export interface JournalFilter {
  readonly symbol: string | null;
  /** Epoch ms; null for no lower bound. */
  readonly since: number | null;
  /** Epoch ms. Default: no upper bound. */
  readonly until?: number;
}

/** Builds the trades of the given connections, newest first, and a summary of the closed trades. */
export function buildJournal(
  connections: readonly ConnectionFills[],
  notes: readonly TradeNote[],
  filter: JournalFilter,
): {
  readonly trades: readonly JournalTrade[];
  readonly summary: JournalSummary;
  readonly unmatched: readonly (UnmatchedExit & { readonly connection: string })[];
} {
  const read = connections.map((connection) => ({ connection, ...roundTrips(connection.fills) }));
  const trips = read
    .flatMap(({ connection, trips }) => trips.map((trip) => ({ connection, trip })))
    .filter(({ trip }) => matchesFilter(trip, filter));
  return {
    trades: trips.map(({ connection, trip }) => toJournalTrade(trip, connection, notes)).sort(newestFirst),
    summary: journalSummary(trips.map(({ trip }) => trip)),
    unmatched: read.flatMap(({ connection: { connection }, unmatched }) =>
      unmatched
        .filter(({ symbol }) => filter.symbol === null || symbol === filter.symbol)
        .map((exit) => ({ ...exit, connection })),
    ),
  };
}

/** Sorts by opening time, newest first, then by symbol, so that the order is stable. */
const newestFirst = (a: JournalTrade, b: JournalTrade): number =>
  Date.parse(b.opened_at) - Date.parse(a.opened_at) || (a.symbol < b.symbol ? -1 : 1);

const matchesFilter = ({ symbol, openedAt, closedAt }: Trip, filter: JournalFilter): boolean =>
  (filter.symbol === null || symbol === filter.symbol) &&
  (filter.until === undefined || Date.parse(closedAt ?? openedAt) <= filter.until) &&
  (filter.since === null || closedAt === null || Date.parse(closedAt) >= filter.since);

function toJournalTrade(
  trip: Trip,
  { connection, orders, signals }: ConnectionFills,
  notes: readonly TradeNote[],
): JournalTrade {
  const { value, reason } = rMultiple(trip);
  const orderIds = new Set([trip.entry, ...trip.exits.map(({ order }) => order)]);
  return {
    order_id: trip.entry,
    connection_id: connection,
    symbol: trip.symbol,
    side: trip.side,
    opened_at: trip.openedAt,
    closed_at: trip.closedAt,
    held_seconds:
      trip.closedAt === null ? null : (Date.parse(trip.closedAt) - Date.parse(trip.openedAt)) / 1_000,
    quantity: trip.quantity,
    open_quantity: trip.open,
    entry_price: trip.entryPrice,
    exit_price: trip.exitPrice,
    fees: trip.fees,
    realized_pnl: trip.realized,
    net_pnl: truncated(netOf(trip)),
    stop_loss: trip.stop,
    r_multiple: value,
    r_reason: reason,
    signal: signals.get(trip.entry) ?? null,
    exits: trip.exits.map(({ order, ...exit }) => ({
      order_id: orders.has(order) ? order : null,
      ...exit,
    })),
    notes: notes
      .filter(({ order }) => orderIds.has(order))
      .map(({ order, note, at }) => ({ order_id: order, note, noted_at: at })),
  };
}
