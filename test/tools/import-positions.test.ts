import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { importPositions } from "../../tools/import-positions.ts";
import { listPositions } from "../../tools/list-positions.ts";
import { EXPORTS } from "../support/broker-exports.ts";
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
      taken_for: "Table of positions: 1 share position; 1 unknown symbol left out.",
      dry_run: false,
      imported: [{ symbol: "AAPL", quantity: "10", average_price: "100", lines: [2], notes: [] }],
      count: 1,
      cost_doubtful: [],
      refused: [
        { line: 3, text: "NOSUCH,1,1", kind: "unknown_symbol", why: expect.stringContaining("NOSUCH") },
      ],
      other_lines: 0,
      replaced: false,
    });
    const listed = await list("ada");
    expect(listed).toMatchObject({
      count: 1,
      synced: [{ reason: null }],
      imported: [{ account_label: "Old broker", imported_at: clock.now().toISOString() }],
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
    await put("cleo", { label: "IRA", csv: "symbol,quantity,total cost\nAAPL,10,1000\nMSFT,1,100" });
    const since = clock.now().toISOString();
    clock.pass(60_000);
    const again = await put("cleo", {
      label: " IRA ",
      csv: "symbol,quantity,total cost\nAAPL,4,400\nBTC-USD,-1,90",
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

  it("says what the file is taken for before anything counts", async () => {
    const csv = EXPORTS["Interactive Brokers Flex query, positions and trades"];
    const answer = await put("jo", { label: "IBKR", csv, dry_run: true });
    expect(answer.taken_for).toBe(
      "Interactive Brokers Flex query: 1 share position, 1 ETF position and 1 coin position; 1 option, 1 future, 1 mutual or money-market fund, 1 cash row, 2 lots counted in their summary rows, 1 trade and 1 row in another currency left out.",
    );
    const text = importPositions.terminal!(answer, (_, part) => part).split("\n");
    expect(text.slice(0, 3)).toEqual([
      answer.taken_for,
      "3 positions of IBKR would be imported",
      "  AAPL  40 at 150.25",
    ]);
  });

  it("stores nothing in a dry run, and says so", async () => {
    const csv = "symbol,quantity,cost\nAAPL,1,1\n";
    const dry = await put("kim", { label: "IRA", csv, dry_run: true });
    expect(dry).toMatchObject({
      count: 1,
      dry_run: true,
      replaced: false,
      hint: "Nothing was stored: repeat the call without dry_run to import the positions.",
    });
    expect((await list("kim")).imported).toEqual([]);
    await put("kim", { label: "IRA", csv });
    await put("kim", { label: "IRA", csv: "symbol,quantity,cost\nMSFT,2,1\n", dry_run: true });
    expect((await list("kim")).positions.map(({ symbol }) => symbol)).toEqual(["AAPL"]);
    const nothing = { label: "IRA", csv: "symbol,quantity,cost\nNOSUCH,1,1\n", dry_run: true };
    expect(await put("kim", nothing)).toMatchObject({ count: 0, refused: [{ line: 2 }] });
    await expect(put("kim", { label: "IRA", remove: true, dry_run: true })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });

  it("lists every refused row when none can be imported", async () => {
    const csv = `symbol,quantity,cost,asset class\n${"AAPL,1,1,Option\n".repeat(30)}USD,1,1,Cash\n`;
    const error = await put("lea", { label: "IRA", csv }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "INVALID_INPUT",
      message: "No line of the CSV could be read as a position",
      hint: "Table of positions: no position; 30 options and 1 cash row left out. Line 2: An option; only shares, exchange-traded funds and coins are imported.",
      data: { taken_for: "Table of positions: no position; 30 options and 1 cash row left out." },
    });
    expect((error as ToolError).data?.refused).toHaveLength(31);
  });

  describe("over market prices that are not simulated", () => {
    const files = { ...ports, market: { ...ports.market, mode: "files" as const } };
    const call = (account: string, input: object) =>
      invoke(importPositions, input, { ...as(account), ports: { ...as(account).ports, ...files } });
    // prices: AAPL 138, MSFT 162
    const csv = "Symbol,Quantity,Total Cost\nAAPL,2000,190.5\nMSFT,10,1500\n";

    it("leaves out costs far from the market price until they are accepted", async () => {
      const first = await call("mia", { label: "IRA", csv });
      expect(first).toMatchObject({
        taken_for: "Table of positions: 1 share position; 1 position with a doubtful cost left out.",
        imported: [{ symbol: "MSFT" }],
        cost_doubtful: [
          {
            symbol: "AAPL",
            quantity: "2000",
            cost: "0.09525",
            price: 138,
            price_source: "live_quote",
            factor: 0.00069,
            lines: [2],
          },
        ],
        hint: "list_positions shows them with current signals. If the costs under cost_doubtful are right, repeat the call with accept_costs: AAPL.",
      });
      expect(importPositions.terminal!(first, (_, part) => part)).toContain(
        "AAPL 2000 was not imported: it costs 0.09525, and the price is 138 (live_quote, ",
      );
      const again = await call("mia", { label: "IRA", csv, accept_costs: ["aapl"] });
      expect(again).toMatchObject({ replaced: true, count: 2, cost_doubtful: [] });
    });

    it("judges costs from 20 times to a twentieth as right, and none without a price", async () => {
      const row = async (symbol: string, cost: number) =>
        (
          await call("noa", {
            label: "IRA",
            csv: `symbol,quantity,average price\n${symbol},1,${cost}\nMSFT,1,162\n`,
          })
        ).cost_doubtful.length;
      expect([await row("AAPL", 2760), await row("AAPL", 2760.01)]).toEqual([0, 1]);
      expect([await row("AAPL", 6.9), await row("AAPL", 6.89)]).toEqual([0, 1]);
      expect(await row("NVDA", 1)).toBe(0);
    });

    it("imports nothing when every cost is doubtful, and names the field that accepts them", async () => {
      const only = "Symbol,Quantity,Cost\nAAPL,2000,190.5\n";
      await expect(call("ola", { label: "IRA", csv: only })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        hint: "Table of positions: no position; 1 position with a doubtful cost left out. If the costs are right, repeat the call with accept_costs: AAPL.",
        data: { cost_doubtful: [{ symbol: "AAPL" }] },
      });
      expect((await list("ola")).imported).toEqual([]);
      await expect(call("ola", { label: "IRA", csv: only, accept_costs: ["MSFT"] })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: "accept_costs names MSFT, which is not a position in the CSV",
      });
    });
  });

  it("judges no cost by simulated prices", async () => {
    const csv = "Symbol,Quantity,Total Cost\nAAPL,2000,190.5\n";
    expect(await put("pat", { label: "IRA", csv })).toMatchObject({ count: 1, cost_doubtful: [] });
  });

  it("refuses a cost of the position or of one unit until a column or the caller decides", async () => {
    const csv = "symbol,quantity,cost\nAAPL,10,150\nMSFT,1,162\n";
    const why =
      '"cost" may be the cost of the position or of one unit: name the column total cost or average price, or accept the cost of the position with accept_costs';
    expect(await put("ros", { label: "IRA", csv })).toMatchObject({
      taken_for: "Table of positions: 1 share position; 1 unreadable row left out.",
      imported: [{ symbol: "MSFT", average_price: "162" }],
      cost_doubtful: [],
      refused: [{ line: 2, text: "AAPL,10,150", kind: "unreadable", why }],
    });
    expect((await put("ros", { label: "IRA", csv, accept_costs: ["AAPL"] })).imported).toMatchObject([
      { symbol: "MSFT", average_price: "162" },
      { symbol: "AAPL", average_price: "15" },
    ]);
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
