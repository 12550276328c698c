import Big from "big.js";
import { describe, expect, it } from "vitest";
import { Amount, type Intent } from "../../src/domain/trading/trading.ts";
import type { Broker } from "../../src/domain/trading/trading-port.ts";

/** The broker under test: `symbol` is open for trading at about `price` dollars. */
export interface BrokerBench {
  readonly broker: Broker;
  readonly symbol: string;
  readonly price: number;
  /** Advances time until a market order of one share is filled. */
  pass(): Promise<void>;
}

/** A market order for one share, with changes. */
export const intent = (symbol: string, over: Partial<Intent> = {}): Intent => ({
  symbol,
  side: "buy",
  type: "market",
  quantity: "1",
  limit_price: null,
  stop_price: null,
  time_in_force: "gtc",
  take_profit: null,
  stop_loss: null,
  ...over,
});

/** Registers the contract of every broker, once per adapter. */
export function describeBroker(name: string, make: () => Promise<BrokerBench>): void {
  const far = ({ symbol, price }: BrokerBench) =>
    intent(symbol, { type: "limit", limit_price: (price / 2).toFixed(2) });

  describe(`${name}, the contract of a broker`, () => {
    it("returns its account with amounts as decimal text", async () => {
      const { broker } = await make();
      const account = await broker.account();
      expect(account.number.length).toBeGreaterThanOrEqual(4);
      for (const value of [account.equity, account.cash, account.buyingPower])
        expect(Amount.safeParse(value).success).toBe(true);
      expect((await broker.account()).number).toBe(account.number);
    });

    it("fills a market order, and holds the shares", async () => {
      const bench = await make();
      const { broker, symbol } = bench;
      const sent = await broker.submit({ clientOrderId: "one", intent: intent(symbol) });
      expect(sent).toMatchObject({ outcome: "accepted", order: { clientOrderId: "one" } });
      await bench.pass();
      const order = await broker.find("one");
      expect(order).toMatchObject({ status: "filled", filledQuantity: "1" });
      expect(Amount.safeParse(order?.averagePrice).success).toBe(true);
      expect(await broker.positions()).toMatchObject([{ symbol, quantity: "1" }]);
    });

    it("places one order per client id, however often it is sent", async () => {
      const bench = await make();
      const order = { clientOrderId: "twice", intent: far(bench) };
      const sent = await Promise.all([1, 2, 3].map(() => bench.broker.submit(order)));
      sent.push(await bench.broker.submit(order));
      const ids = sent.map((one) => (one.outcome === "accepted" ? one.order.id : one.outcome));
      expect(new Set(ids).size).toBe(1);
      const since = "2000-01-01T00:00:00.000Z";
      expect(
        (await bench.broker.orders({ since })).filter((one) => one.clientOrderId === "twice"),
      ).toHaveLength(1);
    });

    it("leaves a limit order working until it is cancelled", async () => {
      const bench = await make();
      const { broker } = bench;
      await broker.submit({ clientOrderId: "far", intent: far(bench) });
      await bench.pass();
      const working = await broker.find("far");
      expect(working).toMatchObject({ status: "working", filledQuantity: "0", averagePrice: null });
      expect(working).toMatchObject({ symbol: bench.symbol, quantity: "1", leg: null, stopPrice: null });
      await broker.cancel(working!.id);
      expect(await broker.find("far")).toMatchObject({ status: "cancelled", filledQuantity: "0" });
      expect(await broker.positions()).toEqual([]);
    });

    it("rejects an order beyond the buying power, without side effects", async () => {
      const { broker, symbol, price } = await make();
      const { buyingPower } = await broker.account();
      const quantity = new Big(buyingPower).div(price).times(3).round(0).toFixed();
      const sent = await broker.submit({ clientOrderId: "dear", intent: intent(symbol, { quantity }) });
      expect(sent.outcome).toBe("rejected");
      expect(await broker.positions()).toEqual([]);
    });

    it("rejects an unknown symbol", async () => {
      const { broker } = await make();
      const sent = await broker.submit({ clientOrderId: "odd", intent: intent("ZZZZZZ") });
      expect(["rejected", "unsent"]).toContain(sent.outcome);
    });

    it("returns no order that was never sent", async () => {
      const { broker } = await make();
      expect(await broker.find("never")).toBeNull();
    });
  });
}
