import { describe, expect, it } from "vitest";
import type { Opening, PositionRecord, SyncedPositions } from "../../../src/domain/trading/positions-port.ts";
import type { Order } from "../../../src/domain/trading/trading.ts";
import type {
  Broker,
  BrokerOrder,
  BrokerPosition,
  TradeRepository,
} from "../../../src/domain/trading/trading-port.ts";
import type { BrokerConnection } from "../../../src/features/trading/resolve-connection.ts";
import { syncConnection } from "../../../src/features/trading/sync.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { movingClock } from "../../support/store.ts";

const seen = (over: Partial<Opening> = {}): Opening => ({
  at: "2026-01-14T21:00:00.000Z",
  direction: "LONG",
  grade: "A",
  score: 80,
  stop: 90,
  stopSource: "signal",
  ...over,
});
const held = (symbol: string, quantity: string): BrokerPosition => ({
  symbol,
  quantity,
  averagePrice: "100",
});

const stopAt = (side: "buy" | "sell", status: BrokerOrder["status"] = "working") =>
  ({ symbol: "AAPL", side, status, leg: "stop_loss", entry: null, stopPrice: "95.5" }) as BrokerOrder;

/** A broker with the given positions, and a repository in memory. */
function bench() {
  const clock = movingClock();
  const now = {
    positions: [] as BrokerPosition[],
    orders: [] as Order[],
    opening: seen() as Opening | null,
    stops: [stopAt("sell"), stopAt("buy")],
  };
  const stored = new Map<string, SyncedPositions>();
  const requests: string[] = [];
  const checked: string[] = [];
  const broker = {
    positions: async () => now.positions,
    account: async () => ({ equity: "1" }),
    orders: async () => now.stops,
  } as unknown as Broker;
  const ports = {
    clock,
    connections: { checked: async (_: string, id: string, at: string) => void checked.push(`${id} ${at}`) },
    positionRepository: {
      listSynced: async () => [...stored.values()],
      saveSynced: async (_: string, one: SyncedPositions) => void stored.set(one.connection, one),
    },
    tradeRepository: {
      orders: async (_: string, { connection, limit }: Parameters<TradeRepository["orders"]>[1]) =>
        now.orders
          .filter((one) => connection === undefined || one.connection_id === connection)
          .slice(0, limit),
    } as unknown as TradeRepository,
  } as unknown as Parameters<typeof syncConnection>[2];
  const run = async (): Promise<readonly PositionRecord[]> => {
    clock.pass(60_000);
    const line = { connection: { connection_id: "cn_1" }, broker } as unknown as BrokerConnection;
    const { positions } = await syncConnection("ada", line, ports, {
      openings: async (wanted) => {
        requests.push(...wanted.map(({ symbol, quantity }) => `${symbol} ${quantity}`));
        return new Map(now.opening === null ? [] : wanted.map(({ symbol }) => [symbol, now.opening!]));
      },
    });
    expect(stored.get("cn_1")?.positions).toEqual(positions);
    return positions;
  };
  const bought = (stop: string, over: Partial<Order> = {}): Order =>
    ({
      connection_id: "cn_1",
      state: "accepted",
      broker_status: "filled",
      filled_quantity: "1",
      created_at: clock.now().toISOString(),
      updated_at: clock.now().toISOString(),
      intent: { symbol: "AAPL", side: "buy", stop_loss: stop },
      ...over,
    }) as Order;
  return { now, stored, requests, checked, broker, run, bought, clock };
}

