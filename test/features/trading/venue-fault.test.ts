import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isBroken } from "../../../src/analytics/risk/verdict.ts";
import { describeWithData } from "../../support/test-data.ts";
import { tradeBench } from "./bench.ts";

const buy = { side: "buy", quantity: "1" };

describe("a price between two steps", () => {
  it.each([
    { type: "limit", limit_price: "99.005" },
    { type: "stop", stop_price: "101.001" },
    { type: "stop_limit", stop_price: "101", limit_price: "102.009" },
    { stop_loss: "98.123" },
    { take_profit: "104.999" },
  ])("gets no ticket with %j, on paper and live", async (over) => {
    for (const account_type of ["paper", "live"] as const) {
      const { preview } = await tradeBench({ live: true, connection: { account_type } });
      const { ticket_id, reason, hint, checks } = await preview({ ...buy, ...over });
      expect({ ticket_id, reason }).toEqual({
        ticket_id: null,
        reason: expect.stringMatching(
          /whole cents \(SEC Rule 612\)\. The nearest valid prices are \d+\.\d\d and/,
        ),
      });
      expect(hint).toMatch(/Preview it again with \w+ \d+\.\d\d or \d+\.\d\d\.$/);
      expect(checks.filter(isBroken).map(({ rule }) => rule)).toEqual(
        account_type === "paper" ? ["tick"] : [],
      );
    }
  });

  it("is held to the step of a coin, and a valid one gets a ticket", async () => {
    const { preview } = await tradeBench();
    const limit = (limit_price: string) =>
      preview({ ...buy, quantity: "0.2", type: "limit", limit_price, time_in_force: "gtc" }, null, "BTC-USD");
    expect((await limit("99.9995")).reason).toContain(
      "steps of 0.001 USD. The nearest valid prices are 99.999 and",
    );
    expect(await limit("99.999")).toMatchObject({ reason: null, intent: { limit_price: "99.999" } });
  });

  it("is refused again when a ticket is executed", async () => {
    const { ticketOf, execute, sent } = await tradeBench();
    const ticket = await ticketOf({ ...buy, type: "limit", limit_price: "99" });
    const stale = { ...ticket, intent: { ...ticket.intent, limit_price: "99.005" } };
    await expect(execute(stale)).rejects.toMatchObject({
      code: "REFUSED",
      message: "Refused by tick: limit_price 99.005, limit steps of 0.01 USD",
      hint: "Preview it again with limit_price 99.00 or 99.01.",
    });
    expect(await sent()).toEqual([]);
  });
});

describe("an order below the broker's minimum", () => {
  it("gets no ticket, and the quantity that would pass", async () => {
    const { preview } = await tradeBench();
    const { ticket_id, reason, hint } = await preview({ ...buy, quantity: "0.05" }, null, "BTC-USD");
    expect({ ticket_id, reason, hint }).toEqual({
      ticket_id: null,
      reason:
        "The order is worth 5 USD, below the broker's minimum of 10 USD; the smallest valid quantity is 0.1",
      hint: "Preview it again with quantity 0.1 or more.",
    });
    expect((await preview({ ...buy, quantity: "0.1" }, null, "BTC-USD")).reason).toBeNull();
    expect((await preview({ ...buy, quantity: "0.05" })).reason).toBeNull();
  });

  it("gets no ticket for a fraction of a share, but for a whole one at any price", async () => {
    const { preview } = await tradeBench();
    const small = await preview({ ...buy, quantity: "0.0099" });
    expect([small.ticket_id, small.reason]).toEqual([
      null,
      "The order is worth 0.99 USD, below the broker's minimum of 1 USD; the smallest valid quantity is 0.01",
    ]);
    expect((await preview({ ...buy, quantity: "0.01" })).reason).toBeNull();
    const limit = await preview({ ...buy, quantity: "0.0105", type: "limit", limit_price: "95" });
    expect(limit.reason).toContain("0.9975 USD");
  });

  it("is refused again when a ticket is executed", async () => {
    const { ticketOf, execute, sent } = await tradeBench();
    const ticket = await ticketOf({ ...buy, quantity: "0.02" });
    const stale = { ...ticket, intent: { ...ticket.intent, quantity: "0.002" } };
    await expect(execute(stale)).rejects.toMatchObject({
      code: "REFUSED",
      hint: "Preview it again with quantity 0.01 or more.",
    });
    expect(await sent()).toEqual([]);
  });
});

describeWithData("the trades of the reports", ["reports", "messages", "trade.json"], (file) => {
  const rows: { readonly id: string; readonly input: Readonly<Record<string, unknown>> }[] = JSON.parse(
    readFileSync(file, "utf8"),
  );
  const inputOf = (id: string) => {
    const { symbol, ...input } = rows.find((row) => row.id === id)!.input;
    return { symbol: String(symbol), input };
  };

  it("get no ticket at a price below a cent", async () => {
    const { preview } = await tradeBench();
    const { symbol, input } = inputOf("sub-penny-limit");
    const limit_price = String(input.limit_price).replace("<last price minus 1>", "99");
    const { ticket_id, reason } = await preview({ ...input, limit_price }, null, symbol);
    expect([ticket_id, reason]).toEqual([null, expect.stringContaining("are 99.00 and 99.01")]);
  });

  it("read the quantity of a sum as the decimal that was meant", async () => {
    const { preview } = await tradeBench();
    const { symbol, input } = inputOf("quantity-of-a-sum");
    expect(await preview(input, null, symbol)).toMatchObject({ reason: null, intent: { quantity: "0.3" } });
  });
});
