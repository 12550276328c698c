import type { LedgerRow, PaperPosition } from "../../domain/trading/paper-repository-port.ts";
import type { Side } from "../../domain/trading/trading.ts";
import { Big, roundToCents, toAmount, toAverage } from "./amount.ts";

/** Effect of a fill on cash, position and ledger. */
export interface Booking {
  readonly cash: Big;
  readonly position: PaperPosition;
  /** Ledger rows, whose amounts add up to 0. */
  readonly rows: readonly LedgerRow[];
}

interface ExecutedFill {
  readonly number: number;
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: Big;
  readonly price: Big;
  readonly fee: Big;
}

/**
 * Books one fill by double entry. The value of a fill is rounded to the cent to the trader's disadvantage. Closed units
 * leave the position at their average cost, and the difference is realised; units in excess of the position open
 * one in the other direction. The average price is computed from the unrounded prices of the fills.
 */
export function bookFill(cash: Big, held: PaperPosition | null, fill: ExecutedFill): Booking {
  const buy = fill.side === "buy";
  const value = roundToCents(fill.quantity.times(fill.price), buy ? "up" : "down");
  const units = buy ? fill.quantity : fill.quantity.neg();
  const before = new Big(held?.quantity ?? 0);
  const cost = new Big(held?.cost ?? 0);
  const against = before.times(units).lt(0);
  const closing = against ? (before.abs().lt(fill.quantity) ? before.abs() : fill.quantity) : new Big(0);
  const closedValue = closing.eq(fill.quantity)
    ? value
    : roundToCents(value.times(closing).div(fill.quantity), "half");
  const released = closing.eq(0)
    ? new Big(0)
    : closing.eq(before.abs())
      ? cost
      : roundToCents(cost.times(closing).div(before.abs()), "half");
  const opened = value.minus(closedValue);
  const moved = released.neg().plus(buy ? opened : opened.neg());
  const paid = (buy ? value.neg() : value).minus(fill.fee);
  const realised = closing.eq(0) ? new Big(0) : (buy ? closedValue.neg() : closedValue).minus(released);
  const row = (ledger: LedgerRow["ledger"], by: Big, quantity: Big | null = null): LedgerRow => ({
    booking: fill.number,
    ledger,
    symbol: fill.symbol,
    amount: toAmount(by),
    quantity: quantity === null ? null : toAmount(quantity),
  });
  const rows = [
    row("cash", paid),
    row("position", moved, units),
    row("realised", realised.neg()),
    row("fees", fill.fee),
  ];
  return {
    cash: cash.plus(paid),
    position: {
      symbol: fill.symbol,
      quantity: toAmount(before.plus(units)),
      cost: toAmount(cost.plus(moved)),
      averagePrice: averageOf(held, before.plus(units), fill),
    },
    rows: rows.filter((entry) => entry.amount !== "0" || entry.quantity !== null),
  };
}

/**
 * Returns the average price after a fill: closing units leaves it unchanged, opening units changes it or starts a new
 * one.
 */
function averageOf(held: PaperPosition | null, after: Big, { quantity, price }: ExecutedFill): string {
  if (after.eq(0)) return "0";
  const before = new Big(held?.quantity ?? 0);
  if (held === null || before.times(after).lte(0)) return toAverage(price);
  if (after.abs().lt(before.abs())) return held.averagePrice;
  return toAverage(before.abs().times(held.averagePrice).plus(quantity.times(price)).div(after.abs()));
}
