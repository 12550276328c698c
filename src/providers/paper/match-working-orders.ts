import type {
  LedgerRow,
  PaperChange,
  PaperFill,
  PaperOrder,
  PaperState,
} from "../../domain/trading/paper-repository-port.ts";
import { Big, feeOf, maxBig, minBig, toAmount, ZERO } from "./amount.ts";
import { buyingPowerRefusal, freeCash } from "./buying-power.ts";
import { bookFill } from "./ledger.ts";
import {
  changedOrders,
  endOrder,
  indexOrders,
  isDormant,
  isWorking,
  legsOf,
  remainingUnits,
  trimLegs,
  updateOrder,
} from "./legs.ts";
import { type Liquidity, MAX_VOLUME_SHARE } from "./liquidity.ts";
import { matchOrder, type Step } from "./match-order.ts";

/** Trades of a symbol since its orders were last matched. */
export interface OrderSteps {
  /**
   * Ascending in time; of steps with equal times, the one with the lower `rank` comes first. A step with `only`
   * matches the order with that client id only.
   */
  readonly steps: readonly (Step & { readonly only?: string; readonly rank?: number })[];
  /** Returns the liquidity at a time (epoch ms), from data known by then. */
  liquidity(at: number): Liquidity;
  /** Time up to which the steps include all trades, epoch ms. */
  readonly seenTo: number;
}

/** Time after an order's expiry during which late bars can still fill it, ms. */
const LATE_BAR_GRACE_MS = 3_600_000;

/**
 * Matches the working orders of an account with trades, step by step in chronological order, and books the fills.
 * All orders share a tenth of each step's volume, older ones first, a bracket's stop before its target. The
 * legs of a bracket share the filled units of their entry, and can be filled from the step after that fill; the first
 * fill of a leg ends the entry, a completed leg cancels the other, and closing the position in other ways reduces or
 * cancels both: legs never open a position. Fills are paid from the cash that exceeds 150 % of the short positions'
 * proceeds. Pure: splitting the steps across several calls does not change the result.
 */
export function matchWorkingOrders(
  state: PaperState,
  tapes: ReadonlyMap<string, OrderSteps>,
  now: number,
): PaperChange {
  const orders = indexOrders(state.working);
  const positions = new Map(state.positions.map((position) => [position.symbol, position]));
  const fills: PaperFill[] = [];
  const rows: LedgerRow[] = [];
  let cash = new Big(state.cash);
  const heldOf = (symbol: string) => new Big(positions.get(symbol)?.quantity ?? 0);
  const trim = (symbol: string, at: number) => trimLegs(orders, symbol, { held: heldOf(symbol), at });
  const progressBySymbol = new Map<string, OrderProgress[]>();
  for (const order of state.working) {
    const { symbol } = order.intent;
    if (!isWorking(order) || !tapes.has(symbol)) continue;
    const ofSymbol = progressBySymbol.get(symbol) ?? [];
    ofSymbol.push(orderProgress(order));
    progressBySymbol.set(symbol, ofSymbol);
  }

  const fill = (order: PaperOrder, quantity: Big, price: Big, step: Step, by: Liquidity): void => {
    const { symbol, side } = order.intent;
    const number = state.fills + fills.length + 1;
    const frictionless = by.frictionless === true;
    const fee = frictionless ? ZERO() : feeOf({ side, quantity, price, crypto: by.crypto });
    const booked = bookFill(cash, positions.get(symbol) ?? null, {
      number,
      symbol,
      side,
      quantity,
      price,
      fee,
    });
    const at = iso(order.intent.type === "market" ? step.at : step.until);
    cash = booked.cash;
    positions.set(symbol, booked.position);
    rows.push(...booked.rows);
    const { clientOrderId } = order;
    const amounts = { quantity: toAmount(quantity), price: toAmount(price), fee: toAmount(fee) };
    fills.push({ clientOrderId, number, symbol, side, ...amounts, at });
    const after = updateOrder(orders, order, {
      status: "partially_filled",
      filledQuantity: toAmount(quantity.plus(order.filledQuantity)),
      filledValue: quantity.times(price).plus(order.filledValue).toFixed(),
      fees: toAmount(fee.plus(order.fees)),
      updatedAt: at,
    });
    for (const progress of progressBySymbol.get(symbol) ?? [])
      if (orders.byId.get(progress.id)!.parent === clientOrderId) progress.matched = step.until;
    const entry = order.parent === null ? undefined : orders.byId.get(order.parent);
    if (entry !== undefined && isWorking(entry)) {
      const reason = "A leg of its bracket was filled";
      endOrder(orders, entry, { status: "cancelled", at: step.until, reason });
    }
    if (remainingUnits(orders, orders.byId.get(clientOrderId)!).lte(0)) {
      endOrder(orders, after, { status: "filled", at: Date.parse(at) });
      const reason = "The other leg of its bracket was filled";
      for (const leg of entry === undefined ? [] : legsOf(orders, entry))
        if (isWorking(leg)) endOrder(orders, leg, { status: "cancelled", at: step.until, reason });
    }
    trim(symbol, step.until);
  };

  const expire = (order: PaperOrder, over: number) => {
    endOrder(orders, order, { status: "expired", at: over });
    trim(order.intent.symbol, over);
  };

  const events = [...tapes].flatMap(([symbol, tape]) => tape.steps.map((step) => ({ symbol, step, tape })));
  events.sort(
    (a, b) =>
      a.step.at - b.step.at ||
      (a.step.rank ?? 0) - (b.step.rank ?? 0) ||
      (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0),
  );
  for (const { symbol, step, tape } of events) {
    let available = step.volume.times(MAX_VOLUME_SHARE);
    const liquidity = tape.liquidity(step.at);
    const { crypto } = liquidity;
    const range = { low: step.low.toNumber(), high: step.high.toNumber(), bounded: step.bounded };
    for (const progress of progressBySymbol.get(symbol) ?? []) {
      if (step.only !== undefined && step.only !== progress.id) continue;
      if (progress.matched > step.at && step.at < progress.over) continue;
      const order = orders.byId.get(progress.id)!;
      if (!isWorking(order)) continue;
      if (step.at >= progress.over) {
        expire(order, progress.over);
        continue;
      }
      if (isDormant(orders, order)) continue;
      progress.matched = step.until;
      if (!reachesPrice(range, progress, order)) continue;
      const held = heldOf(symbol);
      const buy = order.intent.side === "buy";
      const against = maxBig(ZERO(), buy ? held.neg() : held);
      const openUnits = remainingUnits(orders, order);
      const fillable = order.parent === null ? openUnits : minBig(openUnits, against);
      const wholeShares = !crypto && fillable.round(0).eq(fillable);
      const match = matchOrder(
        { ...order, remaining: fillable, whole: wholeShares },
        step,
        available,
        liquidity,
      );
      const seen =
        match.triggered && !order.triggered ? updateOrder(orders, order, { triggered: true }) : order;
      if (match.price === null) continue;
      const free = freeCash(cash, positions.values(), new Map([[symbol, match.price]]));
      const reason = buyingPowerRefusal({
        side: order.intent.side,
        quantity: match.quantity,
        price: match.price,
        crypto,
        closable: against,
        free,
      });
      if (reason !== null) {
        const some = new Big(seen.filledQuantity).gt(0);
        endOrder(orders, seen, { status: some ? "cancelled" : "rejected", at: step.until, reason });
        trim(symbol, step.until);
        continue;
      }
      fill(seen, match.quantity, match.price, step, liquidity);
      available = available.minus(minBig(available, match.quantity));
    }
  }

  for (const { id, matched } of [...progressBySymbol.values()].flat()) {
    const { matchedTo } = orders.byId.get(id)!;
    if (Date.parse(matchedTo) !== matched)
      updateOrder(orders, orders.byId.get(id)!, { matchedTo: iso(matched) });
  }
  for (const { clientOrderId } of state.working) {
    const order = orders.byId.get(clientOrderId)!;
    if (!isWorking(order) || order.expiresAt === null) continue;
    const over = Date.parse(order.expiresAt);
    const seenTo = tapes.get(order.intent.symbol)?.seenTo ?? 0;
    if (now >= over && (seenTo >= over || now >= over + LATE_BAR_GRACE_MS)) expire(order, over);
  }
  return {
    cash: toAmount(cash),
    positions: [...positions.values()],
    orders: changedOrders(orders, state.working),
    fills,
    rows,
  };
}

