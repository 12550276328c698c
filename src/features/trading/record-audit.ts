import type { AuditEvent } from "../../domain/audit/audit-events.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Order } from "../../domain/trading/trading.ts";

/**
 * Writes an audit entry for a completed action. A failure is logged and does not reject. Actions that must not
 * happen without an audit entry call `audit.write` first instead.
 */
export async function recordAudit(
  { audit, log }: Pick<Ports, "audit" | "log">,
  account: string,
  event: AuditEvent,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  try {
    await audit.write(account, event, details);
  } catch (cause) {
    log.error("audit", { account, audited: event, ...details, cause });
  }
}

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
