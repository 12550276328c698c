import type { Order } from "../../../src/domain/trading/trading.ts";
import type { TicketRecord, TradeRepository } from "../../../src/domain/trading/trading-port.ts";
import type { FaultyBroker, SimulatedOrder } from "./broker.ts";
import { ACCOUNT, type Trace } from "./ports.ts";
import type { World } from "./world.ts";

const ENOUGH = 1_000;
const digitsOf = (id: string): string => id.slice(id.indexOf("_") + 1).replace(/^ms-/, "");
const isOpen = ({ state }: Order): boolean => state === "submitting" || state === "unknown";
/** True if the record states that the broker does not have the order. */
const denies = ({ state, broker_status }: Order): boolean =>
  state === "rejected" || (state === "reconciled" && broker_status === "rejected");

/** Compares what is sent, stored and reported with the brokers' actual orders, and records contradictions. */
export interface Checker {
  readonly broken: string[];
  /** Number of checked reports, by state. */
  readonly reportedStates: Record<string, number>;
  begun(clientOrderId: string, trace: Trace): void;
  sending(clientOrderId: string, trace: Trace): void;
  ticketSaved(ticket: TicketRecord): void;
  orderReported(order: Order): void;
  /** A ticket was rejected; `sent`: its order was sent before the request began. */
  refused(ticket: string, code: string, sent: boolean): void;
  /** True if the ticket's order was sent. */
  isSent(ticket: string): boolean;
  inspect(): Promise<void>;
  /** Final check, once nothing is in flight and all orders were reconciled. */
  conclude(): Promise<void>;
}

/** A checker over the repository and the brokers of one world. */
export function createChecker(
  world: World,
  repository: TradeRepository,
  brokers: ReadonlyMap<string, FaultyBroker>,
): Checker {
  const broken: string[] = [];
  const reportedStates: Record<string, number> = {};
  const expiries = new Map<string, string>();
  const denied = new Map<string, string>();
  const found = new Set<string>();
  const fault = (what: string) => {
    if (found.has(what)) return;
    found.add(what);
    broken.push(`${world.clock.now().toISOString().slice(11, 23)} ${what}`);
  };
  const orderAt = (clientOrderId: string): SimulatedOrder | undefined => {
    for (const { orders: truth } of brokers.values()) {
      const one = truth.get(clientOrderId);
      if (one !== undefined) return one;
    }
    return undefined;
  };
  const all = () => repository.orders(ACCOUNT, { limit: ENOUGH });
  const timesSent = (id: string) =>
    [...brokers.values()].reduce((sum, { sent }) => sum + (sent.get(id) ?? 0), 0);

  return {
    broken,
    reportedStates: reportedStates,
    begun(clientOrderId, trace) {
      if (trace.live && trace.engagedNow())
        fault(`${clientOrderId} was begun while the kill switch was engaged`);
    },
    sending(clientOrderId, trace) {
      const expires = expiries.get(digitsOf(clientOrderId));
      if (expires === undefined) fault(`${clientOrderId} was sent without a ticket`);
      else if (expires <= world.clock.now().toISOString())
        fault(`${clientOrderId} was sent after its ticket had expired at ${expires.slice(11, 23)}`);
      if (timesSent(clientOrderId) > 0) fault(`${clientOrderId} was sent again`);
      if (trace.live && trace.engagedSinceStart())
        fault(`${clientOrderId} was sent although the kill switch was engaged before its request`);
      if (trace.live && trace.sawEngaged)
        fault(`${clientOrderId} was sent by a request that saw the kill switch engaged`);
      if (
        !trace.written.some(
          ([event, about]) =>
            event === "order_sending" && JSON.stringify(about).includes(digitsOf(clientOrderId)),
        )
      )
        fault(`${clientOrderId} was sent before the audit entry was written`);
      void repository.order(ACCOUNT, `or_${digitsOf(clientOrderId)}`).then((order) => {
        if (order === null) fault(`${clientOrderId} was sent before it was stored`);
        else if (!isOpen(order))
          fault(`${clientOrderId} was sent while the stored state was ${order.state}, ${order.reason}`);
      });
    },
    ticketSaved: ({ id, expiresAt }) => void expiries.set(digitsOf(id), expiresAt),
    orderReported(order) {
      const { client_order_id: id, state, broker_status } = order;
      reportedStates[state] = (reportedStates[state] ?? 0) + 1;
      const truth = orderAt(id);
      if (denies(order)) denied.set(id, `${state}: ${order.reason}`);
      else if (!isOpen(order)) {
        if (truth === undefined) fault(`${id} was reported as ${state}, and the broker does not have it`);
        else if (!truth.history.some(({ status }) => status === broker_status))
          fault(`${id} was reported as ${broker_status}, which it never was`);
      }
    },
    refused(ticket, code, sent) {
      if (sent && code === "REFUSED")
        fault(`ms-${digitsOf(ticket)} was sent, and its ticket was then refused with ${code}`);
    },
    isSent: (ticket) => timesSent(`ms-${digitsOf(ticket)}`) > 0,
    async inspect() {
      const orders = await all();
      const known = new Map(orders.map((order) => [order.client_order_id, order]));
      const open = orders.filter(isOpen).map(({ connection_id }) => connection_id);
      if (new Set(open).size < open.length) fault("two open orders on one connection");
      for (const { orders: truth } of brokers.values())
        for (const [id] of truth) {
          const order = known.get(id);
          if (order === undefined) fault(`the broker has ${id}, and it is not stored`);
          else if (denies(order))
            fault(`the broker has ${id}, and the stored state is ${order.state}, ${order.reason}`);
          if (denied.has(id)) fault(`${id} is at the broker, and was reported as ${denied.get(id)}`);
        }
    },
    async conclude() {
      for (const order of await all()) {
        const { client_order_id: id, state, broker_status, filled_quantity } = order;
        const now = orderAt(id)?.history.at(-1);
        const matches =
          now === undefined
            ? denies(order)
            : now.status === broker_status && now.filledQuantity === filled_quantity;
        if (isOpen(order) || !matches)
          fault(
            `${id} ends as ${state}, ${broker_status}, ${filled_quantity} filled; the broker's state: ${now === undefined ? "the broker never had it" : `${now.status}, ${now.filledQuantity}`}`,
          );
      }
    },
  };
}
