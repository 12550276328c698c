import { describe, expect, it } from "vitest";
import { reconcile } from "../../../src/features/trading/reconcile.ts";
import { resolveConnection } from "../../../src/features/trading/resolve-connection.ts";
import { availableUnits, readAccountState } from "../../../src/features/trading/situation.ts";
import { CN, tradeBench } from "./bench.ts";

const MINUTE = 60_000;
type Bench = Awaited<ReturnType<typeof tradeBench>>;
const accountState = async ({ ports }: Bench) =>
  readAccountState("ada", await resolveConnection(ports, "ada", CN), ports);
const open = async (bench: Bench) => (await accountState(bench)).openRisk;

describe("held and available units", () => {
  it("follow the broker, so that a position can be closed despite stale stored orders", async () => {
    const bench = await tradeBench();
    await bench.trade({ side: "buy", quantity: "10" }, "BTC-USD");
    const limit = { side: "sell", type: "limit", limit_price: "105", time_in_force: "gtc" };
    const filled = await bench.trade({ ...limit, quantity: "5" }, "BTC-USD");
    const resting = await bench.trade({ ...limit, quantity: "2", limit_price: "109" }, "BTC-USD");
    for (const at of [5, 10])
      bench.bar(at, { symbol: "BTC-USD", open: 104, high: 107, low: 103, volume: 1e6 });
    bench.clock.pass(20 * MINUTE);
    const { tradeRepository } = bench.ports;
    expect(await tradeRepository.order("ada", filled.order_id)).toMatchObject({ broker_status: "working" });
    // 10 bought, 5 sold, and 2 resting
    expect(availableUnits("BTC-USD", await accountState(bench)).toFixed()).toBe("3");
    const shown = await bench.preview({ side: "sell", quantity: "3" }, null, "BTC-USD");
    expect(shown).toMatchObject({ reason: null, account: { held: "5" } });
    await reconcile("ada", bench.ports);
    expect(availableUnits("BTC-USD", await accountState(bench)).toFixed()).toBe("3");
    expect(await tradeRepository.order("ada", resting.order_id)).toMatchObject({ broker_status: "working" });
  });

  it("ignore orders the broker no longer lists, unless recent or unresolved", async () => {
    const unlisted = { on: false };
    const bench = await tradeBench({
      fault: (broker) => ({
        ...broker,
        orders: async (request) => (unlisted.on ? [] : broker.orders(request)),
      }),
    });
    await bench.trade({ side: "buy", quantity: "10" });
    const limit = { side: "sell", quantity: "4", type: "limit", limit_price: "105" };
    const order = await bench.trade(limit);
    const held = async () => availableUnits("AAPL", await accountState(bench)).toFixed();
    unlisted.on = true;
    bench.clock.pass(MINUTE - 1);
    expect(await held()).toBe("6");
    bench.clock.pass(1);
    expect(await held()).toBe("10");
    await bench.db
      .updateTable("trade_orders")
      .set({ state: "unknown" })
      .where("id", "=", order.order_id)
      .execute();
    expect(await held()).toBe("6");
  });

  it("reads stored orders first, then broker orders, then positions", async () => {
    const request: string[] = [];
    const noting = <T extends object>(of: T, name: keyof T & string): T => ({
      ...of,
      [name]: (...result: unknown[]) => {
        request.push(name);
        return (of[name] as (...told: unknown[]) => unknown)(...result);
      },
    });
    const bench = await tradeBench({
      fault: (broker) => noting(noting(broker, "orders"), "positions"),
    });
    const repository = {
      ...bench.ports.tradeRepository,
      orders: noting(bench.ports.tradeRepository, "orders").orders,
    };
    await readAccountState("ada", await resolveConnection(bench.ports, "ada", CN), {
      ...bench.ports,
      tradeRepository: repository,
    });
    // the broker's working orders are read before the positions that they change
    expect(request).toEqual(["orders", "orders", "orders", "orders", "positions"]);
  });
});

describe("open risk", () => {
  it("counts a waiting market order by its stop or the range of its symbol", async () => {
    const bench = await tradeBench();
    await bench.setLimits({ hours: "any" });
    // 20:00 in New York
    bench.clock.pass(10 * 60 * MINUTE);
    const order = await bench.trade({ side: "buy", quantity: "90", stop_loss: "90" });
    expect(order).toMatchObject({ broker_status: "working" });
    // 90 units at 100 dollars with a stop at 90
    expect(await open(bench)).toBe("900");
    await bench.trade({ side: "buy", quantity: "2" });
    // AAPL has too few days for an average range: all of 100 dollars
    expect(await open(bench)).toBe("1100");
  });

  it("is not reduced by the stop of a waiting order", async () => {
    const bench = await tradeBench();
    await bench.trade({ side: "buy", quantity: "10" }, "BTC-USD");
    const bare = Number(await open(bench));
    const waits = { side: "buy", quantity: "10", type: "stop", stop_price: "109", time_in_force: "gtc" };
    await bench.trade({ ...waits, stop_loss: "108" }, "BTC-USD");
    // 10 to be bought at 109 with a stop at 108
    expect(Number(await open(bench)) - bare).toBeCloseTo(10, 9);
  });

  it("limits the sum of waiting orders", async () => {
    const bench = await tradeBench();
    await bench.setLimits({ hours: "any" });
    bench.clock.pass(10 * 60 * MINUTE);
    const request = { side: "buy", quantity: "90", stop_loss: "90" };
    // 900 dollars each, of 6 % of 100,000
    for (let n = 0; n < 6; n++) await bench.trade(request);
    expect(await bench.preview(request)).toMatchObject({ reason: "Refused by max_open_risk_pct" });
  });

  it("counts the part of a closing order that opens the other side", async () => {
    const bench = await tradeBench();
    await bench.trade({ side: "buy", quantity: "4", stop_loss: "98" });
    const base = Number(await open(bench));
    const sell = { side: "sell", type: "limit", limit_price: "105" };
    await bench.trade({ ...sell, quantity: "3" });
    expect(Number(await open(bench))).toBe(base);
    await bench.trade({ ...sell, quantity: "50", stop_loss: "107" });
    // of the 53 sold 4 are held: 49 are sold short at 105 with a stop at 107
    expect(Number(await open(bench)) - base).toBeCloseTo(98, 9);
  });
});
