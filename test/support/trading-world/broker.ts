import type { BrokerStatus, Intent } from "../../../src/domain/trading/trading.ts";
import type { Broker, BrokerOrder, SubmitResult } from "../../../src/domain/trading/trading-port.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import type { SimulatedProcess, World } from "./world.ts";

/** Probabilities of faults, 0-1. */
export interface BrokerFaults {
  /** A request or a response is lost. */
  readonly lost: number;
  /** The broker returns an error, before or after it did the work. */
  readonly error: number;
  /** The broker reports a refusal of an order that it executed. */
  readonly lie: number;
  /** The broker refuses an order and does not execute it. */
  readonly refuses: number;
  /** The network delivers a request twice. */
  readonly twice: number;
  /** A new order cannot be found for a while. */
  readonly hidden: number;
  /** An order is returned in an earlier state. */
  readonly stale: number;
  /** A write to the store fails, before or after it took effect. */
  readonly store: number;
  readonly crash: number;
}

/** Longest delays of broker and network. */
export interface BrokerDelays {
  /** Milliseconds within which a request arrives; after that it never does. */
  readonly arrivesWithin: number;
  /** Milliseconds within which an order that arrived can be found. */
  readonly visibleWithin: number;
  /** True if the broker may refuse an order that it executed but cannot find yet. */
  readonly refusesExecuted: boolean;
}

/** The actual state of an order. */
export interface SimulatedOrder {
  readonly id: string;
  readonly clientOrderId: string;
  readonly intent: Intent;
  /** All states, the current one last. */
  readonly history: BrokerOrder[];
  /** Time from which the order can always be found, epoch ms. */
  readonly shown: number;
}

/** A broker with known orders and unreliable responses. */
export interface FaultyBroker {
  readonly orders: ReadonlyMap<string, SimulatedOrder>;
  /** Number of times the product sent an order, by client order id. */
  readonly sent: ReadonlyMap<string, number>;
  /** The broker port of a process; `sending` is called before each order is sent. */
  reach(of: SimulatedProcess, sending: (clientOrderId: string) => void): Broker;
  /** Fills, cancels or expires a random order. */
  fillOne(): void;
}

const ENDED: ReadonlySet<BrokerStatus> = new Set(["filled", "cancelled", "expired", "rejected"]);
/** True if the order can no longer change. */
export const isEnded = ({ history: told }: SimulatedOrder): boolean => ENDED.has(told.at(-1)!.status);

