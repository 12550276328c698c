import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../../src/kernel/errors.ts";
import { canonicalOf, createDirectory, createLiveDirectory } from "../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { mergeListings } from "../../../src/market/symbols/merge-listings.ts";
import { longLists } from "../../support/long-lists.ts";
import { describeWithData } from "../../support/test-data.ts";

const listings = embeddedListings();
const directory = createDirectory({ members: [], listings });
const everything = [...listings.us.values(), ...listings.tokens.values()];

describe("search", () => {
  const found = (text: string, limit = 5) => directory.search(text, limit).map(({ symbol }) => symbol);

  test.each([
    ["apple", "AAPL"],
    ["AAPL", "AAPL"],
    ["google", "GOOGL"],
    ["berkshire", "BRK.B"],
    ["micro", "MSFT"],
    ["coca cola", "KO"],
    ["at&t", "T"],
    ["s&p 500", "SPY"],
    ["bitcoin", "BTC-USD"],
    ["btcusdt", "BTC-USD"],
    ["brk/b", "BRK.B"],
    ["gogle", "GOOGL"],
    ["palentir", "PLTR"],
    ["robotics", "BOTZ"],
  ])("finds for %o first %s", (text, symbol) => {
    expect(found(text)[0]).toBe(symbol);
  });

  test("returns both instruments of an ambiguous ticker first, the default one before the other", () => {
    expect(found("BTC").slice(0, 2)).toEqual(["BTC-USD", "BTC.US"]);
    expect(found("LINK").slice(0, 2)).toEqual(["LINK", "LINK-USD"]);
  });

  test("ranks a symbol before a name, and a full name before a prefix", () => {
    // NOW is ServiceNow; Snow- is a prefix of nothing else. C is Citigroup, and only a prefix of COST.
    expect(found("now")[0]).toBe("NOW");
    expect(found("c")[0]).toBe("C");
    expect(found("dash")).toEqual(expect.arrayContaining(["DASH", "DASH-USD"]));
    expect(found("fox")[0]).toBe("FOX");
    expect(found("block")[0]).toBe("XYZ");
  });

  test("returns at most the limit, without duplicates, and nothing for an empty text", () => {
    expect(found("a", 3)).toHaveLength(3);
    expect(new Set(found("bank", 50)).size).toBe(found("bank", 50).length);
    expect(found("apple", 0)).toEqual([]);
    expect(found("apple", -1)).toEqual([]);
    expect(found("")).toEqual([]);
    expect(found("🚀")).toEqual([]);
  });
});

describe("a name", () => {
  const named = (text: string) => directory.named(text).map(({ symbol }) => symbol);

  test.each([
    ["Apple", ["AAPL"]],
    ["coca cola", ["KO"]],
    ["COCA-COLA", ["KO"]],
    // longer than the text a search reads
    ["iShares Investment Grade Corporate Bond ETF", ["LQD"]],
    ["appl", []],
    ["AAPL", []],
    ["", []],
    ["…", []],
  ])("%o is borne by %o", (text, symbols) => {
    expect(named(text)).toEqual(symbols);
  });

  test("may belong to several instruments", () => {
    const instrument = { asset_class: "equity", sector: null, currency: "USD", name: "Acme" } as const;
    const members = ["ACMQ", "ACMZ"].map((symbol) => ({ ...instrument, symbol }));
    expect(createDirectory({ members, listings }).named("acme")).toEqual(members);
  });

  test("is found exactly if it resolves, else null", () => {
    for (const text of ["AAPL", "link", "btc/usdt", "brk-b"])
      expect(directory.find(text)).toEqual(directory.resolve(text));
    for (const text of ["APPL", "apple", "BTC-EUR", "", "日経"]) expect(directory.find(text)).toBeNull();
  });
});

