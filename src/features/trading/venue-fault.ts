import { worstUnitPrice } from "../../analytics/risk/situation.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Amount, Intent } from "../../domain/trading/trading.ts";
import { type Decimal, decimal, stepUp, truncated } from "../../lib/decimal.ts";
import type { BrokerConnection } from "./resolve-connection.ts";

/** Reason why the venue would reject an order, and its correction. */
export interface VenueFault {
  readonly reason: string;
  readonly remedy: string;
}

/**
 * Returns the fault of an order below the broker's minimum notional, USD; null if it is large enough, or closes all of the
 * available units.
 */
export function sizeFault(
  intent: Intent,
  instrument: Instrument,
  {
    broker,
    price,
    available,
  }: Pick<BrokerConnection, "broker"> & { readonly price: Amount; readonly available: Decimal },
): VenueFault | null {
  if (available.times(intent.side === "buy" ? -1 : 1).eq(intent.quantity)) return null;
  const minimum = broker.minimumNotional?.(instrument, intent) ?? null;
  const each = intent.limit_price === null ? worstUnitPrice({ intent, price }) : decimal(intent.limit_price);
  const notional = each.times(intent.quantity);
  if (minimum === null || notional.gte(minimum)) return null;
  const units = stepUp(decimal(minimum).div(each), decimal("0.00000001"));
  return {
    reason: `The order is worth ${truncated(notional, 4)} USD, below the broker's minimum of ${minimum} USD; the smallest valid quantity is ${truncated(units)}`,
    remedy: `Preview it again with quantity ${truncated(units)} or more.`,
  };
}