/** One connection's account at a broker with these faults. */
export function faultyBroker(world: World, faults: () => BrokerFaults, delays: BrokerDelays): FaultyBroker {
  const { draw } = world;
  const orders = new Map<string, SimulatedOrder>();
  const sent = new Map<string, number>();
  const refused = new Set<string>();
  const iso = () => world.clock.now().toISOString();

  const become = (one: SimulatedOrder, status: BrokerStatus, filled = one.history.at(-1)!.filledQuantity) =>
    void one.history.push({
      ...one.history.at(-1)!,
      status,
      filledQuantity: filled,
      averagePrice: filled === "0" ? null : "100",
      updatedAt: iso(),
    });

  function trade(): void {
    const open = [...orders.values()].filter((one) => !isEnded(one));
    if (open.length === 0) return;
    const one = draw.one(open);
    const filled = draw.one(["part", "all", "all", "all", "end"] as const);
    const part = String(Number(one.intent.quantity) / 2);
    if (filled === "part" && one.history.at(-1)!.filledQuantity === "0")
      become(one, "partially_filled", part);
    else if (filled === "end") become(one, draw.one(["cancelled", "expired"]));
    else if (filled === "all") become(one, "filled", one.intent.quantity);
  }

  /** Handles an order that arrives; returns the response. */
  function arrive(clientOrderId: string, intent: Intent): SubmitResult {
    const { refuses, lie, hidden } = faults();
    const there = orders.get(clientOrderId);
    if (there !== undefined) return refusal(there, "client_order_id must be unique");
    if (refused.has(clientOrderId) || draw.chance(refuses)) {
      refused.add(clientOrderId);
      return { outcome: "rejected", reason: "insufficient buying power" };
    }
    const order: BrokerOrder = {
      id: `b${orders.size + 1}-${clientOrderId}`,
      clientOrderId,
      status: "working",
      symbol: intent.symbol,
      side: intent.side,
      quantity: intent.quantity,
      stopPrice: null,
      leg: null,
      entry: null,
      filledQuantity: "0",
      averagePrice: null,
      fees: "0",
      reason: null,
      updatedAt: iso(),
    };
    const shown = world.now() + (draw.chance(hidden) ? draw.whole(1, delays.visibleWithin) : 0);
    const one: SimulatedOrder = { id: order.id, clientOrderId, intent, shown, history: [order] };
    orders.set(clientOrderId, one);
    if (intent.type === "market" && draw.chance(0.5)) trade();
    if (draw.chance(lie)) return refusal(one, "unprocessable");
    return { outcome: "accepted", order: one.history.at(-1)! };
  }
  /** Rejects an order that exists. */
  const refusal = ({ shown }: SimulatedOrder, reason: string): SubmitResult => ({
    outcome: shown > world.now() && !delays.refusesExecuted ? "unknown" : "rejected",
    reason,
  });

  const noResponse = (): ToolError => new ToolError("UPSTREAM_UNAVAILABLE", "The broker did not answer");
  const withFaults = <T>(effect: () => T): T => {
    const { lost, error } = faults();
    if (draw.chance(lost + error)) throw noResponse();
    const value = effect();
    if (draw.chance(lost)) throw noResponse();
    return value;
  };

  const known = (clientOrderId: string): BrokerOrder | null => {
    const one = orders.get(clientOrderId);
    if (one === undefined || (world.now() < one.shown && draw.chance(0.7))) return null;
    return draw.chance(faults().stale) ? draw.one(one.history) : one.history.at(-1)!;
  };

  const reach: FaultyBroker["reach"] = (of, sending) => {
    const read = <T>(effect: () => T): Promise<T> => world.schedule({ of, effect: () => withFaults(effect) });
    return {
      account: () =>
        read(() => ({
          number: "4242",
          equity: "100000",
          cash: "100000",
          buyingPower: "100000",
          asOf: iso(),
          shorting: true,
          fractional: true,
          equityBefore: "100000",
        })),
      positions: () => read(() => []),
      orders: () => read(() => [...orders.keys()].flatMap((id) => known(id) ?? [])),
      find: (clientOrderId) => read(() => known(clientOrderId)),
      submit({ clientOrderId, intent }) {
        sending(clientOrderId);
        sent.set(clientOrderId, (sent.get(clientOrderId) ?? 0) + 1);
        const { lost, error, twice } = faults();
        if (draw.chance(twice)) world.later(() => void arrive(clientOrderId, intent), delays.arrivesWithin);
        return world.schedule({
          of,
          orphaned: "happens",
          within: delays.arrivesWithin,
          effect(): SubmitResult {
            if (draw.chance(lost)) throw noResponse();
            if (draw.chance(error)) return { outcome: "unknown", reason: "HTTP 500" };
            const answer = arrive(clientOrderId, intent);
            if (draw.chance(lost)) throw new Error("socket hang up");
            return draw.chance(error) ? { outcome: "unknown", reason: "HTTP 502" } : answer;
          },
        });
      },
      cancel: (id) =>
        world.schedule({
          of,
          orphaned: "happens",
          within: delays.arrivesWithin,
          effect: () =>
            withFaults(() => {
              if (draw.chance(0.3)) trade();
              const one = [...orders.values()].find((order) => order.id === id);
              if (one !== undefined && !isEnded(one)) become(one, "cancelled");
            }),
        }),
    };
  };
  return { orders: orders, sent, reach, fillOne: trade };
}
