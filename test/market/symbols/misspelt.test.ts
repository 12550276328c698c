import { describe, expect, it } from "vitest";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { misspeltIn } from "../../../src/market/symbols/misspelt.ts";

const listings = embeddedListings();
const misspelt = misspeltIn(listings);
const read = (text: string) => misspelt(text).map(({ instrument }) => instrument.symbol);

describe("a misspelt name", () => {
  it.each([
    ["nvidea", "NVDA"],
    ["telsa", "TSLA"],
    ["micosoft", "MSFT"],
    ["etherium", "ETH-USD"],
    ["dogcoin", "DOGE-USD"],
    ["bershire", "BRK.B"],
    ["hom depo", "HD"],
    ["Mc-Donlds", "MCD"],
    ["fizer", "PFE"],
  ])("%s means %s", (text, symbol) => {
    expect(read(text)).toEqual([symbol]);
  });

  it.each([
    ["apple", "right as it is"],
    ["aaa", "too short"],
    ["bpple and nothing else", "far from all"],
    ["nvbdbia", "wrong in two places of six"],
    ["zntel", "wrong in the first of five"],
    ["x".repeat(10_000), "too long"],
  ])("%s means nothing: %s", (text) => {
    expect(read(text)).toEqual([]);
  });

  it("matches all equally close names", () => {
    const pick = (...tickers: string[]) =>
      new Map(tickers.map((ticker) => [ticker, listings.us.get(ticker)!]));
    const two = misspeltIn({ us: pick("NVDA"), tokens: new Map() });
    expect(two("nvidja").map(({ ticker }) => ticker)).toEqual(["NVDA"]);
    const twin = { ...listings.us.get("AAPL")!, aliases: ["nvidja corp", "nvidka"] };
    const three = misspeltIn({ us: new Map([...pick("NVDA"), ["AAPL", twin]]), tokens: new Map() });
    expect(three("nvidxa").map(({ ticker }) => ticker)).toEqual(["NVDA", "AAPL"]);
  });

  it("never matches an instrument that is not familiar", () => {
    const strange = { ...listings.us.get("NVDA")!, familiar: false };
    expect(misspeltIn({ us: new Map([["NVDA", strange]]), tokens: new Map() })("nvidea")).toEqual([]);
  });
});
