import type { JournalFill } from "../../analytics/journal/trips.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import { Preview } from "../../domain/trading/preview.ts";
import type { Order } from "../../domain/trading/trading.ts";
import type { BrokerOrder, TicketRecord } from "../../domain/trading/trading-port.ts";
import { asToolError, isCallError } from "../../kernel/errors.ts";
import { openConnection } from "./open-connection.ts";

export type JournalPorts = Pick<Ports, "brokers" | "connections" | "tradeBook">;
export type PreviewSignal = NonNullable<Preview["signal"]>;

/** What is known of the orders of one connection. */
export interface ConnectionFills {
  readonly connection: string;
  readonly fills: readonly JournalFill[];
  readonly orders: ReadonlyMap<string, Order>;
  /** What the signal said when an order of ours was previewed, by its id. */
  readonly signals: ReadonlyMap<string, PreviewSignal>;
  /** Why its broker could not be asked; the orders are as last known, and those of brackets are not. */
  readonly unread: string | null;
}

/**
 * What was filled of an account's orders, by connection, as their brokers tell it: with legs of brackets and what was
 * done there without us. Of the connection alone that is asked for, which may be one that is no more.
 */
export async function readFills(
  account: string,
  {
    connection,
    limit,
    ...asked
  }: CallOptions & { readonly connection: string | undefined; readonly limit: number },
  ports: JournalPorts,
): Promise<readonly ConnectionFills[]> {
  const all = (await ports.tradeBook.orders(account, { connection, limit })).toReversed();
  const ids = [...new Set(all.map((order) => order.connection_id))];
  const found: ConnectionFills[] = [];
  for (const id of ids) {
    const orders = all.filter((order) => order.connection_id === id);
    const { told, unread } = await readBrokerOrders(account, id, orders, ports, asked);
    const tickets = new Map<string, TicketRecord>();
    for (const { ticket_id } of orders) {
      const ticket = await ports.tradeBook.ticket(account, ticket_id);
      if (ticket !== null) tickets.set(ticket_id, ticket);
    }
    const byClient = new Map(told.map((one) => [one.clientOrderId, one]));
    const own = new Set(orders.map((order) => order.client_order_id));
    found.push({
      connection: id,
      unread,
      orders: new Map(orders.map((order) => [order.order_id, order])),
      signals: new Map(
        orders.flatMap((order) => {
          const shown = Preview.shape.signal.safeParse(tickets.get(order.ticket_id)?.shown.signal).data;
          return shown == null ? [] : [[order.order_id, shown] as const];
        }),
      ),
      fills: [
        ...orders.flatMap((order) =>
          orderFill(order, byClient.get(order.client_order_id), tickets.get(order.ticket_id)),
        ),
        ...told.filter((one) => !own.has(one.clientOrderId)).flatMap(brokerFill),
      ],
    });
  }
  return found;
}

/** All orders that the broker has since the first of ours; none where it is silent or its connection is no more. */
async function readBrokerOrders(
  account: string,
  connection: string,
  orders: readonly Order[],
  ports: JournalPorts,
  asked: CallOptions,
): Promise<{ readonly told: readonly BrokerOrder[]; readonly unread: string | null }> {
  const since = orders[0]!.created_at; // the oldest
  try {
    const { broker } = await openConnection(account, connection, ports);
    return { told: await broker.orders({ since, ...asked }), unread: null };
  } catch (thrown) {
    const error = asToolError(thrown);
    if (error.code === "INTERNAL" || (isCallError(error) && error.code !== "NOT_CONNECTED")) throw thrown;
    return { told: [], unread: error.code === "NOT_FOUND" ? "It is disconnected" : error.message };
  }
}

function orderFill(
  order: Order,
  told: BrokerOrder | undefined,
  ticket: TicketRecord | undefined,
): readonly JournalFill[] {
  const quantity = told?.filledQuantity ?? order.filled_quantity;
  const price = told?.averagePrice ?? order.average_price;
  if (Number(quantity) <= 0 || price === null) return [];
  const status = told?.status ?? order.broker_status;
  const held = Preview.shape.account.safeParse(ticket?.shown.account).data?.held;
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
      fees: told?.fees ?? order.fees,
      // what ended otherwise was filled before it ended
      at: status === "filled" ? (told?.updatedAt ?? order.updated_at) : order.created_at,
      held: held === undefined || ticket === undefined ? null : { quantity: held, at: ticket.createdAt },
    },
  ];
}

const brokerFill = (told: BrokerOrder): readonly JournalFill[] =>
  Number(told.filledQuantity) <= 0 || told.averagePrice === null
    ? []
    : [
        {
          id: told.id,
          symbol: told.symbol,
          side: told.side,
          quantity: told.filledQuantity,
          price: told.averagePrice,
          fees: told.fees,
          at: told.updatedAt,
          kind: told.leg ?? "other",
          stop: null,
          held: null,
        },
      ];