describe("a sync", () => {
  it("keeps the first-seen time and the opening signal of a position", async () => {
    const { now, run, requests, checked, clock } = bench();
    now.positions = [held("AAPL", "1")];
    const [first] = await run();
    const since = clock.now().toISOString();
    expect(first).toEqual({ symbol: "AAPL", quantity: "1", averagePrice: "100", since, opening: seen() });
    now.positions = [held("AAPL", "2.5")];
    now.opening = seen({ grade: "F" });
    expect(await run()).toEqual([{ ...first, quantity: "2.5" }]);
    expect(requests).toEqual(["AAPL 1"]);
    expect(checked.at(-1)).toBe(`cn_1 ${clock.now().toISOString()}`);
  });

  it("starts again when the side changed or the position was reopened", async () => {
    const { now, run, requests, clock } = bench();
    now.positions = [held("AAPL", "1")];
    await run();
    now.positions = [held("AAPL", "-1")];
    now.opening = seen({ direction: "SHORT" });
    expect(await run()).toMatchObject([
      { since: clock.now().toISOString(), opening: { direction: "SHORT" } },
    ]);
    now.positions = [];
    expect(await run()).toEqual([]);
    now.positions = [held("AAPL", "-1")];
    expect(await run()).toMatchObject([{ since: clock.now().toISOString() }]);
    expect(requests).toEqual(["AAPL 1", "AAPL -1", "AAPL -1"]);
  });

  it("reads a signal again that could not be read before", async () => {
    const { now, run, requests } = bench();
    now.positions = [held("AAPL", "1")];
    now.opening = null;
    expect((await run())[0]?.opening).toBeNull();
    now.opening = seen();
    expect((await run())[0]?.opening).toEqual(seen());
    await run();
    expect(requests).toHaveLength(2);
  });

  it("prefers the stop of the opening order to that of the signal", async () => {
    const { now, run, bought } = bench();
    now.orders = [bought("95.5"), bought("80", { connection_id: "cn_2" })];
    now.positions = [held("AAPL", "1"), held("MSFT", "1")];
    const [apple, microsoft] = await run();
    expect(apple?.opening).toEqual(seen({ stop: 95.5, stopSource: "order" }));
    expect(microsoft?.opening).toEqual(seen());
    now.orders = [];
    expect((await run())[0]?.opening).toEqual(seen({ stop: 95.5, stopSource: "order" }));
  });

  it("drops a stop that no longer works at the broker until an adding order sets one", async () => {
    const { now, run, bought } = bench();
    now.positions = [held("AAPL", "1")];
    now.orders = [bought("95.5")];
    expect((await run())[0]?.opening).toMatchObject({ stop: 95.5, stopSource: "order" });
    now.stops = [stopAt("sell", "cancelled"), stopAt("buy")];
    const [bare] = await run();
    expect(bare?.opening).toEqual(seen({ stop: null, stopSource: null }));
    now.stops = [stopAt("sell")];
    expect(await run()).toEqual([bare]);
    now.orders = [bought("97")];
    expect((await run())[0]?.opening).toMatchObject({ stop: 97, stopSource: "order" });
  });

  it("uses the stop of an order only once it is partly filled", async () => {
    const { now, run, bought, clock } = bench();
    now.positions = [held("AAPL", "1")];
    const waits = { client_order_id: "ms-1", broker_status: "working", filled_quantity: "0" } as const;
    now.orders = [bought("108", waits)];
    const entry = { clientOrderId: "ms-1", symbol: "AAPL", side: "buy", leg: null, entry: null } as const;
    const at = (filledQuantity: string) => [
      { ...entry, status: "working", quantity: "2", stopPrice: "109", filledQuantity } as BrokerOrder,
      { ...stopAt("sell"), entry: "ms-1", quantity: "2", filledQuantity: "0" },
    ];
    now.stops = at("0");
    expect((await run())[0]?.opening).toEqual(seen());
    clock.pass(1_000);
    now.orders = [bought("108", waits)];
    now.stops = at("1");
    expect((await run())[0]?.opening).toMatchObject({ stop: 108, stopSource: "order" });
    // the exit of another, waiting entry protects nothing
    now.stops = at("0");
    expect((await run())[0]?.opening).toMatchObject({ stop: null, stopSource: null });
  });

  it("finds the order's stop despite many orders on other connections", async () => {
    const { now, run, bought } = bench();
    now.positions = [held("AAPL", "1")];
    const others = Array.from({ length: 1_000 }, () => bought("80", { connection_id: "cn_2" }));
    now.orders = [...others, bought("95.5")];
    expect((await run())[0]?.opening).toMatchObject({ stop: 95.5, stopSource: "order" });
  });

  it("uses the stop of an order that adds to a position", async () => {
    const { now, run, bought, clock } = bench();
    now.orders = [bought("95")];
    now.positions = [held("AAPL", "1")];
    await run();
    clock.pass(1_000);
    now.orders = [bought("97"), ...now.orders];
    expect((await run())[0]?.opening).toMatchObject({ stop: 97, stopSource: "order", grade: "A" });
  });

  it("replaces times from the future, stored while the clock was ahead", async () => {
    const { now, run, bought, clock } = bench();
    const month = 30 * 86_400_000;
    clock.pass(month);
    now.positions = [held("AAPL", "1")];
    await run();
    clock.pass(-month);
    const { intent } = bought("97");
    now.orders = [bought("97", { intent: { ...intent, symbol: "MSFT" } })];
    now.positions = [held("AAPL", "1"), held("MSFT", "1")];
    now.stops.push({ ...stopAt("sell"), symbol: "MSFT" });
    const since = new Date(clock.now().getTime() + 60_000).toISOString();
    expect(await run()).toMatchObject([
      { symbol: "AAPL", since },
      { symbol: "MSFT", since, opening: { stop: 97, stopSource: "order" } },
    ]);
    clock.pass(1_000);
    now.orders = [bought("96"), ...now.orders];
    expect((await run())[0]?.opening).toMatchObject({ stop: 96, stopSource: "order" });
  });

  it("stores the stop of an order without a signal, and keeps it when one is read", async () => {
    const { now, run, bought } = bench();
    now.orders = [bought("95")];
    now.positions = [held("AAPL", "1")];
    now.opening = null;
    expect((await run())[0]?.opening).toEqual({
      at: now.orders[0]!.created_at,
      direction: null,
      grade: null,
      score: null,
      stop: 95,
      stopSource: "order",
    });
    now.opening = seen();
    expect((await run())[0]?.opening).toEqual(seen({ stop: 95, stopSource: "order" }));
  });

  it("keeps the stored positions of an unavailable broker", async () => {
    const { now, run, broker, stored, checked } = bench();
    now.positions = [held("AAPL", "1")];
    await run();
    const before = stored.get("cn_1");
    for (const method of ["account", "positions"] as const) {
      Object.assign(broker, {
        [method]: async () => {
          throw new ToolError("UPSTREAM_UNAVAILABLE", "Silent");
        },
      });
      await expect(run()).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    }
    expect(stored.get("cn_1")).toBe(before);
    expect(checked).toHaveLength(1);
  });
});
