import { expect, it } from "vitest";
import { parseOsiSymbol } from "../../../src/providers/shared/osi-symbol.ts";

it("reads root, expiry, type and strike", () => {
  expect(parseOsiSymbol("MSTR260717C00093500")).toEqual({
    root: "MSTR",
    expiry: "2026-07-17",
    type: "call",
    strike: 93.5,
  });
  expect(parseOsiSymbol("BRKB261120P00500000")).toMatchObject({ root: "BRKB", type: "put", strike: 500 });
});

it.each([
  "MSTR",
  "MSTR260231C00095000",
  "MSTR260717X00095000",
  "mstr260717C00095000",
  "MSTR260717C0009500",
  "",
])("takes %j for no option", (name) => {
  expect(() => parseOsiSymbol(name)).toThrow(expect.objectContaining({ kind: "malformed" }));
});
