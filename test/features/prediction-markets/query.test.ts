import { describe, expect, it } from "vitest";
import { noContracts } from "../../../src/app/providers/not-connected.ts";
import { parseQuery, parseVenues, rowOf } from "../../../src/features/prediction-markets/query.ts";
import { contract, fixedContracts } from "../../support/contracts.ts";
import { directoryOf } from "../../support/market.ts";

const symbols = directoryOf(["AAPL", "META", "BTC-USD"]);
const read = (symbol?: string, query?: string) => {
  const { instrument, topics } = parseQuery({ symbol, query }, symbols);
  return [instrument?.symbol ?? null, ...topics];
};

describe("a request", () => {
  it("names a symbol, a company, or a topic", () => {
    expect(read("aapl")).toEqual(["AAPL"]);
    expect(read(undefined, "apple")).toEqual(["AAPL"]);
    expect(read(undefined, "Facebook")).toEqual(["META"]);
    expect(read(undefined, "META")).toEqual(["META"]);
    expect(read(undefined, "$META")).toEqual(["META"]);
    expect(read(undefined, "Fed rate cut")).toEqual([null, "Fed rate cut"]);
    expect(read("BTC", "halving")).toEqual(["BTC-USD", "halving"]);
  });

  it("covers the economy by default", () => {
    expect(read()).toEqual([null, "Fed rate", "recession", "inflation"]);
  });

  it("names a listed venue, or is rejected with those listed", () => {
    const { port } = fixedContracts([]);
    expect(parseVenues("play", port)).toEqual(["play"]);
    expect(parseVenues(undefined, port)).toBeNull();
    expect(parseVenues(undefined, noContracts)).toBeNull();
    expect(() => parseVenues("other", port)).toThrow("venue must be one of acme, play");
    expect(() => parseVenues("kalshi", noContracts)).toThrow(
      expect.objectContaining({ message: "venue must be omitted", hint: noContracts.missing }),
    );
  });
});

describe("a returned contract", () => {
  it("has no internal fields", () => {
    const row = rowOf(contract({ keywords: ["Stocks"] }));
    for (const field of ["event", "event_title", "strike", "keywords"]) expect(row).not.toHaveProperty(field);
    expect(row.venue).toBe("acme");
  });
});