/** Times and prices of an order as numbers. */
interface OrderProgress {
  readonly id: string;
  matched: number;
  readonly over: number;
  readonly limit: number;
  readonly stop: number;
}

const orderProgress = ({ clientOrderId, matchedTo, expiresAt, intent }: PaperOrder): OrderProgress => ({
  id: clientOrderId,
  matched: Date.parse(matchedTo),
  over: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
  limit: Number(intent.limit_price ?? Number.NaN),
  stop: Number(intent.stop_price ?? Number.NaN),
});

/**
 * Returns true if a step's range reaches an order's price; a fast check with plain numbers before the exact arithmetic.
 */
function reachesPrice(
  { low, high, bounded }: { readonly low: number; readonly high: number; readonly bounded: boolean },
  { limit, stop }: OrderProgress,
  { intent: { side, type }, triggered }: PaperOrder,
): boolean {
  const buy = side === "buy";
  if (!triggered && (type === "stop" || type === "stop_limit")) return buy ? high >= stop : low <= stop;
  return type === "market" || type === "stop" || !bounded || (buy ? low <= limit : high >= limit);
}

/**
 * Cancels a working order. Cancelling an entry cancels its legs, or reduces them to the filled units; cancelling a leg
 * also cancels all working orders of its bracket, as at Alpaca, so the position has no stop from then on. Pure.
 */
export function cancelOrder(state: PaperState, order: PaperOrder, at: number): PaperChange {
  const orders = indexOrders(state.working);
  const { symbol } = order.intent;
  const held = new Big(state.positions.find((position) => position.symbol === symbol)?.quantity ?? 0);
  endOrder(orders, order, { status: "cancelled", at });
  const entry = order.parent === null ? undefined : orders.byId.get(order.parent);
  for (const { clientOrderId } of entry === undefined ? [] : [...legsOf(orders, entry), entry]) {
    const sibling = orders.byId.get(clientOrderId)!;
    const reason = "A leg of its bracket was cancelled";
    if (isWorking(sibling)) endOrder(orders, sibling, { status: "cancelled", at, reason });
  }
  trimLegs(orders, symbol, { held, at });
  return {
    cash: state.cash,
    positions: state.positions,
    orders: changedOrders(orders, state.working),
    fills: [],
    rows: [],
  };
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();
