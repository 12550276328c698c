import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksIn, sweepsIn } from "../../../src/analytics/flow/tape.ts";
import { createTradeColumns } from "../../../src/providers/files/option-tape-columns.ts";
import { createRowReader, type TapeRow } from "../../../src/providers/files/option-tape-rows.ts";

const NOW = Date.parse("2026-01-16T00:00:00Z");
const HEAD = "executed_at,contract,price,size,bid,ask,sweep,floor,trades,id";
const ROWS = [
  "2026-01-15T10:31:02.512-05:00,AAPL260220C00250000,4.10,500,4.00,4.10,1,0",
  "2026-01-15T15:32:00Z,AAPL260220P00240000,3.00,400,3.00,3.20,0,0",
  "2026-01-15T15:33:00Z,BRKB260220C00500000,9.5,10,9,10,0,1",
];
const read = (line: string, header = HEAD) => createRowReader(header)(line, 1, NOW);

const tradeOf = (row: TapeRow) => {
  const columns = createTradeColumns();
  columns.add(row);
  return columns.since(0)[0]!;
};

describe("a row of an option tape", () => {
  it("is read by column names: sides from the quotes, sweeps and floor trades as marked", () => {
    const rows = ROWS.map((line) => read(line)!);
    const trades = rows.map(tradeOf);
    expect(trades[0]).toEqual({
      id: "row-1",
      contract: "AAPL260220C00250000",
      expiry: "2026-02-20",
      type: "call",
      strike: 250,
      price: 4.1,
      size: 500,
      trades: 1,
      premium: expect.closeTo(205_000, 6),
      askPremium: expect.closeTo(205_000, 6),
      bidPremium: 0,
      sweep: true,
      floor: false,
      multileg: null,
      executedAt: Date.parse("2026-01-15T15:31:02.512Z"),
    });
    expect(trades[1]).toMatchObject({ type: "put", askPremium: 0, bidPremium: 120_000 });
    expect(trades[2]).toMatchObject({ floor: true, askPremium: 0, bidPremium: 0 });
    expect(rows[2]!.contract.root).toBe("BRKB");
    expect([sweepsIn(trades)!.count, blocksIn(trades).count]).toEqual([1, 2]);
  });

  it("may have other columns, in any order, and needs no quotes", () => {
    const row = read(
      "5,x,AAPL260220C00250000,$2,2026-01-15T15:00:00Z,3,a7",
      "\uFEFFSize,note,Contract,Price,Executed_At,trades,ID",
    );
    expect(row!.id).toBe("a7");
    expect(tradeOf(row!)).toMatchObject({
      size: 5,
      trades: 3,
      price: 2,
      askPremium: null,
      bidPremium: null,
      sweep: null,
    });
  });

  const AT = "2026-01-15T15:00:00Z";
  const CALL = "AAPL260220C00250000";
  it.each([
    ["no zone", `2026-01-15T15:00:00,${CALL},1,1`],
    ["no such day", `2026-02-31T15:00:00Z,${CALL},1,1`],
    ["no such day of expiry", `${AT},AAPL260231C00250000,1,1`],
    ["a time to come", `2026-01-16T00:02:00Z,${CALL},1,1`],
    ["a contract that was over, in New York", "2026-01-17T05:00:00Z,AAPL260116C00250000,1,1"],
    ["no price", `${AT},${CALL},0,1`],
    ["a price beyond belief", `${AT},${CALL},100000.01,1`],
    ["a price in powers", `${AT},${CALL},1e308,1`],
    ["a price in thousands", `${AT},${CALL},5k,1`],
    ["no size", `${AT},${CALL},1,`],
    ["half a contract", `${AT},${CALL},1,500.5`],
    ["a size beyond belief", `${AT},${CALL},1,5000000000`],
    ["more trades than contracts", `${AT},${CALL},1,3,,,,,4`],
    ["half a trade", `${AT},${CALL},1,3,,,,,1.5`],
    ["cells missing", AT],
  ])("is refused with %s", (_, line) => {
    expect(createRowReader(HEAD)(line, 1, Date.parse("2026-01-16T00:00:59Z"))).toBeNull();
  });

  it("is valid until its contract's last day ends in New York", () => {
    const line = "2026-01-17T04:59:59Z,AAPL260116C00250000,1,1";
    expect(createRowReader(HEAD)(line, 1, Date.parse("2026-01-18T00:00:00Z"))).not.toBeNull();
  });

  it("never has an infinite premium", () => {
    const cell = fc.oneof(fc.double().map(String), fc.integer().map(String), fc.string());
    fc.assert(
      fc.property(cell, cell, (price, size) => {
        const row = read(`${AT},${CALL},${price},${size}`);
        return row === null || (tradeOf(row).premium > 0 && tradeOf(row).premium <= 1e14);
      }),
    );
  });

  it("requires a header with its columns", () => {
    expect(() => createRowReader("executed_at,price")).toThrow("it lacks the columns contract, size");
  });
});
