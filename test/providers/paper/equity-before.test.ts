import Big from "big.js";
import { describe, expect, it } from "vitest";
import { previousSessionClose } from "../../../src/providers/paper/equity-before.ts";
import { intent } from "../broker-contract.ts";
import { MINUTE, paperBench } from "./bench.ts";

const DAY = 24 * 60 * MINUTE;

describe("the close before", () => {
  it.each([
    ["2026-01-15T15:00:00.000Z", "2026-01-14T21:00:00.000Z"], // Thursday morning: Wednesday's
    ["2026-01-16T02:00:00.000Z", "2026-01-14T21:00:00.000Z"], // Thursday evening in New York: still Wednesday's
    ["2026-01-20T15:00:00.000Z", "2026-01-16T21:00:00.000Z"], // Tuesday after a holiday: Friday's
    ["2026-11-28T15:00:00.000Z", "2026-11-27T18:00:00.000Z"], // half a day
  ])("of %s is %s", (now, close) => {
    expect(new Date(previousSessionClose(Date.parse(now))).toISOString()).toBe(close);
  });
});

describe("the equity before", () => {
  it("is what the account was opened with until a close has passed", async () => {
    const { broker } = await paperBench();
    await broker.submit({ clientOrderId: "a", intent: intent("AAPL", { quantity: "10" }) });
    expect((await broker.account()).equityBefore).toBe("100000");
  });

  it("is cash and units of then at the day's close, whatever was traded since", async () => {
    const { broker, clock, day, price } = await paperBench();
    await broker.submit({ clientOrderId: "a", intent: intent("AAPL", { quantity: "10" }) });
    await broker.submit({ clientOrderId: "b", intent: intent("BTC-USD", { quantity: "2" }) });
    const { cash } = await broker.account();
    day(Date.UTC(2026, 0, 15), { open: 103 });
    clock.pass(DAY);
    price.now = 110;
    // the coin's newest day at 21:00 UTC on the 15th is that of the 14th: 100
    const before = new Big(cash)
      .plus(10 * 103)
      .plus(2 * 100)
      .toFixed();
    expect((await broker.account()).equityBefore).toBe(before);
    await broker.submit({ clientOrderId: "c", intent: intent("AAPL", { side: "sell", quantity: "10" }) });
    await broker.submit({ clientOrderId: "d", intent: intent("BTC-USD", { side: "sell", quantity: "2" }) });
    const now = await broker.account();
    expect(now.equity).toBe(now.cash);
    expect(now.equityBefore).toBe(before);
  });

  it("is not known where a price of then is not", async () => {
    const { broker, clock, bars } = await paperBench();
    await broker.submit({ clientOrderId: "a", intent: intent("AAPL") });
    clock.pass(DAY);
    const { history } = bars;
    Object.assign(bars, {
      history: (...[instrument, request]: Parameters<typeof history>) =>
        request.asOf === undefined ? history(instrument, request) : Promise.reject(new Error("away")),
    });
    expect((await broker.account()).equityBefore).toBeNull();
  });
});
