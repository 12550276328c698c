import { describe, expect, it } from "vitest";
import type { Intent } from "../../../src/domain/trading/trading.ts";
import { paperBench } from "./bench.ts";

const DAY = 86_400_000;
const FRIDAY = Date.UTC(2026, 0, 16);
/** After the close of the UTC day. */
const midnightAfter = (day: number) => day + DAY;

const market = (over: Partial<Intent> = {}): Intent => ({
  symbol: "AAPL",
  side: "buy",
  type: "market",
  quantity: "10",
  limit_price: null,
  stop_price: null,
  time_in_force: "day",
  take_profit: null,
  stop_loss: null,
  ...over,
});

async function bench() {
  const made = await paperBench();
  const broker = made.open("cn_2", "ada", "next_open");
  await broker.account();
  const to = (at: number) => made.clock.pass(at - made.clock.now().getTime());
  const send = (clientOrderId: string, over: Partial<Intent> = {}) =>
    broker.submit({ clientOrderId, intent: market(over) });
  return { ...made, broker, to, send, owner: { account: "ada", connection: "cn_2" } };
}

describe("a paper account that fills at the next open", () => {
  it("fills in full at the next day's open after that day's close, without spread, impact or fee", async () => {
    const { broker, repository, owner, send, day, to } = await bench();
    // more than a tenth of the day's volume
    day(FRIDAY, { open: 101.23456789, high: 120, low: 90, volume: 5 });
    expect(await send("ms-1", { quantity: "40" })).toMatchObject({
      outcome: "accepted",
      order: { status: "working", filledQuantity: "0" },
    });
    expect(await broker.positions()).toEqual([]);
    to(midnightAfter(FRIDAY));
    expect(await broker.positions()).toEqual([
      { symbol: "AAPL", quantity: "40", averagePrice: "101.23456789" },
    ]);
    expect(await repository.fills(owner)).toEqual([
      {
        clientOrderId: "ms-1",
        number: 1,
        symbol: "AAPL",
        side: "buy",
        quantity: "40",
        // 09:30 in New York
        price: "101.23456789",
        fee: "0",
        at: "2026-01-16T14:30:00.000Z",
      },
    ]);
  });

  it("does not fill at the open of the day on which the order was sent, but after the weekend", async () => {
    const { repository, owner, broker, send, day, to } = await bench();
    to(FRIDAY + 16 * 3_600_000);
    await send("ms-1");
    day(FRIDAY, { open: 50 });
    const tuesday = Date.UTC(2026, 0, 20);
    day(tuesday, { open: 102 });
    to(midnightAfter(tuesday));
    await broker.positions();
    expect((await repository.fills(owner)).map(({ price, at }) => [price, at])).toEqual([
      ["102", "2026-01-20T14:30:00.000Z"],
    ]);
  });

  it("fills closing orders before opening ones at the same open, so that sales pay for purchases", async () => {
    const { repository, owner, broker, send, day, to } = await bench();
    day(FRIDAY, { open: 100 });
    await send("ms-1", { quantity: "900" });
    to(midnightAfter(FRIDAY));
    await broker.positions();
    // 10,000 dollars are left, and 90 shares cost 13,500 at the open.
    const tuesday = Date.UTC(2026, 0, 20);
    await send("ms-2", { quantity: "90" });
    await send("ms-3", { side: "sell", quantity: "900" });
    day(tuesday, { open: 150 });
    to(midnightAfter(tuesday));
    expect(await broker.positions()).toEqual([{ symbol: "AAPL", quantity: "90", averagePrice: "150" }]);
    expect((await repository.fills(owner)).map(({ clientOrderId }) => clientOrderId)).toEqual([
      "ms-1",
      "ms-3",
      "ms-2",
    ]);
    expect((await broker.account()).cash).toBe("131500");
  });

  it("accepts market orders only, and rejects others before submission", async () => {
    const { broker, send, open } = await bench();
    const refusal = /^This paper account fills at the next open and accepts only market orders/;
    for (const over of [
      { type: "limit", limit_price: "90" },
      { stop_loss: "90" },
      { take_profit: "120" },
    ] as const) {
      expect(broker.refusal!(market(over))).toMatch(refusal);
      expect(await send(`ms-${Object.keys(over)}`, over)).toEqual({
        outcome: "rejected",
        reason: expect.stringMatching(refusal),
      });
    }
    expect(broker.refusal!(market())).toBeNull();
    const usual = open();
    await usual.account();
    expect(usual.refusal!(market({ stop_loss: "90" }))).toBeNull();
  });

  it("preserves the fill model with which it was opened", async () => {
    const { open } = await bench();
    const again = open("cn_2");
    expect((await again.account()).notes?.[0]).toMatch(/^Fills match the backtest/);
    expect(again.refusal!(market({ stop_loss: "90" }))).not.toBeNull();
    await expect(open("cn_2", "ada", "market").account()).rejects.toMatchObject({
      code: "REFUSED",
      message: 'The fill model of this paper account is "next_open" and cannot change',
    });
    await open("cn_3", "ada").account();
    await expect(open("cn_3", "ada", "next_open").account()).rejects.toMatchObject({ code: "REFUSED" });
  });
});
