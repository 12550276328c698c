import type { BrokerStatus, Intent } from "../../../src/domain/trading/trading.ts";
import type { Broker, BrokerOrder, SubmitResult } from "../../../src/domain/trading/trading-port.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import type { SimulatedProcess, World } from "./world.ts";

/** How often what goes wrong does, of 1. */
export interface BrokerFaults {
  /** A request is lost on its way there, an answer on its way back. */
  readonly lost: number;
  /** Answered by an error of the broker's own, before or after it did what it was asked. */
  readonly error: number;
  /** A refusal of what was executed. */
  readonly lie: number;
  /** The broker really refuses. */
  readonly refuses: number;
  /** The network brings a request twice. */
  readonly twice: number;
  /** An order is not found at once. */
  readonly hidden: number;
  /** It is found as it was. */
  readonly stale: number;
  /** A write of the store fails, before or after it took effect. */
  readonly store: number;
  readonly crash: number;
}

/** What is taken for granted of any broker and network. */
export interface BrokerDelays {
  /** A request arrives within so many milliseconds or never. */
  readonly arrives: number;
  /** What arrived is found within so many. */
  readonly shows: number;
  /** Whether a broker refuses in plain words what it has executed and does not find yet. */
  readonly lies: boolean;
}

/** An order as it truly is. */
export interface Truth {
  readonly id: string;
  readonly clientOrderId: string;
  readonly intent: Intent;
  /** As it was told at each change, the last is now. */
  readonly told: BrokerOrder[];
  /** From when it is found by everyone, epoch ms. */
  readonly shown: number;
}

/** A broker whose book is known, and whose answers cannot be relied on. */
export interface FaultyBroker {
  readonly truth: ReadonlyMap<string, Truth>;
  /** How often an order of that id was sent by us. */
  readonly sent: ReadonlyMap<string, number>;
  /** The broker as a process reaches it; `sending` is told of each order before it goes out. */
  reach(of: SimulatedProcess, sending: (clientOrderId: string) => void): Broker;
  /** Lets the market do something to an order. */
  trade(): void;
}

const ENDED: ReadonlySet<BrokerStatus> = new Set(["filled", "cancelled", "expired", "rejected"]);
/** Whether nothing more becomes of it. */
export const isEnded = ({ told }: Truth): boolean => ENDED.has(told.at(-1)!.status);

/** One connection's account at a broker in this weather. */
export function faultyBroker(
  world: World,
  weather: () => BrokerFaults,
  patience: BrokerDelays,
): FaultyBroker {
  const { draw } = world;
  const truth = new Map<string, Truth>();
  const sent = new Map<string, number>();
  const refused = new Set<string>();
  const iso = () => world.clock.now().toISOString();

  const become = (one: Truth, status: BrokerStatus, filled = one.told.at(-1)!.filledQuantity) =>
    void one.told.push({
      ...one.told.at(-1)!,
      status,
      filledQuantity: filled,
      averagePrice: filled === "0" ? null : "100",
      updatedAt: iso(),
    });

  function trade(): void {
    const open = [...truth.values()].filter((one) => !isEnded(one));
    if (open.length === 0) return;
    const one = draw.one(open);
    const filled = draw.one(["part", "all", "all", "all", "end"] as const);
    const part = String(Number(one.intent.quantity) / 2);
    if (filled === "part" && one.told.at(-1)!.filledQuantity === "0") become(one, "partially_filled", part);
    else if (filled === "end") become(one, draw.one(["cancelled", "expired"]));
    else if (filled === "all") become(one, "filled", one.intent.quantity);
  }

  /** What happens when a request arrives, and what is answered. */
  function arrive(clientOrderId: string, intent: Intent): SubmitResult {
    const { refuses, lie, hidden } = weather();
    const there = truth.get(clientOrderId);
    if (there !== undefined) return refusal(there, "client_order_id must be unique");
    if (refused.has(clientOrderId) || draw.chance(refuses)) {
      refused.add(clientOrderId);
      return { outcome: "rejected", reason: "insufficient buying power" };
    }
    const order: BrokerOrder = {
      id: `b${truth.size + 1}-${clientOrderId}`,
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
    const shown = world.now() + (draw.chance(hidden) ? draw.whole(1, patience.shows) : 0);
    const one: Truth = { id: order.id, clientOrderId, intent, shown, told: [order] };
    truth.set(clientOrderId, one);
    if (intent.type === "market" && draw.chance(0.5)) trade();
    if (draw.chance(lie)) return refusal(one, "unprocessable");
    return { outcome: "accepted", order: one.told.at(-1)! };
  }
  /** A refusal of what is there. */
  const refusal = ({ shown }: Truth, reason: string): SubmitResult => ({
    outcome: shown > world.now() && !patience.lies ? "unknown" : "rejected",
    reason,
  });

  const silent = (): ToolError => new ToolError("UPSTREAM_UNAVAILABLE", "The broker did not answer");
  const spoiled = <T>(effect: () => T): T => {
    const { lost, error } = weather();
    if (draw.chance(lost + error)) throw silent();
    const value = effect();
    if (draw.chance(lost)) throw silent();
    return value;
  };

  const known = (clientOrderId: string): BrokerOrder | null => {
    const one = truth.get(clientOrderId);
    if (one === undefined || (world.now() < one.shown && draw.chance(0.7))) return null;
    return draw.chance(weather().stale) ? draw.one(one.told) : one.told.at(-1)!;
  };

  const reach: FaultyBroker["reach"] = (of, sending) => {
    const read = <T>(effect: () => T): Promise<T> => world.ask({ of, effect: () => spoiled(effect) });
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
      orders: () => read(() => [...truth.keys()].flatMap((id) => known(id) ?? [])),
      find: (clientOrderId) => read(() => known(clientOrderId)),
      submit({ clientOrderId, intent }) {
        sending(clientOrderId);
        sent.set(clientOrderId, (sent.get(clientOrderId) ?? 0) + 1);
        const { lost, error, twice } = weather();
        if (draw.chance(twice)) world.later(() => void arrive(clientOrderId, intent), patience.arrives);
        return world.ask({
          of,
          orphaned: "happens",
          within: patience.arrives,
          effect(): SubmitResult {
            if (draw.chance(lost)) throw silent();
            if (draw.chance(error)) return { outcome: "unknown", reason: "HTTP 500" };
            const answer = arrive(clientOrderId, intent);
            if (draw.chance(lost)) throw new Error("socket hang up");
            return draw.chance(error) ? { outcome: "unknown", reason: "HTTP 502" } : answer;
          },
        });
      },
      cancel: (id) =>
        world.ask({
          of,
          orphaned: "happens",
          within: patience.arrives,
          effect: () =>
            spoiled(() => {
              if (draw.chance(0.3)) trade();
              const one = [...truth.values()].find((order) => order.id === id);
              if (one !== undefined && !isEnded(one)) become(one, "cancelled");
            }),
        }),
    };
  };
  return { truth, sent, reach, trade };
}
