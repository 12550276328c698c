import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeWithData } from "../../../support/test-data.ts";
import { intent } from "../../broker-contract.ts";
import { alpacaBench, fixedResponseBench } from "./bench.ts";

const FIXTURES = ["fixtures", "alpaca"] as const;
const read = (path: string): any => JSON.parse(readFileSync(path, "utf8"));
const SINCE = "2020-01-01T00:00:00.000Z";

describeWithData("the account as it was recorded", [...FIXTURES, "account_before.json"], (path) => {
  it("has amounts with nine decimal places", async () => {
    const { broker } = fixedResponseBench(200, read(path));
    expect(await broker.account()).toEqual({
      number: "<scrubbed>",
      equity: "100005.83",
      cash: "100005.83",
      buyingPower: "400023.32",
      shorting: true,
      fractional: false,
      equityBefore: "100003.742588065",
      asOf: "2026-01-15T15:00:00.000Z",
    });
  });

  it("has the same fields as the simulated one", async () => {
    const { standIn } = await alpacaBench();
    expect(Object.keys(standIn.account.account()).sort()).toEqual(Object.keys(read(path)).sort());
  });
});

describeWithData("positions as they were recorded", [...FIXTURES, "positions_held.json"], (path) => {
  it("have amounts with all digits", async () => {
    const { broker } = fixedResponseBench(200, read(path));
    expect(await broker.positions()).toEqual([
      { symbol: "KO", quantity: "0.557436865", averagePrice: "86.879891" },
    ]);
  });

  it("have the same fields as the simulated ones", async () => {
    const { standIn, broker } = await alpacaBench();
    await broker.submit({ clientOrderId: "one", intent: intent("AAPL") });
    standIn.account.settle();
    expect(Object.keys(standIn.account.positions()[0]!).sort()).toEqual(Object.keys(read(path)[0]).sort());
  });
});

describeWithData("an order by its worth that was filled", [...FIXTURES, "order_poll_filled.json"], (path) => {
  it("has its filled quantity as its size", async () => {
    const { broker } = fixedResponseBench(200, read(path));
    expect(await broker.find("rec20261008151015-1")).toEqual({
      id: "f1a08ee3-8b15-4d31-b04b-944f30a06604",
      clientOrderId: "rec20261008151015-1",
      symbol: "KO",
      side: "buy",
      quantity: "0.057436865",
      stopPrice: null,
      leg: null,
      entry: null,
      status: "filled",
      filledQuantity: "0.057436865",
      averagePrice: "86.878",
      fees: "0",
      reason: null,
      updatedAt: "2026-10-08T15:10:18.098Z",
    });
  });

  it("has the same fields as the simulated one", async () => {
    const { standIn, broker } = await alpacaBench();
    await broker.submit({ clientOrderId: "one", intent: intent("AAPL") });
    expect(Object.keys(standIn.account.orders[0]!).sort()).toEqual(Object.keys(read(path)).sort());
  });
});

describeWithData(
  "an order by its worth as it was sent",
  [...FIXTURES, "order_submit_notional.json"],
  (path) => {
    it("is working, with nothing filled", async () => {
      const { broker } = fixedResponseBench(200, [read(path)]);
      expect(await broker.orders({ since: SINCE })).toMatchObject([
        { status: "working", quantity: "0", filledQuantity: "0", averagePrice: null },
      ]);
    });

    it("leaves the outcome unknown if it is not the order that was sent", async () => {
      const { broker } = fixedResponseBench(200, read(path));
      const sent = await broker.submit({ clientOrderId: "ms-1", intent: intent("KO") });
      expect(sent).toMatchObject({ outcome: "unknown" });
    });
  },
);