describe("the members of a market", () => {
  const members = ["AAPL", "BRK-B", "BTCUSDT", "btc", "ZZZQ", "QQZZ-USDT", "WXYZUSDC"].map(
    (name) => canonicalOf(name, listings)!,
  );
  const market = createDirectory({ members, listings });

  test("are listed by canonical symbol, without duplicates", () => {
    expect(market.members().map(({ symbol, asset_class }) => [symbol, asset_class])).toEqual([
      ["AAPL", "equity"],
      ["BRK.B", "equity"],
      ["BTC-USD", "crypto"],
      ["ZZZQ", "equity"],
      ["QQZZ-USD", "crypto"],
      ["WXYZ-USD", "crypto"],
    ]);
  });

  test("resolve and are found even if the table lacks them", () => {
    expect(market.resolve("zzzq").instrument).toEqual({
      symbol: "ZZZQ",
      name: "ZZZQ",
      asset_class: "equity",
      sector: null,
      currency: "USD",
    });
    expect(market.resolve("QQZZUSD").instrument.symbol).toBe("QQZZ-USD");
    expect(market.resolve("wxyz").instrument.symbol).toBe("WXYZ-USD");
    expect(market.search("zzzq", 1)[0]?.symbol).toBe("ZZZQ");
  });

  test("do not change the table", () => {
    expect(() => directory.resolve("ZZZQ")).toThrow(ToolError);
  });

  test.each([
    ["ZZZQUSD", "ZZZQ-USD"],
    ["GUSD", "GUSD"],
    ["ZZZQ.A", "ZZZQ.A"],
    ["ZZZQ-A", "ZZZQ.A"],
    ["SPY", "SPY"],
    ["DOGE", "DOGE-USD"],
    ["BTC.US", "BTC.US"],
  ])("canonicalOf reads the file name %o as %s", (name, symbol) => {
    expect(canonicalOf(name)?.symbol).toBe(symbol);
  });

  test.each(["BTC-EUR", "BTCEUR", "EURUSD", "XAUUSD", "^GSPC", "ES=F", "README (1)", "../AAPL", "", "日経"])(
    "canonicalOf returns null for the file name %o",
    (name) => {
      expect(canonicalOf(name, listings)).toBeNull();
    },
  );
});

describeWithData("file names of public price data", ["ohlcv"], (folder) => {
  const names = (part: string) =>
    readdirSync(`${folder}/${part}`)
      .filter((file) => file.endsWith(".csv"))
      .map((file) => file.replace(/\.csv$/, "").replace(/_.*$/, ""));

  test("are all in the table", () => {
    for (const name of [...names("us_daily"), ...names("crypto_daily")])
      expect(everything.map(({ instrument }) => instrument)).toContain(canonicalOf(name, listings));
    for (const name of names("crypto_daily")) expect(canonicalOf(name, listings)?.asset_class).toBe("crypto");
    for (const name of names("us_daily")) expect(canonicalOf(name, listings)?.asset_class).not.toBe("crypto");
  });
});

describe("a live directory", () => {
  const row = { ticker: "ZZQA", name: "Zed Alpha", asset_class: "equity", exchange: "NYSE" } as const;

  test("serves new listings after a replacement, through the same port", () => {
    const { symbols, replace } = createLiveDirectory({ listings: listings });
    const { find, members, search } = symbols;
    const before = members();
    expect(find("ZZQA")).toBeNull();
    replace(mergeListings(listings, { us: [row], tokens: [] }));
    expect(find("ZZQA")?.instrument.name).toBe("Zed Alpha");
    expect(search("zed alpha", 1).map(({ symbol }) => symbol)).toEqual(["ZZQA"]);
    expect(members().length).toBe(before.length + 1);
    expect(before.map(({ symbol }) => symbol)).not.toContain("ZZQA");
    replace(listings);
    expect(find("ZZQA")).toBeNull();
  });

  test("has all listings as members, no ranked universe, and few peers per symbol", async () => {
    const { listings } = await longLists();
    const { symbols } = createLiveDirectory({ listings });
    expect(symbols.members()).toHaveLength(listings.us.size + listings.tokens.size);
    expect(new Set(symbols.members().map(({ symbol }) => symbol)).size).toBe(symbols.members().length);
    expect(symbols.members()[0]?.symbol).toBe([...embeddedListings().us.keys()][0]);
    expect(symbols.universe()).toEqual([]);
    expect(symbols.peers(symbols.resolve("AAPL").instrument)).toHaveLength(5);
  });

  test("resolves every canonical symbol of the full lists to itself", async () => {
    const { listings } = await longLists();
    const { symbols } = createLiveDirectory({ listings });
    const wrong = symbols.members().filter((member) => symbols.resolve(member.symbol).instrument !== member);
    expect(wrong).toEqual([]);
  });
});
