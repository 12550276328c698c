import { describe, expect, it } from "vitest";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { tokenName } from "../../../src/providers/yahoo/client.ts";

describe("Yahoo's name for a token", () => {
  it("is its ticker, or ticker and number if an older coin has the ticker", () => {
    expect(["BTC", "ETH", "UNI", "ARB", "S"].map(tokenName)).toEqual([
      "BTC-USD",
      "ETH-USD",
      "UNI7083-USD",
      "ARB11841-USD",
      "S32684-USD",
    ]);
  });

  it("is null if it is not in the table", () => {
    // Toncoin was renamed at Yahoo; the other tickers belong to different coins there
    expect(["TON", "W", "ZZQX", ""].map(tokenName)).toEqual([null, null, null, null]);
  });

  it("exists for every major token except TON", () => {
    const major = [...embeddedListings().tokens.values()].filter((listing) => listing.major);
    expect(major.map(({ ticker }) => ticker).filter((ticker) => tokenName(ticker) === null)).toEqual(["TON"]);
    expect(new Set(major.map(({ ticker }) => tokenName(ticker))).size).toBe(major.length);
  });
});
