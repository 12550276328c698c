import type { PaperPosition, PaperState } from "../../domain/trading/paper-repository-port.ts";
import type { Intent } from "../../domain/trading/trading.ts";
import { Big } from "./amount.ts";
import type { DailyHistory } from "./daily-history.ts";
import { isWorking } from "./legs.ts";
import type { OrderSteps } from "./match-working-orders.ts";
import { barsToSteps } from "./session.ts";

/** Note shown for an account whose orders fill as in the backtest. */
export const NEXT_OPEN_NOTE =
  "Fills match the backtest: a market order fills completely at the open of the next daily bar, known once that bar has closed, without spread, impact or fee; real markets differ";

/**
 * Returns the reason to refuse an order of such an account; null for a plain market order, the only kind in
 * an agent's backtest.
 */
export const nextOpenRefusal = ({ type, stop_loss, take_profit }: Intent): string | null =>
  type === "market" && stop_loss === null && take_profit === null
    ? null
    : "This paper account fills at the next open and accepts only market orders without stop loss and take profit";

/**
 * Returns the opening prices that fill a symbol's working orders: for each order, the open of the first day that begins
 * at or after its last match. Of orders that fill at the same time, closing orders come before opening ones, and older
 * ones first.
 */
export function nextOpenTape(
  symbol: string,
  { working, positions }: PaperState,
  days: DailyHistory,
): OrderSteps {
  const opens = barsToSteps(days.bars, days.hours);
  const held = positions.find((position) => position.symbol === symbol);
  const steps = working.flatMap((order, place) => {
    if (!isWorking(order) || order.intent.symbol !== symbol) return [];
    const from = Date.parse(order.matchedTo);
    const first = opens.find(({ at }) => at >= from);
    if (first === undefined) return [];
    const { at, open } = first;
    const price = { open, high: open, low: open, volume: new Big(0), bounded: false };
    const rank = isClosing(order.intent, held) ? 0 : place + 1;
    return [{ at, until: at, ...price, only: order.clientOrderId, rank }];
  });
  return {
    steps: steps.sort((a, b) => a.at - b.at || a.rank - b.rank),
    liquidity: (at) => ({ ...days.depth(at), frictionless: true }),
    seenTo: steps.at(-1)?.at ?? 0,
  };
}

const isClosing = ({ side, quantity }: Intent, held: PaperPosition | undefined): boolean =>
  new Big(held?.quantity ?? 0).times(side === "buy" ? -1 : 1).gte(quantity);
