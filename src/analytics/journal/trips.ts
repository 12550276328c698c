import { type Decimal, decimal, minDecimal, truncated } from "../../lib/decimal.ts";

/** The filled part of one order of a connection. Amounts are decimal text, prices US dollars. */
export interface JournalFill {
  /** The order's own id. */
  readonly id: string;
  readonly symbol: string;
  readonly side: "buy" | "sell";
  /** Above 0. */
  readonly quantity: string;
  readonly price: string;
  readonly fees: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Kind of order; only one of our own opens a trade. */
  readonly kind: "order" | "stop_loss" | "take_profit" | "other";
  readonly stop: string | null;
  /** Units held of the symbol when it was previewed, below 0 sold short; null where that is not known. */
  readonly held: { readonly quantity: string; readonly at: string } | null;
}

/** A part of an order that closed a part of a trade. */
export interface TripExit {
  readonly order: string;
  readonly kind: JournalFill["kind"];
  readonly quantity: string;
  readonly price: string;
  readonly at: string;
}

/** A trade from the order that opened it to those that closed it, first in first out. Money is US dollars. */
export interface Trip {
  /** Id of the order that opened it. */
  readonly entry: string;
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly openedAt: string;
  /** null while anything of it is open. */
  readonly closedAt: string | null;
  readonly quantity: string;
  readonly open: string;
  readonly entryPrice: string;
  /** Mean over what is closed; null while nothing is. */
  readonly exitPrice: string | null;
  /** Of the entry, and of the exits in proportion. */
  readonly fees: string;
  /** Of what is closed, before fees. */
  readonly realized: string;
  readonly stop: string | null;
  readonly exits: readonly TripExit[];
}

/** Units that were closed though no trade of them is known here: they were opened elsewhere. */
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
 * The trades in the fills of one connection, in the order they were opened. What closes is taken from the oldest that is
 * open; what goes beyond opens one the other way round, unless more was held than is known here. Sums are exact: of a fee
 * that is shared, the last share is what is left of it.
 */
export function roundTrips(fills: readonly JournalFill[]): {
  readonly trips: readonly Trip[];
  readonly unmatched: readonly UnmatchedExit[];
} {
  const lots: Lot[] = [];
  const unmatched: UnmatchedExit[] = [];
  const moves: Move[] = [];
  for (const fill of fills.toSorted(byTime)) {
    const mine = lots.filter(({ open, fill: { symbol } }) => symbol === fill.symbol && open.gt(0));
    const sold = mine[0]?.side === "LONG" ? "sell" : "buy";
    const closes = mine.length > 0 && fill.side === sold;
    let left = decimal(fill.quantity);
    let fee = decimal(fill.fees);
    const elsewhere = heldElsewhere(fill, moves);
    for (const lot of closes ? mine : []) {
      if (left.eq(0)) break;
      const units = minDecimal(left, lot.open);
      const share = units.eq(left) ? fee : fee.times(units).div(left).round(9);
      lot.exits.push({ part: partOf(fill, units), fee: share });
      lot.open = lot.open.minus(units);
      moves.push({ ...fill, units: lot.side === "LONG" ? units.times(-1) : units });
      left = left.minus(units);
      fee = fee.minus(share);
    }
    if (left.eq(0)) continue;
    const foreign = minDecimal(left, elsewhere ?? left);
    if (foreign.gt(0)) {
      unmatched.push({ order: fill.id, symbol: fill.symbol, quantity: truncated(foreign) });
      const share = foreign.eq(left) ? fee : fee.times(foreign).div(left).round(9);
      left = left.minus(foreign);
      fee = fee.minus(share);
    }
    if (left.eq(0)) continue;
    const side = fill.side === "buy" ? "LONG" : "SHORT";
    lots.push({ fill, side, quantity: left, fee, exits: [], open: left });
    moves.push({ ...fill, units: side === "LONG" ? left : left.times(-1) });
  }
  return { trips: lots.map(tripOf), unmatched };
}

/** Units that came of a symbol, below 0 went. */
interface Move {
  readonly symbol: string;
  readonly at: string;
  readonly units: Decimal;
}

/** Units that were held when a fill was previewed and are of no trade here, which it can only close; null where it can open none. */
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

/** By time; of the same moment own orders first, for legs close what these opened. */
const byTime = (a: JournalFill, b: JournalFill): number =>
  a.at !== b.at ? (a.at < b.at ? -1 : 1) : Number(b.kind === "order") - Number(a.kind === "order");
