import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { importPositions } from "../../tools/import-positions.ts";
import { listPositions } from "../../tools/list-positions.ts";
import { brokerMarket } from "../support/brokers.ts";
import { countingMeters, pro } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports, clock } = await brokerMarket();
const as = (account: string) => ({
  ports: { ...ports, meters: countingMeters().meters },
  principal: { ...pro, account },
  transport: "test",
});
const put = (account: string, input: object) => invoke(importPositions, input, as(account));
const list = (account: string, input = {}) => invoke(listPositions, input, as(account));

describe("import_positions", () => {
  it("lists imported positions with current signals, without a broker", async () => {
    const csv = "Symbol,Qty,Avg Price\nAAPL,10,100\nNOSUCH,1,1\n";
    const answer = await put("ada", { label: "Old broker", csv });
    expect(answer).toMatchObject({
      account_label: "Old broker",
      imported: [{ symbol: "AAPL", quantity: "10", average_price: "100", lines: [2] }],
      count: 1,
      refused: [{ line: 3, text: "NOSUCH,1,1", why: expect.stringContaining("NOSUCH") }],
      replaced: false,
    });
    const listed = await list("ada");
    expect(listed).toMatchObject({
      count: 1,
      synced: [],
      imported: [{ account_label: "Old broker", told_at: clock.now().toISOString() }],
      hint: null,
    });
    expect(listed.positions[0]).toMatchObject({
      symbol: "AAPL",
      quantity: "10",
      connection_id: null,
      account_label: "Old broker",
      side: "LONG",
      price: "138",
      market_value: "1380",
      unrealized_pnl: "380",
      unrealized_pct: 38,
      edge: { opening: { direction: expect.any(String) }, grade_steps: 0 },
    });
    expect((await list("bob")).positions).toEqual([]);
  });

  it("replaces positions under the same label, and keeps when a position was first imported", async () => {
    await put("cleo", { label: "IRA", csv: "symbol,quantity,cost\nAAPL,10,1000\nMSFT,1,100" });
    const since = clock.now().toISOString();
    clock.pass(60_000);
    const again = await put("cleo", {
      label: " IRA ",
      csv: "symbol,quantity,cost\nAAPL,4,400\nBTC-USD,-1,90",
    });
    expect(again.replaced).toBe(true);
    await put("cleo", { label: "Ledger", csv: "symbol,quantity,cost\nBTC-USD,1,90" });
    const { positions } = await list("cleo");
    expect(positions.map(({ symbol, account_label, side }) => `${symbol} ${account_label} ${side}`)).toEqual([
      "AAPL IRA LONG",
      "BTC-USD IRA SHORT",
      "BTC-USD Ledger LONG",
    ]);
    expect(positions[0]).toMatchObject({ quantity: "4", since, as_of: clock.now().toISOString() });
  });

  it("removes a label, only of its account", async () => {
    await put("dan", { label: "IRA", csv: "symbol,quantity,cost\nAAPL,1,1" });
    await expect(put("eve", { label: "IRA", remove: true })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await put("dan", { label: "IRA", remove: true })).toMatchObject({ removed: true, imported: [] });
    expect((await list("dan")).imported).toEqual([]);
    await expect(put("dan", { label: "IRA", remove: true })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("keeps stored positions when no row can be read", async () => {
    await put("fay", { label: "IRA", csv: "symbol,quantity,cost\nAAPL,1,1" });
    for (const csv of ["symbol,quantity,cost\nNOSUCH,1,1", "symbol,quantity,cost", "", "hello"])
      await expect(put("fay", { label: "IRA", csv })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect((await list("fay")).count).toBe(1);
  });

  it("requires a valid label, and either text of at most 64 KB or a removal", async () => {
    const csv = "symbol,quantity,cost\nAAPL,1,1";
    for (const input of [
      { label: "x" },
      { label: "x", csv, remove: true },
      { label: " \u200b ", csv },
      { label: "x".repeat(41), csv },
      { label: "x", csv: `${csv}\n${"é".repeat(40_000)}` },
      { label: "x", csv: "y".repeat(65_537) },
    ])
      await expect(put("gus", input)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("stores at most twenty labels", async () => {
    const csv = "symbol,quantity,cost\nAAPL,1,1";
    for (let n = 1; n <= 20; n++) await put("hal", { label: `account ${n}`, csv });
    await expect(put("hal", { label: "another", csv })).rejects.toMatchObject({ code: "REFUSED" });
    expect(await put("hal", { label: "account 20", csv })).toMatchObject({ replaced: true });
    expect((await list("hal")).imported).toHaveLength(20);
  });

  it("lists everything it imported, however large or small the numbers", async () => {
    const long = fc.integer({ min: 1, max: 15 }).map((digits) => "9".repeat(digits));
    const number = fc.oneof(
      fc.constantFrom("1", "0.000000001", "999999999999999", "999999999999", "1000000000000", "-7"),
      long,
    );
    const row = fc
      .tuple(fc.constantFrom("AAPL", "MSFT", "BTC-USD"), number, number)
      .map((cells) => cells.join(","));
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
        const csv = ["symbol,quantity,average_price", ...rows].join("\n");
        try {
          await put("ivy", { label: "M", csv });
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: "INVALID_INPUT" });
          return;
        }
        accepted++;
        const { positions, imported } = await list("ivy");
        expect(imported).toHaveLength(1);
        for (const row of positions)
          expect(row.market_value === null).toBe(row.price_reason?.includes("15 digits") ?? false);
      }),
      { numRuns: 40 },
    );
    expect(accepted).toBeGreaterThan(5);
    expect(await put("ivy", { label: "M", remove: true })).toMatchObject({ removed: true });
  });
});

toolContract(importPositions, { ports });
