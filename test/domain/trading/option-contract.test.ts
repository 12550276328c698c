import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  occSymbol,
  parseOccSymbol,
  parseOptionContract,
} from "../../../src/domain/trading/option-contract.ts";

const APPLE = { underlying: "AAPL", expiry: "2026-12-18", right: "call", strike: 320 };

describe("the name of an option", () => {
  it.each([
    "AAPL261218C00320000",
    "O:AAPL261218C00320000",
    "AAPL  261218C00320000",
    " aapl261218c00320000 ",
    "AAPL 261218C320",
    "AAPL_261218C320",
    "AAPL261218C320.0",
    "-AAPL261218C320",
    "AAPL 2026-12-18 320 call",
    "AAPL 2026-12-18 $320.00 C",
    "AAPL 20261218 320C",
    "AAPL Dec 18 2026 320 call",
    "AAPL December 18, 2026 $320 Call",
    "AAPL DEC 18 '26 $320 CALL",
    "AAPL 18DEC26 320 C",
    "AAPL 12/18/2026 320 C",
    "AAPL 12/18/26 C 320",
  ])("%j is the call of Apple", (text) => {
    expect(parseOptionContract(text)).toEqual(APPLE);
  });

  it("gives a strike with its fractions, and a put", () => {
    expect(parseOptionContract("MSTR260717P00093500")).toEqual({
      underlying: "MSTR",
      expiry: "2026-07-17",
      right: "put",
      strike: 93.5,
    });
    expect(parseOptionContract("SPY 251121P580.5")).toMatchObject({ right: "put", strike: 580.5 });
    expect(parseOptionContract("F 2026-01-16 12.5 put")).toMatchObject({ underlying: "F", strike: 12.5 });
  });

  it("may have a ticker that is a letter of the right", () => {
    expect(parseOptionContract("C 2026-12-18 60 C")).toMatchObject({ underlying: "C", strike: 60 });
    expect(parseOptionContract("P 12/18/2026 60 put")).toMatchObject({ underlying: "P", right: "put" });
    expect(parseOptionContract("C261218P00060000")).toMatchObject({ underlying: "C", right: "put" });
  });

  it("keeps the digit of an adjusted contract", () => {
    expect(parseOptionContract("AAPL1 261218C00320000")).toMatchObject({ underlying: "AAPL1" });
  });

  it.each([
    "AAPL 2026-12-18 300/320 call spread",
    "AAPL 2026-12-18 300/320 call",
    "AAPL 2026-12-18 300-320 C",
    "AAPL 2026-12-18 300 call, 320 call",
    "AAPL 12/18/2026 300 C / 12/18/2026 320 C",
    "AAPL261218C00300000 AAPL261218C00320000",
    "AAPL261218C00300000AAPL261218C00320000",
    "AAPL261218C00300000|-1,AAPL261218C00320000|1",
    "SPY_251121C580-SPY_251121C590",
    "C 2026-12-18 60 C 65 C",
    "SPY 2026-12-18 500 straddle",
    "SPY iron condor 12/18",
  ])("%j has several legs", (text) => {
    expect(parseOptionContract(text)).toBe("several_legs");
  });

  it.each([
    "",
    "AAPL",
    "BTC-USD",
    "BRK.B",
    "3M",
    "Condor Hotels",
    "AAPL260230C00320000",
    "AAPL 2026-02-30 320 call",
    "AAPL 18/12/2026 320 call",
    "AAPL261218C00000000",
    "AAPL 261218C0",
    "AAPL261218X00320000",
    "AAPL261218C0032000",
    "AAPL 2026-12-18 320",
    "AAPL 2026-12-18 call",
    "AAPL 320 call",
    "AAPL 2026-12-18 320.12345 call",
    `AAPL 2026-12-18 320 call${" ".repeat(200)}.`,
  ])("%j is none", (text) => {
    expect(parseOptionContract(text)).toBeNull();
  });

  it("never throws, and takes a short time for any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."AC P0128/-_$.'") })),
        (text) => {
          const found = parseOptionContract(text);
          if (found !== null && found !== "several_legs") expect(found.strike).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe("the OCC symbol of a contract", () => {
  it("reads back as the contract", () => {
    expect(occSymbol({ ...APPLE, right: "call" })).toBe("AAPL261218C00320000");
    expect(occSymbol({ underlying: "BRK.B", expiry: "2026-01-16", right: "put", strike: 0.5 })).toBe(
      "BRKB260116P00000500",
    );
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Z]{1,5}$/),
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.constantFrom("call" as const, "put" as const),
        (underlying, thousandths, right) => {
          const contract = { underlying, expiry: "2028-02-29", right, strike: thousandths / 1_000 };
          expect(parseOccSymbol(occSymbol(contract))).toEqual(contract);
        },
      ),
    );
  });
});
