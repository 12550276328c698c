import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Preview, TradeRequestSchema } from "../../../src/domain/trading/preview.ts";
import { priceStep } from "../../../src/domain/trading/price-step.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { decimal, truncated } from "../../../src/lib/decimal.ts";
import { atScale } from "../../support/draws.ts";
import { LONG, tradeBench } from "./bench.ts";

const NONE = {
  max_notional_usd: null,
  max_notional_pct: null,
  max_quantity: null,
  max_price_off_pct: null,
  max_open_risk_pct: null,
};
const AT = "2026-01-15T15:00:00.000Z";
/** Amounts as callers write them: up to twelve digits before the point and nine after it. */
const positive = fc
  .tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: -9, max: 6 }))
  .map(([n, exponent]) => decimal(n).times(decimal(10).pow(exponent)).toFixed())
  .filter((text) => /^\d{1,12}(\.\d{1,9})?$/.test(text));
const or = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });

describe("the limits of a preview request", () => {
  it("refuses amounts that cannot be represented, with the reason", async () => {
    const { preview, price } = await tradeBench();
    price.now = 3_456.78;
    await expect(preview({ side: "buy", quantity: "999999999999" }, null, "BTC-USD")).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: /999999999999 at 3456.78 is .* USD/,
    });
    Preview.parse(await preview({ side: "buy", quantity: "200000000000" }, null, "BTC-USD"));
    // a loss is rounded up: 999999999999999.996 dollars would need sixteen digits
    price.now = 1_000;
    const most = { side: "buy", type: "limit", limit_price: "1000", quantity: "999999999999.999999996" };
    await expect(preview(most, null, "BTC-USD")).rejects.toMatchObject({ code: "INVALID_INPUT" });
    Preview.parse(await preview({ ...most, quantity: "999999999999.99" }, null, "BTC-USD"));
  });

  it("returns a preview or an error of the input for any valid request at any price", async () => {
    const { preview, price, ports } = await tradeBench();
    const result = { preview: 0, wrong: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          side: or(fc.constantFrom("buy", "sell")),
          type: fc.constantFrom("market", "limit", "stop", "stop_limit"),
          size: fc.constantFrom("quantity", "risk_pct", "kelly"),
          much: positive,
          limit: positive,
          stop: positive,
          stop_loss: or(positive),
          take_profit: or(positive),
          near: fc.boolean(),
        }),
        fc.tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: -8, max: 0 })),
        fc.record({
          symbol: fc.constantFrom("AAPL", "BTC-USD"),
          limited: fc.boolean(),
          stop: fc.double({ min: -0.5, max: 2, noNaN: true }),
          win: fc.double({ min: 0.5, max: 1, noNaN: true }),
        }),
        async (request, [n, exponent], { symbol, limited, stop, win }) => {
          price.now = Number(`${n}e${exponent}`);
          await ports.tradeRules.setLimits("ada", limited ? null : NONE, AT);
          const by = request.size === "kelly" ? {} : { [request.size]: request.much };
          const off = (text: string, times: string) =>
            request.near ? truncated(decimal(price.now).times(times)) : text;
          const said = {
            ...by,
            side: request.side,
            type: request.type,
            ...(request.type.endsWith("limit") ? { limit_price: off(request.limit, "0.98") } : {}),
            ...(request.type.startsWith("stop")
              ? { stop_price: off(request.stop, request.side === "sell" ? "0.99" : "1.01") }
              : {}),
            ...(request.stop_loss === undefined ? {} : { stop_loss: off(request.stop_loss, "0.9") }),
            ...(request.take_profit === undefined ? {} : { take_profit: off(request.take_profit, "1.2") }),
          };
          if (!TradeRequestSchema.safeParse(said).success) return;
          const record = { n: 4_000, win_rate: win, mean_win_r: 2, mean_loss_r: -1 };
          const plan = { ...LONG, stop: price.now * stop, target: price.now * 1.1, record };
          try {
            Preview.parse(await preview(said, plan, symbol));
            result.preview++;
          } catch (cause) {
            // a violated schema counts as a failure too
            if (!(cause instanceof ToolError) || cause.code === "INTERNAL") throw cause;
            expect(cause.code).toBe("INVALID_INPUT");
            result.wrong++;
          }
        },
      ),
      { numRuns: atScale(100, 400), seed: 11 },
    );
    // the only errors left are amounts that cannot be represented
    expect(result.preview).toBeGreaterThan(atScale(75, 300));
    expect(result.wrong).toBeGreaterThan(atScale(1, 5));
  }, 60_000);
});

