import { type Decimal, decimal, minDecimal, truncated } from "../../lib/decimal.ts";

/** The filled part of one order of a connection. Amounts are decimal text, prices in US dollars. */
export interface JournalFill {
  /** Id of the order. */
  readonly id: string;
  readonly symbol: string;
  readonly side: "buy" | "sell";
  /** Filled quantity, above 0. */
  readonly quantity: string;
  readonly price: string;
  readonly fees: string;
  /** Time of the fill, ISO 8601 UTC. */
  readonly at: string;
  /** Kind of order; only an `order` opens a trade. */
  readonly kind: "order" | "stop_loss" | "take_profit" | "other";
  readonly stop: string | null;
  /** Net units of the symbol held at the preview, negative if short; null if unknown. */
  readonly held: { readonly quantity: string; readonly at: string } | null;
}

/** The part of an order that closed part of a trade. */
export interface TripExit {
  readonly order: string;
  readonly kind: JournalFill["kind"];
  readonly quantity: string;
  readonly price: string;
  readonly at: string;
}

/** A trade from its opening order to its closing orders, matched first in, first out. Money is US dollars. */
export interface Trip {
  /** Id of the opening order. */
  readonly entry: string;
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly openedAt: string;
  /** Time of the last exit; null while any part is open. */
  readonly closedAt: string | null;
  readonly quantity: string;
  readonly open: string;
  readonly entryPrice: string;
  /** Mean exit price of the closed part; null if nothing is closed. */
  readonly exitPrice: string | null;
  /** Fees of the entry, and a proportional part of the fees of the exits. */
  readonly fees: string;
  /** Profit of the closed part, before fees. */
  readonly realized: string;
  readonly stop: string | null;
  readonly exits: readonly TripExit[];
}

/** Closed units whose trade is unknown here, because they were opened elsewhere. */
export interface UnmatchedExit {
  readonly order: string;
  readonly symbol: string;
  readonly quantity: string;
}

interface Lot {
  readonly fill: JournalFill;
  readonly side: "LONG" | "SHORT";
  readonly quantity: Decimal;
  readonly fee: Decimal;
  readonly exits: { readonly part: TripExit; readonly fee: Decimal }[];
  open: Decimal;
}

/**
 * Matches the fills of one connection to trades, in the order they were opened. A closing fill closes the oldest open
 * trades first; its remainder opens a trade in the other direction, unless it closes units that were opened elsewhere.
 * Sums are exact: the last share of a divided fee is the remainder.
 */
export function roundTrips(fills: readonly JournalFill[]): {
  readonly trips: readonly Trip[];
  readonly unmatched: readonly UnmatchedExit[];
} {
  const lots: Lot[] = [];
  const unmatched: UnmatchedExit[] = [];
  const moves: Move[] = [];
  for (const fill of fills.toSorted(byTime)) {
    const openLots = lots.filter(({ open, fill: { symbol } }) => symbol === fill.symbol && open.gt(0));
    const sold = openLots[0]?.side === "LONG" ? "sell" : "buy";
    const closes = openLots.length > 0 && fill.side === sold;
    let remaining = decimal(fill.quantity);
    let fee = decimal(fill.fees);
    const elsewhere = heldElsewhere(fill, moves);
    for (const lot of closes ? openLots : []) {
      if (remaining.eq(0)) break;
      const units = minDecimal(remaining, lot.open);
      const share = units.eq(remaining) ? fee : fee.times(units).div(remaining).round(9);
      lot.exits.push({ part: partOf(fill, units), fee: share });
      lot.open = lot.open.minus(units);
      moves.push({ ...fill, units: lot.side === "LONG" ? units.times(-1) : units });
      remaining = remaining.minus(units);
      fee = fee.minus(share);
    }
    if (remaining.eq(0)) continue;
    const foreign = minDecimal(remaining, elsewhere ?? remaining);
    if (foreign.gt(0)) {
      unmatched.push({ order: fill.id, symbol: fill.symbol, quantity: truncated(foreign) });
      const share = foreign.eq(remaining) ? fee : fee.times(foreign).div(remaining).round(9);
      remaining = remaining.minus(foreign);
      fee = fee.minus(share);
    }
    if (remaining.eq(0)) continue;
    const side = fill.side === "buy" ? "LONG" : "SHORT";
    lots.push({ fill, side, quantity: remaining, fee, exits: [], open: remaining });
    moves.push({ ...fill, units: side === "LONG" ? remaining : remaining.times(-1) });
  }
  return { trips: lots.map(tripOf), unmatched };
}

/** Change in the units of a symbol, negative for a decrease. */
interface Move {
  readonly symbol: string;
  readonly at: string;
  readonly units: Decimal;
}

/**
 * Returns the units held at a fill's preview that belong to no known trade and that the fill can only close; null if
 * the fill cannot open a trade.
 */
function heldElsewhere({ symbol, kind, side, held }: JournalFill, moves: readonly Move[]): Decimal | null {
  if (kind !== "order") return null;
  if (held === null) return decimal(0);
  const known = moves
    .filter((move) => move.symbol === symbol && move.at <= held.at)
    .reduce((sum, { units }) => sum.plus(units), decimal(0));
  const elsewhere = decimal(held.quantity)
    .minus(known)
    .times(side === "sell" ? 1 : -1);
  return elsewhere.gt(0) ? elsewhere : decimal(0);
}

const partOf = ({ id, kind, price, at }: JournalFill, units: Decimal): TripExit => ({
  order: id,
  kind,
  quantity: truncated(units),
  price,
  at,
});

function tripOf({ fill, side, quantity, fee, exits, open }: Lot): Trip {
  const entry = decimal(fill.price);
  const sum = (of: (part: TripExit) => Decimal) =>
    exits.reduce((all, { part }) => all.plus(of(part)), decimal(0));
  const closed = quantity.minus(open);
  const proceeds = sum((part) => decimal(part.quantity).times(part.price));
  const gain = proceeds.minus(closed.times(entry)).times(side === "LONG" ? 1 : -1);
  const fees = exits.reduce((all, one) => all.plus(one.fee), fee);
  return {
    entry: fill.id,
    symbol: fill.symbol,
    side,
    openedAt: fill.at,
    entryPrice: truncated(entry),
    closedAt: open.eq(0) ? (exits.at(-1)?.part.at ?? null) : null,
    quantity: truncated(quantity),
    open: truncated(open),
    exitPrice: closed.eq(0) ? null : truncated(proceeds.div(closed)),
    fees: truncated(fees),
    realized: truncated(gain),
    stop: fill.stop,
    exits: exits.map(({ part }) => part),
  };
}

/** Sorts by time; at the same time own orders come first, because exit orders close what they opened. */
const byTime = (a: JournalFill, b: JournalFill): number =>
  a.at !== b.at ? (a.at < b.at ? -1 : 1) : Number(b.kind === "order") - Number(a.kind === "order");