describeWithData("refusals as they were recorded", [...FIXTURES, "errors_observed.json"], (path) => {
  const rows = read(path) as { status: number; request: string; body: { message: string } }[];
  const result = async ({ status, body }: (typeof rows)[number]) =>
    fixedResponseBench(status, body).broker.submit({ clientOrderId: "ms-1", intent: intent("KO") });

  it("have reasons in our own words", async () => {
    const reasons = [];
    for (const row of rows) {
      const sent = await result(row);
      reasons.push(sent.outcome === "accepted" ? sent : [sent.outcome, sent.reason]);
    }
    expect(reasons).toEqual([
      ["rejected", "The quantity available to sell is 0.557436865; open orders may reserve the rest"],
      // The order is then looked up, and here every response is the same error.
      ["unknown", "The connection to Alpaca broke, or its response was unusable"],
      ["rejected", "Alpaca trades this symbol only in whole shares"],
      ["rejected", "The order needs 48640000 USD of buying power and 176531.28 USD is available"],
      ["rejected", "The order exceeds the quantity available to sell"],
      ["rejected", "The order could trade with an open order of this account on the other side (wash trade)"],
      ["rejected", "Outside regular hours Alpaca accepts only limit orders"],
      ["rejected", "Alpaca does not know the order"],
      ["rejected", "Alpaca does not allow short sales of this symbol"],
    ]);
  });

  it("of a missing order is null on find and no error on cancel", async () => {
    const { status, body } = rows.find(({ body: { message } }) => message === "order not found")!;
    const { broker } = fixedResponseBench(status, body);
    expect(await broker.find("ms-1")).toBeNull();
    await broker.cancel("00000000-0000-4000-8000-000000000001");
  });
});

describeWithData("orders as they are documented", [...FIXTURES, "trading_spec_examples.json"], (path) => {
  const result = async (rows: readonly unknown[]) =>
    fixedResponseBench(200, rows).broker.orders({ since: SINCE });

  it("contain stocks and tokens, without options and new issues", async () => {
    const all = read(path);
    const rows = Object.keys(all)
      .filter((name) => name.endsWith("OrderResponse"))
      .map((name) => all[name]);
    expect(rows).toHaveLength(5);
    expect((await result(rows)).map(({ symbol, quantity, status }) => [symbol, quantity, status])).toEqual([
      ["AAPL", "2", "working"],
      ["ETH-USD", "0.02", "working"],
    ]);
  });

  it("match the account and the positions in them", async () => {
    const all = read(path);
    const account = all.schema_example_Account["example-1"];
    expect(await fixedResponseBench(200, account).broker.account()).toMatchObject({
      number: "010203ABCD",
      equity: "103820.56",
      cash: "-23140.2",
      buyingPower: "262113.632",
    });
    const held = Object.values(all.schema_example_Position);
    expect(await fixedResponseBench(200, held).broker.positions()).toEqual([
      { symbol: "AAPL", quantity: "5", averagePrice: "100" },
      { symbol: "AAPL", quantity: "2", averagePrice: "174.78" },
    ]);
  });
});

describeWithData(
  "errors as they are documented",
  [...FIXTURES, "trading_spec_error_examples.json"],
  (path) => {
    const status = (name: string) => Number(name.split(" ").at(-1));
    /** All nested objects with a message. */
    const bodies = (node: unknown): readonly { message: string }[] => {
      if (typeof node !== "object" || node === null) return [];
      return "message" in node ? [node as { message: string }] : Object.values(node).flatMap(bodies);
    };

    it("are never read as a result, nor as a missing order unless that is the error", async () => {
      const all = Object.entries(read(path)).flatMap(([name, node]) =>
        bodies(node).map((body) => [status(name), body] as const),
      );
      expect(all.length).toBeGreaterThan(20);
      for (const [code, body] of all) {
        const { broker } = fixedResponseBench(code, body);
        const refused = code === 401 || code === 403 ? "REFUSED" : "UPSTREAM_UNAVAILABLE";
        await expect(broker.account()).rejects.toMatchObject({ code: refused });
        const sent = await broker.submit({ clientOrderId: "ms-1", intent: intent("KO") });
        expect(["rejected", "unknown"]).toContain(sent.outcome);
        if (sent.outcome === "unknown")
          expect(code === 500 || !("code" in body) || typeof body.code === "string").toBe(true);
      }
    });
  },
);

describeWithData("assets as they are documented", [...FIXTURES, "asset_routes__get_asset.json"], (path) => {
  it("are not read as an account, an order or a position", async () => {
    const { body } = read(path);
    const { broker } = fixedResponseBench(200, body);
    for (const requests of [
      broker.account(),
      broker.find("ms-1"),
      broker.positions(),
      broker.orders({ since: SINCE }),
    ])
      await expect(requests).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});
