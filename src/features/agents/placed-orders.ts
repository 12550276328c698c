import { placedBy } from "../../domain/agents/agent-pass.ts";
import { Amount, isFinal, type Order } from "../../domain/trading/trading.ts";
import type { TradeRepository } from "../../domain/trading/trading-port.ts";
import { decimal, truncated } from "../../lib/decimal.ts";

/** Maximum number of orders read; one run places far fewer. */
const MAX_ORDERS = 1_000;

/** Stored orders of a run. */
export interface PlacedOrders {
  readonly orders: readonly Order[];
  /** Cost of the purchases in US dollars: filled amounts with fees, plus unfilled parts at the previewed price. */
  readonly spent: string;
}

/** Finds the orders of one run created since a time (ISO 8601 UTC), and their cost. */
export async function findPlacedOrders(
  run: { readonly account: string; readonly agent: string; readonly run_id: string },
  since: string,
  repository: Pick<TradeRepository, "orders" | "ticket">,
): Promise<PlacedOrders> {
  const orders = placedBy(run, await repository.orders(run.account, { since, limit: MAX_ORDERS }));
  let spent = decimal(0);
  for (const order of orders) {
    const { intent, filled_quantity, average_price, fees, ticket_id } = order;
    if (intent.side !== "buy") continue;
    spent = spent.plus(decimal(filled_quantity).times(average_price ?? 0)).plus(fees);
    const openQuantity = decimal(intent.quantity).minus(filled_quantity);
    if (isFinal(order) || openQuantity.lte(0)) continue;
    const ticket = await repository.ticket(run.account, ticket_id);
    spent = spent.plus(openQuantity.times(previewPrice(ticket?.shown.quote) ?? average_price ?? 0));
  }
  return { orders, spent: truncated(spent) };
}

const previewPrice = (quote: unknown): string | null =>
  Amount.safeParse((quote as { readonly price?: unknown } | null | undefined)?.price).data ?? null;