describe("the price that sizes a trade", () => {
  it("is the stop price of a stop order, which must lie beyond the last price", async () => {
    const { preview } = await tradeBench();
    const wrong = (request: Record<string, unknown>) => preview({ risk_pct: "0.1", ...request }, LONG);
    expect(await wrong({ side: "buy", type: "stop", stop_price: "100" })).toMatchObject({
      ticket_id: null,
      reason: "Refused by stop_price_side",
      hint: expect.stringContaining(
        'Preview it again with stop_price above 100. For a price on the other side of the last one use type "limit" with limit_price, to trade now type "market".',
      ),
    });
    const refused = { ticket_id: null, reason: "Refused by stop_price_side" };
    for (const stop of ["98.01", "100"])
      expect(
        await wrong({ side: "buy", type: "stop_limit", stop_price: stop, limit_price: "101" }),
      ).toMatchObject(refused);
    for (const stop of ["100", "135"])
      expect(await wrong({ side: "sell", type: "stop", stop_price: stop, stop_loss: "140" })).toMatchObject({
        ticket_id: null,
      });
    expect(await wrong({ type: "stop", stop_price: "98.01" })).toMatchObject(refused);
    // .1 % of 100,000 dollars at 104 - 98 a unit, and at 103 - 96 a unit
    const buy = { type: "stop", stop_price: "104", take_profit: "110" };
    expect(await wrong(buy)).toMatchObject({ sizing: { quantity: "16.6666", at_risk: "99.9996" } });
    const sell = { side: "sell", type: "stop", stop_price: "96", stop_loss: "103" };
    expect(await wrong(sell)).toMatchObject({ sizing: { at_risk: "98" }, maximum_loss: { at_stop: "98" } });
  });

  it("is the worse of limit and market price for the stop", async () => {
    const { preview } = await tradeBench();
    const short = { side: "sell", type: "limit", limit_price: "95", risk_pct: "0.1" };
    expect((await preview({ ...short, stop_loss: "96" })).reason).toBe(
      "The stop 96 is not above the entry 100: set a stop_loss that is",
    );
    // sold at 95 or better: 10 a unit
    expect(await preview({ ...short, stop_loss: "105" })).toMatchObject({
      sizing: { quantity: "10", at_risk: "100" },
      maximum_loss: { at_stop: "100" },
    });
    const long = { side: "buy", type: "limit", limit_price: "105", risk_pct: "0.1" };
    expect((await preview({ ...long, stop_loss: "101" })).reason).toBe(
      "The stop 101 is not below the entry 100: set a stop_loss that is",
    );
    expect((await preview({ ...long, stop_loss: "95" })).maximum_loss.at_stop).toBe("100");
  });

  it("risks the stated amount at the stop and no more than requested, for any order", async () => {
    const { preview, price, setLimits } = await tradeBench();
    await setLimits({ max_orders_a_minute: null });
    let seen = 0;
    const about = (low: number, high: number) => fc.integer({ min: low, max: high }).map((n) => n / 1_000);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("buy", "sell"),
        fc.constantFrom("market", "limit", "stop", "stop_limit"),
        fc.tuple(about(910, 1_090), about(910, 1_090), about(800, 1_200)),
        fc.integer({ min: 1, max: 150 }).map((n) => n / 100),
        fc.constantFrom(0.00000123, 0.0456, 12.34, 140_150),
        async (side, type, [limit, stop, loss], risk, at) => {
          price.now = at;
          const priced = (times: number) => truncated(decimal(at).times(times));
          const request = {
            side,
            type,
            risk_pct: String(risk),
            stop_loss: priced(loss),
            ...(type.endsWith("limit") ? { limit_price: priced(limit) } : {}),
            ...(type.startsWith("stop") ? { stop_price: priced(stop) } : {}),
          };
          const shown = await preview(request, null, at < 1 && side === "buy" ? "BTC-USD" : "AAPL").catch(
            () => null,
          );
          if (shown?.intent == null) return;
          seen++;
          const { intent, sizing, maximum_loss } = shown;
          const result = decimal(sizing.at_risk!);
          const { limit_price, stop_price, stop_loss, quantity } = intent;
          // at every possible fill price, within the stated risk
          const fills = [
            limit_price ?? stop_price ?? at,
            ...(stop_price === null && limit_price !== null && (side === "buy") === Number(limit_price) > at
              ? [at]
              : []),
          ];
          for (const fill of fills)
            expect(decimal(fill).minus(stop_loss!).abs().times(quantity).lte(result.plus("0.000001"))).toBe(
              true,
            );
          expect(result.minus(maximum_loss.at_stop!).abs().lte("0.01")).toBe(true);
          expect(result.lte(decimal(risk).times(1_000))).toBe(true);
        },
      ),
      { numRuns: atScale(100, 400), seed: 5 },
    );
    expect(seen).toBeGreaterThan(atScale(12, 50));
  }, 60_000);
});

