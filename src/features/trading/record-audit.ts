import type { Log } from "../../domain/ports.ts";
import type { Order } from "../../domain/trading/trading.ts";
import type { Audit, AuditEvent } from "../../domain/trading/trading-port.ts";

export interface AuditPorts {
  readonly audit: Audit;
  readonly log: Log;
}

/**
 * Writes down what is done already, or keeps from harm and so is done in any case: where that fails, the owner's log says
 * so and the caller is answered all the same. What must not be done unwritten awaits `audit.write` itself.
 */
export async function recordAudit(
  { audit, log }: AuditPorts,
  account: string,
  event: AuditEvent,
  about: Readonly<Record<string, unknown>>,
): Promise<void> {
  try {
    await audit.write(account, event, about);
  } catch (cause) {
    log.error("audit", { account, audited: event, ...about, cause });
  }
}

/** An order as the record of acts tells of it. */
export const orderAuditData = (order: Order): Readonly<Record<string, unknown>> => ({
  order_id: order.order_id,
  ticket_id: order.ticket_id,
  connection_id: order.connection_id,
  client_order_id: order.client_order_id,
  intent: order.intent,
  state: order.state,
  broker_status: order.broker_status,
  filled_quantity: order.filled_quantity,
  average_price: order.average_price,
  reason: order.reason,
});
