import type {
  PaperChange,
  PaperClose,
  PaperOrder,
  PaperState,
} from "../../domain/trading/paper-repository-port.ts";
import { Big, toAmount, toAverage } from "./amount.ts";
import { changedOrders, endOrder, indexOrders, isWorking, remainingUnits, updateOrder } from "./legs.ts";

/** Split ratios other than n:1 and 1:n, as new shares to old shares. */
const UNEVEN_RATIOS = [
  [3, 2],
  [5, 2],
  [5, 4],
  [4, 3],
  [2, 3],
] as const;
const MAX_RATIO = 100;
/** Maximum relative deviation of the price ratio from a split ratio, because adjusted prices are rounded. */
const RATIO_TOLERANCE = 0.01;
/** Decimal places of prices of a dollar or more. */
const PLACES = 4;

/** Split ratio: number of new shares per old share. */
export interface SplitRatio {
  readonly over: number;
  readonly under: number;
}

/**
 * Returns the split that explains the change of a recorded close: n:1, 1:n up to 100, 3:2, 5:2, 5:4, 4:3 or
 * 2:3, within 1 %; null if none does. Smaller splits, stock dividends and spin-offs cannot be distinguished
 * from corrections and are ignored.
 */
export function detectSplitRatio(before: number, now: number): SplitRatio | null {
  const jump = before / now;
  if (!Number.isFinite(jump) || jump <= 0) return null;
  const whole = Math.round(jump >= 1 ? jump : 1 / jump);
  const usual: SplitRatio[] = UNEVEN_RATIOS.map(([over, under]) => ({ over, under }));
  if (whole >= 2 && whole <= MAX_RATIO)
    usual.push(jump >= 1 ? { over: whole, under: 1 } : { over: 1, under: whole });
  return usual.find(({ over, under }) => Math.abs((jump * under) / over - 1) <= RATIO_TOLERANCE) ?? null;
}

/** A split to apply to an account, with the close as adjusted now. */
export interface Split extends SplitRatio {
  readonly close: PaperClose;
}

/**
 * Returns the change of an account caused by splits. Units change and cost stays the same, so that nothing is gained
 * or lost, and no fraction is paid out. Legs that protect a position change quantity and price with it. Other
 * working orders are cancelled with the reason: their prices were meant for the old shares. Pure.
 */
export function applySplits(state: PaperState, splits: readonly Split[], now: number): PaperChange {
  const at = new Date(now).toISOString();
  const orders = indexOrders(state.working);
  const positions = new Map(state.positions.map((position) => [position.symbol, position]));
  const rows: PaperChange["rows"][number][] = [];
  const booked: NonNullable<PaperChange["splits"]>[number][] = [];
  for (const { over, under, close } of splits) {
    const { symbol } = close;
    const number = state.fills + booked.length + 1;
    const more = (units: string) => toAmount(new Big(units).times(over).div(under));
    const held = positions.get(symbol);
    if (held !== undefined) {
      const quantity = more(held.quantity);
      const averagePrice = toAverage(new Big(held.averagePrice).times(under).div(over));
      positions.set(symbol, { ...held, quantity, averagePrice });
      const moved = toAmount(new Big(quantity).minus(held.quantity));
      rows.push({ booking: number, ledger: "position", symbol, amount: "0", quantity: moved });
    }
    const ordersOfSymbol = state.working.filter(
      (order) => order.intent.symbol === symbol && isWorking(order),
    );
    for (const order of ordersOfSymbol.filter(({ parent }) => parent === null)) {
      const reason = `${symbol} was split ${over}:${under}; place a new order at post-split prices`;
      endOrder(orders, order, { status: "cancelled", at: now, reason });
    }
    const legs = ordersOfSymbol.filter(
      ({ clientOrderId, parent }) => parent !== null && isWorking(orders.byId.get(clientOrderId)!),
    );
    const remaining = legs.map((leg) => remainingUnits(orders, orders.byId.get(leg.clientOrderId)!));
    for (const leg of legs) {
      const ratio = { over, under };
      updateOrder(orders, leg, {
        ...adjustForSplit(orders.byId.get(leg.clientOrderId)!, ratio),
        updatedAt: at,
      });
    }
    for (const [i, leg] of legs.entries()) {
      const { intent } = orders.byId.get(leg.clientOrderId)!;
      const sized = new Big(intent.quantity)
        .plus(more(toAmount(remaining[i]!)))
        .minus(remainingUnits(orders, leg));
      updateOrder(orders, leg, { intent: { ...intent, quantity: toAmount(sized) } });
    }
    booked.push({ number, symbol, ratio: toAmount(new Big(over).div(under)), at });
  }
  const fresh = new Map(splits.map(({ close }) => [close.symbol, close]));
  return {
    cash: state.cash,
    positions: [...positions.values()],
    orders: changedOrders(orders, state.working),
    fills: [],
    rows,
    splits: booked,
    closes: state.closes.map((close) => fresh.get(close.symbol) ?? close),
  };
}

function adjustForSplit(
  { intent, filledQuantity }: PaperOrder,
  { over, under }: SplitRatio,
): Partial<PaperOrder> {
  const units = (value: string) => toAmount(new Big(value).times(over).div(under));
  const price = (value: string | null) =>
    value === null ? null : rounded(new Big(value).times(under).div(over));
  return {
    filledQuantity: units(filledQuantity),
    intent: {
      ...intent,
      limit_price: price(intent.limit_price),
      stop_price: price(intent.stop_price),
    },
  };
}

const rounded = (price: Big): string => toAmount(price.gte(1) ? price.round(PLACES) : price);
