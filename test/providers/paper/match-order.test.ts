import Big from "big.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Intent } from "../../../src/domain/trading/trading.ts";
import { halfSpreadBps, impactBps } from "../../../src/providers/paper/liquidity.ts";
import { matchOrder, type PendingOrder, type Step } from "../../../src/providers/paper/match-order.ts";

/** A hundred million dollars a day: half a spread of 5 basis points. */
const liquidity = { dayDollars: 1e8, crypto: false };
const bar = (open: number, high: number, low: number, volume = 10_000): Step => ({
  at: 0,
  until: 300_000,
  open: new Big(open),
  high: new Big(high),
  low: new Big(low),
  volume: new Big(volume),
  bounded: true,
});
const order = (
  intent: Partial<Intent> & Pick<Intent, "side" | "type">,
  quantity: number | string = 100,
  triggered = false,
): PendingOrder => ({
  intent: { limit_price: null, stop_price: null, ...intent },
  remaining: new Big(quantity),
  triggered,
  whole: false,
});
const match = (waiting: PendingOrder, step: Step, available = step.volume.times(0.1)) => {
  const { triggered, quantity, price } = matchOrder(waiting, step, available, liquidity);
  return { triggered, quantity: quantity.toFixed(), price: price?.toFixed() ?? null };
};

describe("half the spread", () => {
  it.each([
    [1e6, 100, 41],
    [1e8, 100, 5],
    [1e10, 100, 1.4],
    [1e10, 5, 10], // half a cent of five dollars
    [1e4, 100, 100],
    [null, 100, 100],
  ])("of %s dollars a day at %d dollars is %d basis points", (dayDollars, price, bps) => {
    expect(halfSpreadBps(price, { dayDollars, crypto: false })).toBeCloseTo(bps, 9);
  });

  it("has no minimum of half a cent for crypto", () => {
    expect(halfSpreadBps(0.001, { dayDollars: 1e10, crypto: true })).toBeCloseTo(1.4, 9);
  });
});

describe("matching", () => {
  it("fills a market order beyond the open by half the spread and the impact of its share", () => {
    // 100 of 10,000 is 1 %: 50 x sqrt(0.01) = 5 basis points, in addition to 5
    expect(impactBps(0.01)).toBeCloseTo(5, 12);
    const step = bar(100, 101, 99);
    expect(match(order({ side: "buy", type: "market" }), step)).toMatchObject({
      quantity: "100",
      price: "100.1",
    });
    expect(match(order({ side: "sell", type: "market" }), step)).toMatchObject({
      quantity: "100",
      price: "99.9",
    });
  });

  it("fills no more than the available volume", () => {
    expect(match(order({ side: "buy", type: "market" }, 5_000), bar(100, 101, 99)).quantity).toBe("1000");
    expect(match(order({ side: "buy", type: "market" }), bar(100, 101, 99, 0))).toMatchObject({
      price: null,
    });
  });

  it("fills a limit that the bar reaches at the limit, and one already passed at the market price", () => {
    const limit = (limit_price: string, step: Step) =>
      match(order({ side: "buy", type: "limit", limit_price }), step).price;
    expect(limit("99.5", bar(100, 101, 99))).toBe("99.5");
    expect(limit("98.9", bar(100, 101, 99))).toBeNull();
    expect(limit("99", bar(100, 101, 99))).toBeNull(); // the seller at 99 is half a spread higher
    expect(limit("105", bar(100, 101, 99))).toBe("100.1");
    expect(limit("100.06", bar(100, 101, 99))).toBe("100.06");
  });

  it("triggers a stop at its price or, after a gap, at the open", () => {
    const stop = (stop_price: string, step: Step) =>
      match(order({ side: "sell", type: "stop", stop_price }), step);
    expect(stop("98", bar(100, 101, 99))).toEqual({ triggered: false, quantity: "0", price: null });
    expect(stop("99.5", bar(100, 101, 99))).toMatchObject({ triggered: true, price: "99.4005" });
    expect(stop("99.5", bar(95, 96, 94))).toMatchObject({ triggered: true, price: "94.905" });
  });

  it("triggers a stop-limit, and waits for the next bar if its limit is passed", () => {
    const wanted = { side: "buy", type: "stop_limit", stop_price: "102", limit_price: "103" } as const;
    const gap = bar(105, 106, 100);
    expect(match(order(wanted), bar(100, 102.5, 99))).toMatchObject({ triggered: true, price: "102.102" });
    expect(match(order(wanted), gap)).toEqual({ triggered: true, quantity: "0", price: null });
    expect(match(order(wanted, 100, true), gap)).toMatchObject({ quantity: "100", price: "103" });
  });

  const prices = fc.integer({ min: 100, max: 100_000 }).map((n) => n / 100);
  const steps = fc
    .tuple(prices, prices, prices, fc.integer({ min: 0, max: 1_000_000 }))
    .map(([a, b, c, volume]) =>
      bar([a, b, c].sort((x, y) => x - y)[1]!, Math.max(a, b, c), Math.min(a, b, c), volume),
    );
  const orders = fc
    .record({
      side: fc.constantFrom("buy", "sell"),
      type: fc.constantFrom("market", "limit", "stop", "stop_limit"),
      limit: prices,
      stop: prices,
      quantity: fc.integer({ min: 1, max: 200_000 }),
      triggered: fc.boolean(),
    })
    .map(({ side, type, limit, stop, quantity, triggered }) =>
      order(
        {
          side,
          type,
          limit_price: type.endsWith("limit") ? String(limit) : null,
          stop_price: type.startsWith("stop") ? String(stop) : null,
        },
        quantity,
        triggered && type.startsWith("stop"),
      ),
    );

  it("never fills outside the bar, past a limit, before a stop, or beyond the quantity or the volume", () => {
    fc.assert(
      fc.property(orders, steps, (waiting, step) => {
        const available = step.volume.times(0.1);
        const { quantity, price, triggered } = matchOrder(waiting, step, available, liquidity);
        if (price === null) return;
        const { side, limit_price, stop_price } = waiting.intent;
        expect(price.gte(step.low) && price.lte(step.high)).toBe(true);
        expect(quantity.gt(0) && quantity.lte(waiting.remaining) && quantity.lte(available)).toBe(true);
        if (limit_price !== null)
          expect(side === "buy" ? price.lte(limit_price) : price.gte(limit_price)).toBe(true);
        if (stop_price === null) return;
        expect(triggered).toBe(true);
        if (!waiting.triggered)
          expect(side === "buy" ? step.high.gte(stop_price) : step.low.lte(stop_price)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
