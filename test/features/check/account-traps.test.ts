import { describe, expect, it } from "vitest";
import { checkOrder } from "../../../tools/check-order.ts";
import { countingMeters } from "../../support/context.ts";
import { climbingBars, marketOf } from "../../support/market.ts";
import { receiptPorts } from "../../support/receipts.ts";
import { callerOf } from "../../support/tool-call.ts";

const flat = climbingBars({ first: 100, step: 0 });
const deep = { ...flat, volume: flat.volume.map(() => 1e6) };
const market = marketOf({ bars: { AAPL: deep, "BRK.B": deep, MSFT: deep } });
const { meters } = countingMeters({ burst: 1_000, day: 1_000 });
const send = callerOf(checkOrder, { ...market.ports, signer: receiptPorts().signer, meters });
/** An account that breaks no rule with a small purchase. */
const account = { equity: 100_000, buying_power: 100_000, equity_before: 100_000 };
const priced = { price: 100, bid: 99.99, ask: 100.01, at: "2026-01-15T15:00:00Z" };
const given = { account, positions: [], open_orders: [], recent_trades: [], quote: priced };
const buys = { symbol: "AAPL", side: "buy", quantity: 10, stop_loss: 95, ...given };
const check = async (over: object) => {
  const { verdict, rules, unknown, passing_quantity } = await send({ ...buys, ...over });
  return {
    verdict,
    rules: rules.map(({ rule, level }) => `${level} ${rule}`),
    required: unknown.flatMap(({ what, required }) => (required ? [what] : [])),
    would: rules.map(({ would_pass }) => would_pass),
    passing_quantity,
  };
};

describe("an account that hides what an order does", () => {
  it("is read by every spelling of a symbol", async () => {
    const twin = { symbol: "BRKB", side: "buy", quantity: 10 };
    expect((await check({ ...twin, open_orders: [twin] })).rules).toEqual(["stop duplicate"]);
    const sale = { symbol: "BRKB", side: "sell", quantity: 10, stop_loss: undefined };
    expect((await check({ ...sale, positions: [{ symbol: "BRKB", quantity: 10 }] })).rules).toEqual([]);
  });

  it("counts a position whose units a working exit reserves", async () => {
    const positions = [{ symbol: "AAPL", quantity: 150 }];
    const exit = { symbol: "AAPL", side: "sell", quantity: 150, limit_price: 140 };
    // 150 + 60 units at 100 of 100,000 dollars are 21 %
    const { rules } = await check({ quantity: 60, positions, open_orders: [exit] });
    expect(rules).toContain("warn position_share");
  });

  it("takes the exits of one bracket for one, so that the rest can be sold", async () => {
    const exits = [
      { symbol: "AAPL", side: "sell", quantity: 50, limit_price: 140 },
      { symbol: "AAPL", side: "sell", quantity: 50, stop_price: 90 },
    ];
    const sale = { side: "sell", quantity: 50, stop_loss: undefined };
    const positions = [{ symbol: "AAPL", quantity: 100 }];
    expect((await check({ ...sale, positions, open_orders: exits })).rules).not.toContain("stop oversell");
  });

  it("requires the value of a position that has none, and the calls that shares cover", async () => {
    expect((await check({ positions: [{ symbol: "ZZZQ", quantity: 5 }] })).required).toEqual([
      "the position ZZZQ",
    ]);
    const covered = [
      { symbol: "AAPL", quantity: 100 },
      { symbol: "AAPL260220C00110000", quantity: -1 },
    ];
    const sale = { side: "sell", quantity: 100, stop_loss: undefined, positions: covered };
    expect((await check(sale)).required).toEqual(["1 sold call that these shares cover"]);
  });

  it("knows no duplicates without the working orders", async () => {
    const { unknown } = await send({ ...buys, open_orders: undefined });
    expect(unknown.map(({ what }) => what)).toContain("duplicates");
  });
});

