import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blocksIn, sweepsIn } from "../../../src/analytics/flow/tape.ts";
import { optionTapeFile, readOptionTape } from "../../../src/providers/files/option-tape.ts";
import { fixed } from "../../support/fixed-world.ts";
import { failureOf } from "../../support/source-bench.ts";
import { tempDir } from "../../support/temp-dir.ts";

const HEAD = "executed_at,contract,price,size,bid,ask,sweep,floor";
const ROWS = [
  "2026-01-15T10:31:02.512-05:00,AAPL260220C00250000,4.10,500,4.00,4.10,1,0",
  "2026-01-15T15:32:00Z,AAPL260220P00240000,3.00,400,3.00,3.20,0,0",
  "2026-01-15T15:33:00Z,BRKB260220C00500000,9.5,10,9,10,0,1",
];
const { signal } = new AbortController();

describe("a tape of option trades in a file", () => {
  it("is read by the names of its columns: sides by the quotes, sweeps and floors as marked", () => {
    const { trades, dropped } = readOptionTape(`${HEAD}\n${ROWS.join("\n")}\n`);
    expect(dropped).toBe(0);
    expect(trades[0]).toEqual({
      ...{ id: "row-1", root: "AAPL", contract: "AAPL260220C00250000", expiry: "2026-02-20" },
      ...{ type: "call", strike: 250, price: 4.1, size: 500, trades: 1 },
      ...{ premium: expect.closeTo(205_000, 6), askPremium: expect.closeTo(205_000, 6), bidPremium: 0 },
      ...{ sweep: true, floor: false, multileg: null, executedAt: Date.parse("2026-01-15T15:31:02.512Z") },
    });
    expect(trades[1]).toMatchObject({ type: "put", askPremium: 0, bidPremium: 120_000 });
    expect(trades[2]).toMatchObject({ root: "BRKB", floor: true, askPremium: 0, bidPremium: 0 });
    expect([sweepsIn(trades)!.count, blocksIn(trades).count]).toEqual([1, 2]);
  });

  it("may have other columns, in any order, and need no quotes", () => {
    const { trades } = readOptionTape(
      "\uFEFFSize,note,Contract,Price,Executed_At,trades\r\n5,x,AAPL260220C00250000,2,2026-01-15T15:00:00Z,3\r\n",
    );
    expect(trades).toMatchObject([{ size: 5, trades: 3, askPremium: null, bidPremium: null, sweep: null }]);
  });

  it.each([
    ["no zone", "2026-01-15T15:00:00,AAPL260220C00250000,1,1"],
    ["no such day", "2026-01-15T15:00:00Z,AAPL260231C00250000,1,1"],
    ["no price", "2026-01-15T15:00:00Z,AAPL260220C00250000,0,1"],
    ["no size", "2026-01-15T15:00:00Z,AAPL260220C00250000,1,"],
    ["cells missing", "2026-01-15T15:00:00Z"],
  ])("drops and counts a row with %s", (_, row) => {
    expect(readOptionTape(`${HEAD}\n${row}\n${ROWS[0]}`)).toMatchObject({
      trades: { length: 1 },
      dropped: 1,
    });
  });

  it("without a needed column is none", () => {
    expect(() => readOptionTape("executed_at,price\n")).toThrow("a tape without the columns contract, size");
  });

  it("is told of one symbol, and read again when it has changed", async () => {
    const path = join(tempDir(), "tape.csv");
    const tape = optionTapeFile(path);
    const ask = (symbol: string, from = 0) => tape.ask({ instrument: fixed(symbol), from }, { signal });
    expect((await failureOf(ask("AAPL"))).kind).toBe("down");
    writeFileSync(path, `${HEAD}\n${ROWS[0]}\n`);
    expect((await ask("AAPL")).trades).toMatchObject([{ type: "call" }]);
    appendFileSync(path, `${ROWS[1]}\n${ROWS[2]}\n`);
    expect((await ask("AAPL")).trades).toHaveLength(2);
    expect((await ask("AAPL", Date.parse("2026-01-15T15:32:00Z"))).trades).toHaveLength(1);
    expect((await ask("BRK.B")).trades).not.toHaveLength(0);
    expect((await ask("SPY")).trades).toEqual([]);
    expect((await failureOf(ask("BTC-USD"))).kind).toBe("unsupported");
    writeFileSync(path, `${HEAD}\nnonsense\n`);
    expect((await failureOf(ask("AAPL"))).kind).toBe("malformed");
  });
});
