import { describe, expect, it } from "vitest";
import type { TokenRow, UsRow } from "../../../src/domain/market/listing-repository-port.ts";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { mergeListings } from "../../../src/market/symbols/merge-listings.ts";

const embedded = embeddedListings();
const stock = (ticker: string, name: string, over: Partial<UsRow> = {}): UsRow => ({
  ticker,
  name,
  asset_class: "equity",
  exchange: "NYSE",
  ...over,
});
const coin = (base: string, rank = 100, name = `${base} coin`): TokenRow => ({ base, name, id: base, rank });
const given = ({ us = [], tokens = [] }: { us?: readonly UsRow[]; tokens?: readonly TokenRow[] }) => {
  const listings = mergeListings(embedded, { us, tokens });
  return { listings, directory: createDirectory({ members: [], listings }) };
};

describe("refreshed listings", () => {
  it("equal the embedded table if the new lists are empty", () => {
    const { listings } = given({});
    expect(listings.us).toEqual(embedded.us);
    expect(listings.tokens).toEqual(embedded.tokens);
  });

  it("keep the embedded entries unchanged, listed or not", () => {
    const { listings } = given({
      us: [stock("AAPL", "Apple Inc.")],
      tokens: [coin("BTC", 1, "Wrapped Nonsense")],
    });
    expect(listings.us.get("AAPL")).toBe(embedded.us.get("AAPL"));
    expect(listings.us.get("MSFT")).toBe(embedded.us.get("MSFT"));
    expect(listings.tokens.get("BTC")).toBe(embedded.tokens.get("BTC"));
  });

  it("append new entries in their order, without a sector", () => {
    const { listings, directory } = given({
      us: [stock("ZZQA", "Zed Alpha"), stock("ZZQB", "Zed Beta Fund", { asset_class: "etf" })],
      tokens: [coin("ZZQC", 7)],
    });
    expect(directory.resolve("zzqb")).toEqual({
      instrument: {
        symbol: "ZZQB",
        name: "Zed Beta Fund",
        asset_class: "etf",
        sector: null,
        currency: "USD",
      },
      alternatives: [],
    });
    expect(listings.tokens.get("ZZQC")).toMatchObject({ major: false, familiar: false, aliases: [] });
    const last = Math.max(...[...embedded.us.values()].map(({ rank }) => rank));
    const [a, b] = ["ZZQA", "ZZQB"].map((ticker) => listings.us.get(ticker)!.rank);
    expect(a).toBeGreaterThan(last);
    expect(b).toBeGreaterThan(a!);
    expect(directory.search("zed", 2).map(({ symbol }) => symbol)).toEqual(["ZZQA", "ZZQB"]);
  });

  it("give a ticker to its current company", () => {
    const { directory } = given({ us: [stock("MSFT", "Mesopotamian Shoes Inc.")] });
    expect(directory.resolve("MSFT").instrument).toMatchObject({
      name: "Mesopotamian Shoes Inc.",
      sector: null,
    });
    expect(directory.named("microsoft")).toEqual([]);
  });

  it("keep an embedded fund a fund if the name matches, even if the new row has another type", () => {
    const { directory } = given({ us: [stock("BTC", "Grayscale Bitcoin Mini Trust")] });
    expect(directory.resolve("BTC").instrument.symbol).toBe("BTC-USD");
    expect(directory.resolve("BTC.US").instrument.asset_class).toBe("etf");
  });

  it("resolve a new fund's bare ticker to the major token, and a new stock's to the stock", () => {
    const fund = given({ us: [stock("SOL", "Solana Fund", { asset_class: "etf" })] }).directory;
    expect(fund.resolve("SOL")).toMatchObject({
      instrument: { symbol: "SOL-USD" },
      alternatives: [{ symbol: "SOL.US", asset_class: "etf" }],
    });
    expect(fund.resolve("SOL.US").instrument.name).toBe("Solana Fund");
    const company = given({ us: [stock("SOL", "Solar Company")] }).directory;
    expect(company.resolve("SOL")).toMatchObject({
      instrument: { symbol: "SOL", asset_class: "equity" },
      alternatives: [{ symbol: "SOL-USD" }],
    });
  });

  it("never resolve a fund's bare ticker to a new token", () => {
    const { directory } = given({ tokens: [coin("SPY", 1)] });
    expect(directory.resolve("SPY")).toMatchObject({
      instrument: { symbol: "SPY", asset_class: "etf" },
      alternatives: [{ symbol: "SPY-USD" }],
    });
  });

  it.each(["FIGR_HELOC", "usds", "A B", "ABCDEFGHIJKLM", "", "EUR", "XAU", "USD", "BTCUSD", "LINKUSDT"])(
    "omit the token %o",
    (base) => {
      expect(given({ tokens: [coin(base)] }).listings.tokens.has(base)).toBe(false);
    },
  );

  it("omit a token that looks like the pair of another new one, whichever ranks higher", () => {
    for (const ranks of [
      [1, 2],
      [2, 1],
    ] as const) {
      const { listings, directory } = given({ tokens: [coin("ZZQ", ranks[0]), coin("ZZQUSD", ranks[1])] });
      expect(listings.tokens.has("ZZQUSD")).toBe(false);
      expect(directory.resolve("ZZQUSD").instrument.symbol).toBe("ZZQ-USD");
    }
  });

  it("use the higher-ranked of two tokens with the same base", () => {
    const { directory } = given({ tokens: [coin("ZZQ", 50, "Little"), coin("ZZQ", 5, "Great")] });
    expect(directory.resolve("ZZQ").instrument.name).toBe("Great");
  });

  it("leave a name to the embedded instrument that has it", () => {
    const { directory } = given({ us: [stock("ZZQA", "Bitcoin")], tokens: [coin("ZZQC", 9, "Apple")] });
    expect(directory.named("bitcoin").map(({ symbol }) => symbol)).toEqual(["BTC-USD"]);
    expect(directory.named("apple").map(({ symbol }) => symbol)).toEqual(["AAPL"]);
  });

  it("mark only embedded instruments as familiar", () => {
    const { directory } = given({ us: [stock("ZZQA", "Zed Alpha")], tokens: [coin("ZZQC")] });
    const familiar = (text: string) => directory.familiar(directory.resolve(text).instrument);
    expect(["AAPL", "BTC-USD", "BTC.US"].map(familiar)).toEqual([true, true, true]);
    expect(["ZZQA", "ZZQC-USD"].map(familiar)).toEqual([false, false]);
  });
});