describe("a quote that is not of the order", () => {
  const at = "2026-01-15T15:00:00Z";
  it.each([
    [{ symbol: "MSFT", price: 100, at }, "quote, ignored: it names MSFT"],
    [{ bid: 101, ask: 99, at }, "quote, ignored: its bid is above its ask"],
    [{ price: 100, currency: "EUR", at }, "quote, ignored: it has no readable price"],
    [{ "31": "100" }, "quote, ignored: it has no readable price"],
  ])("is not used, and required: %j", async (sent, what) => {
    expect(await check({ quote: sent })).toMatchObject({ verdict: "warn", required: [what] });
  });

  it("stops an opening if it is from the future, and never an exit", async () => {
    const future = { price: 100, bid: 99.99, ask: 100.01, at: "2027-01-01T00:00:00Z" };
    expect((await check({ quote: future })).rules).toEqual(["stop price_age"]);
    const sale = { side: "sell", stop_loss: undefined, positions: [{ symbol: "AAPL", quantity: 10 }] };
    expect((await check({ ...sale, quote: future })).rules).toEqual(["warn price_age"]);
    const crash = { price: 40, bid: 39.99, ask: 40.01, at };
    expect((await check({ ...sale, quote: crash })).rules).toEqual(["warn price_agrees"]);
  });
});

describe("an order for an option", () => {
  const option = { symbol: "AAPL260220C00110000", stop_loss: undefined, type: "limit" };

  it("has values that pass in the prices of one share", async () => {
    const dear = { ...option, side: "buy_to_open", quantity: 1, limit_price: 8, quote: { price: 5 } };
    const { would } = await check(dear);
    expect(would).toContain("limit_price 5.50");
  });

  it("counts calls that work, and shares that are being sold, against the cover", async () => {
    const call = { ...option, side: "sell_to_open", quantity: 1, limit_price: 2 };
    const positions = [{ symbol: "AAPL", quantity: 100 }];
    expect((await check({ ...call, positions })).rules).not.toContain("stop naked_call");
    const other = { symbol: "AAPL260320C00110000", side: "sell_to_open", quantity: 1, limit_price: 3 };
    for (const working of [other, { symbol: "AAPL", side: "sell", quantity: 100, limit_price: 120 }])
      expect((await check({ ...call, positions, open_orders: [working] })).rules).toContain(
        "stop naked_call",
      );
  });

  it("is not sold for less than it is worth at once", async () => {
    const deep = {
      ...option,
      symbol: "AAPL260220C00050000",
      side: "sell_to_close",
      quantity: 1,
      quote: undefined,
    };
    const positions = [{ symbol: "AAPL260220C00050000", quantity: 1 }];
    // worth 50 at once
    expect((await check({ ...deep, positions, limit_price: 8 })).rules).toEqual(["warn price_agrees"]);
  });

  it("is refused with a premium above the strike of a put", async () => {
    const put = { ...option, symbol: "AAPL260220P00110000", side: "buy_to_open", quantity: 1 };
    await expect(check({ ...put, limit_price: 115 })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("is refused with an expiry on a Saturday", async () => {
    const call = { ...option, side: "buy_to_open", quantity: 1, limit_price: 2 };
    await expect(check({ ...call, symbol: "AAPL260221C00110000" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "No option expires on 2026-02-21, a Saturday or Sunday",
    });
  });
});

it("checks an option on the US listing of its root, never on a coin of the same ticker", async () => {
  const coins = marketOf({ bars: { "BTC-USD": { ...deep, zone: "UTC" } } });
  const call = callerOf(checkOrder, { ...coins.ports, signer: receiptPorts().signer, meters });
  const option = { symbol: "BTC260618C00030000", side: "buy", quantity: 1, limit_price: 2 };
  await expect(call(option)).rejects.toMatchObject({ code: "NOT_ENOUGH_DATA", data: { symbol: "BTC.US" } });
});
