import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { listOrders } from "../../tools/list-orders.ts";
import { countingMeters } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";
import { savedTicket, tradeMarket, trader } from "../support/trades.ts";

const market = await tradeMarket();
const { ports } = market;
const run = (tool: typeof listOrders | typeof executeTrade, input: object, account = trader.account) =>
  invoke(tool, input, { ports, principal: { ...trader, account }, transport: "test" });

describe("list_orders", () => {
  it("is empty with a hint before the first order, and lists only the account's own", async () => {
    expect(await run(listOrders, {})).toMatchObject({ orders: [], unread: [], hint: /preview_trade/ });
    const ticket_id = await savedTicket(market, "a", { type: "limit", limit_price: "130", stop_loss: null });
    await run(executeTrade, { ticket_id });
    await run(executeTrade, { ticket_id: await savedTicket(market, "b") });
    const ids = async (input: object, account?: string) =>
      ((await run(listOrders, input, account)) as { orders: { ticket_id: string }[] }).orders.map(
        (order) => order.ticket_id[3],
      );
    expect(await ids({})).toEqual(["b", "a"]);
    expect(await ids({ status: "working" })).toEqual(["a"]);
    expect(await ids({ limit: 1 })).toEqual(["b"]);
    expect(await ids({}, "two")).toEqual([]);
    expect(await run(listOrders, {})).toMatchObject({ hint: null });
    expect(await run(listOrders, { status: "working" }, "two")).toMatchObject({ hint: /status all/ });
  });
});

describe("list_orders from and to", () => {
  it("returns the orders of a range and each once over all pages, of one instant too", async () => {
    const stored = (await ports.tradeRepository.orders(trader.account, { limit: 10 }))[0]!;
    const hours = [9, 9, 9, 7, 6, 6, 3];
    const orders = hours.map((hour, i) => ({
      ...stored,
      order_id: `or_${String(i).padStart(20, "0")}`,
      created_at: `2026-01-10T0${hour}:00:00.000Z`,
    }));
    const tradeRepository = {
      ...ports.tradeRepository,
      orders: async (_: string, request: Parameters<typeof ports.tradeRepository.orders>[1]) => {
        const { states, working, since = "", until = "9", limit } = request;
        if (states !== undefined || working) return [];
        return orders.filter(({ created_at: at }) => at >= since && at <= until).slice(0, limit);
      },
    };
    const list = (input: object) =>
      invoke(listOrders, input, {
        ports: { ...market.ports, meters: countingMeters({ burst: 500 }).meters, tradeRepository },
        principal: trader,
        transport: "test",
      });
    for (const limit of [1, 2, 3, 10]) {
      const seen: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list({
          from: "2026-01-10T04:00:00Z",
          limit,
          ...(cursor && { cursor }),
        });
        seen.push(...page.orders.map(({ order_id }) => order_id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(seen).toEqual(orders.slice(0, 6).map(({ order_id }) => order_id));
    }
    expect(await list({ from: "2026-01-11" })).toMatchObject({ orders: [], hint: /in this range/ });
    expect((await list({ to: "2026-01-10T06:30:00Z" })).orders).toHaveLength(3);
  });

  it("bounds orders in the store", async () => {
    const all = await ports.tradeRepository.orders(trader.account, { limit: 10 });
    expect(all.length).toBeGreaterThan(1);
    const at = all[0]!.created_at;
    const bounded = (bounds: object) =>
      ports.tradeRepository.orders(trader.account, { limit: 10, ...bounds });
    expect(await bounded({ since: at, until: at })).toEqual(
      all.filter(({ created_at }) => created_at === at),
    );
    expect(await bounded({ until: "2000-01-01T00:00:00.000Z" })).toEqual([]);
  });
});

toolContract(listOrders, { ports });
