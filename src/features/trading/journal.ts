import type { JournalFill } from "../../analytics/journal/trips.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import { JournalTrade } from "../../domain/trading/journal.ts";
import { Preview } from "../../domain/trading/preview.ts";
import type { Order } from "../../domain/trading/trading.ts";
import type { BrokerOrder, TicketRecord } from "../../domain/trading/trading-port.ts";
import { asToolError, isCallError } from "../../kernel/errors.ts";
import { type ConnectionPorts, resolveConnection } from "./resolve-connection.ts";

type JournalPorts = ConnectionPorts & Pick<Ports, "tradeRepository">;

export interface ConnectionFills {
  readonly connection: string;
  readonly fills: readonly JournalFill[];
  readonly orders: ReadonlyMap<string, Order>;
  /** Signals shown in the previews, by order id. */
  readonly signals: ReadonlyMap<string, NonNullable<JournalTrade["signal"]>>;
  /**
   * Reason why the broker was unavailable; null when it responded. Without the broker, fills come from stored orders
   * and exclude bracket legs.
   */
  readonly unavailableReason: string | null;
}

/**
 * Reads the fills of an account's orders, by connection, as the brokers report them; includes bracket legs and orders
 * placed elsewhere. With `connection`, reads only that connection, even a removed one.
 */
export async function readFills(
  account: string,
  request: CallOptions & { readonly connection: string | undefined; readonly limit: number },
  ports: JournalPorts,
): Promise<readonly ConnectionFills[]> {
  const { connection, limit, ...options } = request;
  const all = (await ports.tradeRepository.orders(account, { connection, limit })).toReversed();
  const ids = [...new Set(all.map((order) => order.connection_id))];
  const result: ConnectionFills[] = [];
  for (const id of ids) {
    const orders = all.filter((order) => order.connection_id === id);
    const read = await readBrokerOrders(account, id, orders, ports, options);
    const { brokerOrders, unavailableReason } = read;
    const tickets = new Map<string, TicketRecord>();
    for (const { ticket_id } of orders) {
      const ticket = await ports.tradeRepository.ticket(account, ticket_id);
      if (ticket !== null) tickets.set(ticket_id, ticket);
    }
    const byClient = new Map(brokerOrders.map((order) => [order.clientOrderId, order]));
    const ownIds = new Set(orders.map((order) => order.client_order_id));
    result.push({
      connection: id,
      unavailableReason,
      orders: new Map(orders.map((order) => [order.order_id, order])),
      signals: new Map(
        orders.flatMap((order) => {
          const shown = JournalTrade.shape.signal.safeParse(tickets.get(order.ticket_id)?.shown.signal).data;
          return shown == null ? [] : [[order.order_id, shown] as const];
        }),
      ),
      fills: [
        ...orders.flatMap((order) =>
          orderFill(order, byClient.get(order.client_order_id), tickets.get(order.ticket_id)),
        ),
        ...brokerOrders.filter((order) => !ownIds.has(order.clientOrderId)).flatMap(brokerFill),
      ],
    });
  }
  return result;
}

/**
 * Reads the broker's orders since our first order; empty with a reason when the broker is unavailable or the
 * connection was removed.
 */
async function readBrokerOrders(
  account: string,
  connection: string,
  orders: readonly Order[],
  ports: JournalPorts,
  options: CallOptions,
): Promise<{ readonly brokerOrders: readonly BrokerOrder[]; readonly unavailableReason: string | null }> {
  const since = orders[0]!.created_at; // the oldest
  try {
    const { broker } = await resolveConnection(ports, account, connection);
    return { brokerOrders: await broker.orders({ since, ...options }), unavailableReason: null };
  } catch (thrown) {
    const error = asToolError(thrown);
    if (error.code === "INTERNAL" || (isCallError(error) && error.code !== "NOT_CONNECTED")) throw thrown;
    const unavailableReason = error.code === "NOT_FOUND" ? "The connection was removed" : error.message;
    return { brokerOrders: [], unavailableReason };
  }
}

function orderFill(
  order: Order,
  brokerOrder: BrokerOrder | undefined,
  ticket: TicketRecord | undefined,
): readonly JournalFill[] {
  const quantity = brokerOrder?.filledQuantity ?? order.filled_quantity;
  const price = brokerOrder?.averagePrice ?? order.average_price;
  if (Number(quantity) <= 0 || price === null) return [];
  const status = brokerOrder?.status ?? order.broker_status;
  const heldUnits = Preview.shape.account.safeParse(ticket?.shown.account).data?.held;
  const { symbol, side, stop_loss: stop } = order.intent;
  return [
    {
      id: order.order_id,
      symbol,
      side,
      quantity,
      price,
      stop,
      kind: "order",
      fees: brokerOrder?.fees ?? order.fees,
      // in other statuses the order may have been updated after the fill
      at: status === "filled" ? (brokerOrder?.updatedAt ?? order.updated_at) : order.created_at,
      held:
        heldUnits === undefined || ticket === undefined
          ? null
          : { quantity: heldUnits, at: ticket.createdAt },
    },
  ];
}

const brokerFill = (order: BrokerOrder): readonly JournalFill[] =>
  Number(order.filledQuantity) <= 0 || order.averagePrice === null
    ? []
    : [
        {
          id: order.id,
          symbol: order.symbol,
          side: order.side,
          quantity: order.filledQuantity,
          price: order.averagePrice,
          fees: order.fees,
          at: order.updatedAt,
          kind: order.leg ?? "other",
          stop: null,
          held: null,
        },
      ];