describe("fractional shares", () => {
  it("can be bought and closed, but not sold short", async () => {
    const { preview, ticketOf, execute } = await tradeBench();
    const sell = { side: "sell", stop_loss: "103" };
    const half = await preview({ ...sell, quantity: "2.5" });
    expect(half.reason).toBe("Short sales need whole shares: quantity 2.5 is not a multiple of 1; use 2");
    expect((await preview({ ...sell, quantity: "2" })).ticket_id).not.toBeNull();
    // .1 % of 100,000 dollars at 3 a unit are 33.3
    expect((await preview({ ...sell, risk_pct: "0.1" })).intent?.quantity).toBe("33");
    await execute(await ticketOf({ side: "buy", quantity: "0.5" }));
    const over = await preview({ ...sell, quantity: "2" });
    expect(over.checks.find(({ rule }) => rule === "quantity_step")).toMatchObject({
      state: "failed",
      value: "2",
      limit: "1",
      would_pass: "1.5",
    });
    expect((await preview({ ...sell, quantity: "1.5" })).ticket_id).not.toBeNull();
    expect((await preview({ side: "sell", quantity: "0.25" })).ticket_id).not.toBeNull();
    expect((await preview({ ...sell, risk_pct: "0.1" })).intent?.quantity).toBe("32.5");
  });
});

describe("a coin below one cent", () => {
  it("is sized, checked and bought at its own precision", async () => {
    const { preview, price, execute, setLimits, ticket } = await tradeBench();
    price.now = 0.00000123;
    await setLimits({ max_quantity: null });
    const plan = { ...LONG, stop: 0.0000011187, target: 0.00000145 };
    const shown = await preview({ risk_pct: "0.1" }, plan, "BTC-USD");
    // 100 dollars at .000000112 a unit; at_stop is rounded up to the cent
    expect(shown).toMatchObject({
      quote: { price: "0.00000123" },
      intent: { quantity: "892857142.85714285", stop_loss: "0.000001118", take_profit: "0.00000145" },
      sizing: { at_risk: "99.999999999" },
      maximum_loss: { at_stop: "100", worst: "1098.22" },
    });
    const far = { side: "buy", type: "limit", quantity: "10000000", limit_price: "0.000002" };
    const off = (await preview(far, null, "BTC-USD")).checks.find(
      ({ rule }) => rule === "limit_price_off_pct",
    );
    // a tenth above .00000123
    expect(off).toMatchObject({ state: "failed", would_pass: "0.000001353" });
    expect(
      (await preview({ ...far, limit_price: off!.would_pass! }, null, "BTC-USD")).ticket_id,
    ).not.toBeNull();
    const small = await preview({ side: "buy", quantity: "8200000" }, plan, "BTC-USD");
    const { order } = await execute(await ticket(small.ticket_id));
    expect(order).toMatchObject({ state: "accepted", broker_status: "partially_filled" });
    expect(Number(order.average_price)).toBeCloseTo(0.00000123, 8);
    expect(Number(order.average_price)).toBeGreaterThanOrEqual(0.00000123);
  });

  it("has ticks of five significant digits, at least 0.000000001", () => {
    const ticks = ["140150", "1", "0.99", "0.1", "0.0456", "0.00123", "0.00000123", "0.00000001"].map((at) =>
      priceStep(decimal(at), "crypto"),
    );
    expect(ticks.join(" ")).toBe("0.01 0.0001 0.00001 0.00001 0.000001 0.0000001 0.000000001 0.000000001");
    expect(priceStep(decimal("0.0456"), "equity")).toBe("0.0001");
  });
});
