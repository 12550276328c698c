import type { Order } from "../../../src/domain/trading/trading.ts";
import type { TicketRecord, TradeRepository } from "../../../src/domain/trading/trading-port.ts";
import type { FaultyBroker, Truth } from "./broker.ts";
import { ACCOUNT, type Trace } from "./ports.ts";
import type { World } from "./world.ts";

const ENOUGH = 1_000;
const digitsOf = (id: string): string => id.slice(id.indexOf("_") + 1).replace(/^ms-/, "");
const isOpen = ({ state }: Order): boolean => state === "submitting" || state === "unknown";
/** Whether it says that the broker does not have the order. */
const denies = ({ state, broker_status }: Order): boolean =>
  state === "rejected" || (state === "reconciled" && broker_status === "rejected");

/** Compares what is sent, kept and told with what is true, and notes whatever contradicts. */
export interface Checker {
  readonly broken: string[];
  /** Orders whose acknowledgement was judged, by what was told. */
  readonly told: Record<string, number>;
  begun(clientOrderId: string, trace: Trace): void;
  sending(clientOrderId: string, trace: Trace): void;
  kept(ticket: TicketRecord): void;
  hears(order: Order): void;
  /** Of a ticket whose order had `sent` been sent before the request began. */
  refused(ticket: string, code: string, sent: boolean): void;
  /** Whether the order of a ticket was sent. */
  isSent(ticket: string): boolean;
  inspect(): Promise<void>;
  /** When nothing is on its way any more and everything was read back. */
  conclude(): Promise<void>;
}

/** A judge over the book and the brokers of one world. */
export function createChecker(
  world: World,
  book: TradeRepository,
  brokers: ReadonlyMap<string, FaultyBroker>,
): Checker {
  const broken: string[] = [];
  const told: Record<string, number> = {};
  const expiries = new Map<string, string>();
  const denied = new Map<string, string>();
  const found = new Set<string>();
  const fault = (what: string) => {
    if (found.has(what)) return;
    found.add(what);
    broken.push(`${world.clock.now().toISOString().slice(11, 23)} ${what}`);
  };
  const truthOf = (clientOrderId: string): Truth | undefined => {
    for (const { truth } of brokers.values()) {
      const one = truth.get(clientOrderId);
      if (one !== undefined) return one;
    }
    return undefined;
  };
  const all = () => book.orders(ACCOUNT, { limit: ENOUGH });
  const timesSent = (id: string) =>
    [...brokers.values()].reduce((sum, { sent }) => sum + (sent.get(id) ?? 0), 0);

  return {
    broken,
    told,
    begun(clientOrderId, trace) {
      if (trace.live && trace.stands()) fault(`${clientOrderId} was begun while the kill switch was engaged`);
    },
    sending(clientOrderId, trace) {
      const expires = expiries.get(digitsOf(clientOrderId));
      if (expires === undefined) fault(`${clientOrderId} was sent without a ticket`);
      else if (expires <= world.clock.now().toISOString())
        fault(`${clientOrderId} was sent after its ticket had expired at ${expires.slice(11, 23)}`);
      if (timesSent(clientOrderId) > 0) fault(`${clientOrderId} was sent again`);
      if (trace.live && trace.stopped())
        fault(`${clientOrderId} was sent though the kill switch was engaged before it was asked for`);
      if (trace.live && trace.sawStopped)
        fault(`${clientOrderId} was sent by who had seen the kill switch engaged`);
      if (
        !trace.written.some(
          ([event, about]) =>
            event === "order_sending" && JSON.stringify(about).includes(digitsOf(clientOrderId)),
        )
      )
        fault(`${clientOrderId} was sent before that was written down`);
      void book.order(ACCOUNT, `or_${digitsOf(clientOrderId)}`).then((order) => {
        if (order === null) fault(`${clientOrderId} was sent before the book knew it`);
        else if (!isOpen(order))
          fault(`${clientOrderId} was sent while the book said ${order.state}, ${order.reason}`);
      });
    },
    kept: ({ id, expiresAt }) => void expiries.set(digitsOf(id), expiresAt),
    hears(order) {
      const { client_order_id: id, state, broker_status } = order;
      told[state] = (told[state] ?? 0) + 1;
      const truth = truthOf(id);
      if (denies(order)) denied.set(id, `${state}: ${order.reason}`);
      else if (!isOpen(order)) {
        if (truth === undefined) fault(`${id} was told to be ${state}, and the broker does not have it`);
        else if (!truth.told.some(({ status }) => status === broker_status))
          fault(`${id} was told to be ${broker_status}, which it never was`);
      }
    },
    refused(ticket, code, sent) {
      if (sent && code === "REFUSED")
        fault(`ms-${digitsOf(ticket)} was sent, and its ticket then told ${code}`);
    },
    isSent: (ticket) => timesSent(`ms-${digitsOf(ticket)}`) > 0,
    async inspect() {
      const orders = await all();
      const known = new Map(orders.map((order) => [order.client_order_id, order]));
      const open = orders.filter(isOpen).map(({ connection_id }) => connection_id);
      if (new Set(open).size < open.length) fault("two open questions on one connection");
      for (const { truth } of brokers.values())
        for (const [id] of truth) {
          const order = known.get(id);
          if (order === undefined) fault(`the broker has ${id}, and the book does not`);
          else if (denies(order))
            fault(`the broker has ${id}, and the book says ${order.state}, ${order.reason}`);
          if (denied.has(id)) fault(`${id} is at the broker, and was told to be ${denied.get(id)}`);
        }
    },
    async conclude() {
      for (const order of await all()) {
        const { client_order_id: id, state, broker_status, filled_quantity } = order;
        const now = truthOf(id)?.told.at(-1);
        const right =
          now === undefined
            ? denies(order)
            : now.status === broker_status && now.filledQuantity === filled_quantity;
        if (isOpen(order) || !right)
          fault(
            `${id} ends as ${state}, ${broker_status}, ${filled_quantity} filled; in truth ${now === undefined ? "the broker never had it" : `${now.status}, ${now.filledQuantity}`}`,
          );
      }
    },
  };
}
