import { describe, expect, it } from "vitest";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { tokenName } from "../../../src/providers/yahoo/client.ts";

describe("Yahoo's name of a token", () => {
  it("is its ticker, or its ticker and number where another coin had that first", () => {
    expect(["BTC", "ETH", "UNI", "ARB", "S"].map(tokenName)).toEqual([
      "BTC-USD",
      "ETH-USD",
      "UNI7083-USD",
      "ARB11841-USD",
      "S32684-USD",
    ]);
  });

  it("is not guessed", () => {
    // Toncoin has been renamed there, and the others are whatever coin came first
    expect(["TON", "W", "ZZQX", ""].map(tokenName)).toEqual([null, null, null, null]);
  });

  it("is known of all but one of the major tokens", () => {
    const major = [...embeddedListings().tokens.values()].filter((listing) => listing.major);
    expect(major.map(({ ticker }) => ticker).filter((ticker) => tokenName(ticker) === null)).toEqual(["TON"]);
    expect(new Set(major.map(({ ticker }) => tokenName(ticker))).size).toBe(major.length);
  });
});
