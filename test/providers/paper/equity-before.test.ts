import Big from "big.js";
import { describe, expect, it } from "vitest";
import { previousSessionClose } from "../../../src/providers/paper/equity-before.ts";
import { MINUTE, paperBench } from "./bench.ts";

const DAY = 24 * 60 * MINUTE;

describe("the previous session close", () => {
  it.each([
    ["2026-01-15T15:00:00.000Z", "2026-01-14T21:00:00.000Z"], // Thursday morning: Wednesday's
    ["2026-01-16T02:00:00.000Z", "2026-01-14T21:00:00.000Z"], // Thursday evening in New York: still Wednesday's
    ["2026-01-20T15:00:00.000Z", "2026-01-16T21:00:00.000Z"], // Tuesday after a holiday: Friday's
    ["2026-11-28T15:00:00.000Z", "2026-11-27T18:00:00.000Z"], // half a day
  ])("of %s is %s", (now, close) => {
    expect(new Date(previousSessionClose(Date.parse(now))).toISOString()).toBe(close);
  });
});

describe("the equity at the previous close", () => {
  it("is the opening cash until a close has passed", async () => {
    const { broker, send } = await paperBench();
    await send("a", { quantity: "10" });
    expect((await broker.account()).equityBefore).toBe("100000");
  });

  it("values the cash and units of that time at the day's close, without later trades", async () => {
    const { broker, clock, day, price, send } = await paperBench();
    await send("a", { quantity: "10" });
    await send("b", { symbol: "BTC-USD", quantity: "2" });
    const { cash } = await broker.account();
    day(Date.UTC(2026, 0, 15), { open: 103 });
    clock.pass(DAY);
    price.now = 110;
    // The coin's newest day at 21:00 UTC on the 15th is the 14th: 100
    const before = new Big(cash)
      .plus(10 * 103)
      .plus(2 * 100)
      .toFixed();
    expect((await broker.account()).equityBefore).toBe(before);
    await send("c", { side: "sell", quantity: "10" });
    await send("d", { symbol: "BTC-USD", side: "sell", quantity: "2" });
    const now = await broker.account();
    expect(now.equity).toBe(now.cash);
    expect(now.equityBefore).toBe(before);
  });

  it("is null if a price of that time is unknown", async () => {
    const { broker, clock, bars, send } = await paperBench();
    await send("a");
    clock.pass(DAY);
    const { history } = bars;
    Object.assign(bars, {
      history: (...[instrument, request]: Parameters<typeof history>) =>
        request.asOf === undefined ? history(instrument, request) : Promise.reject(new Error("away")),
    });
    expect((await broker.account()).equityBefore).toBeNull();
  });
});
