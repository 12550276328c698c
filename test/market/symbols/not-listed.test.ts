import { describe, expect, it } from "vitest";
import { createDirectory, createLiveDirectory } from "../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { isUntrackedIndex, notListedAs } from "../../../src/market/symbols/not-listed.ts";

const listings = embeddedListings();
const symbols = createDirectory({ members: [], listings });

describe("the name of an index", () => {
  it.each([
    ...["SPX", "^GSPC", "$SPX", ".SPX", ".INX", "I:SPX", "SPX:IND", "INDEXSP:.INX", "S&P 500", "s&p"].map(
      (text) => [text, "SPY"],
    ),
    ...["NDX", "^NDX", "Nasdaq 100", "nasdaq-100"].map((text) => [text, "QQQ"]),
    ...["DJI", "^DJI", ".DJI", "$DJI", "INDU", "DJIA", "Dow Jones"].map((text) => [text, "DIA"]),
    ...["RUT", "^RUT", "Russell 2000"].map((text) => [text, "IWM"]),
  ])("%s is refused with the fund that tracks it, %s", (text, fund) => {
    expect(symbols.find(text!)).toBeNull();
    expect(symbols.notListed!(text!)).toMatchObject({ kind: "index", instrument: { symbol: fund } });
    expect(() => symbols.resolve(text!)).toThrow(
      expect.objectContaining({
        code: "UNKNOWN_SYMBOL",
        message: expect.stringContaining("which cannot be traded"),
        hint: expect.stringMatching(new RegExp(`^${fund} \\(.+\\) is a fund that tracks it\\.$`)),
        data: expect.objectContaining({
          price: null,
          candidates: [expect.objectContaining({ symbol: fund })],
        }),
      }),
    );
  });

  it.each(["VIX", "^VIX", "^IXIC", "^COMP", "DXY", "^N225", "DAX", "^DJT"])(
    "%s has no such fund here",
    (text) => {
      expect(symbols.notListed!(text)).toMatchObject({ kind: "index", instrument: null });
    },
  );

  it("has the canonical symbol of the index if providers have its level", () => {
    const canonical = (text: string) => symbols.notListed!(text)?.index?.symbol;
    expect(["SPX", ".INX", "S&P 500", "VIX", "$VIX", "Dow Jones", "SML", "^COMP"].map(canonical)).toEqual([
      "^GSPC",
      "^GSPC",
      "^GSPC",
      "^VIX",
      "^VIX",
      "^DJI",
      "^SP600",
      "^IXIC",
    ]);
    expect(["DAX", "TNX", "DXY", "FB"].map(canonical)).toEqual([undefined, undefined, undefined, undefined]);
    expect(symbols.notListed!("DAX")!.reason).toBe("is the DAX index, which this server does not quote");
  });

  it("is that of an instrument that is listed under it", () => {
    for (const text of ["COMP", "$COMP", "DJT", "NDAQ", "DOW", "SPY", "BTC"])
      expect(symbols.notListed!(text)).toBeNull();
    expect([isUntrackedIndex("vix"), isUntrackedIndex("spx"), isUntrackedIndex("apple")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("a former ticker", () => {
  it.each([
    ["SQ", "XYZ"],
    ["fb", "META"],
    ["$ANTM", "ELV"],
    ["RDS-A", "SHEL"],
    ["UTX", "RTX"],
  ])("%s is that of %s", (text, now) => {
    expect(symbols.notListed!(text)).toMatchObject({ kind: "renamed", instrument: { symbol: now } });
    expect(() => symbols.resolve(text)).toThrow(expect.objectContaining({ hint: `Pass ${now}.` }));
  });

  it("of a company that is gone is refused with the reason and the day", () => {
    expect(() => symbols.resolve("TWTR")).toThrow(
      expect.objectContaining({
        message: "TWTR no longer trades: Twitter was taken private on 2022-10-27",
        data: expect.objectContaining({ candidates: [] }),
      }),
    );
    expect(symbols.notListed!("atvi")?.reason).toMatch(/acquired by Microsoft \(MSFT\) on 2023-10-13$/);
  });

  it("that another company uses again is that company", () => {
    const us = new Map(listings.us);
    const apple = us.get("AAPL")!;
    us.set("TWTR", { ...apple, ticker: "TWTR", instrument: { ...apple.instrument, symbol: "TWTR" } });
    const live = createLiveDirectory({ listings });
    expect(live.symbols.notListed!("TWTR")?.kind).toBe("delisted");
    live.replace({ ...listings, us });
    expect(live.symbols.notListed!("TWTR")).toBeNull();
    expect(live.symbols.resolve("TWTR").instrument.symbol).toBe("TWTR");
  });

  it("is listed by no other company in the embedded listings", () => {
    for (const ticker of ["SQ", "FB", "TWTR", "ATVI", "VMW", "FI", "RE", "ABC", "LB"]) {
      expect(listings.us.has(ticker)).toBe(false);
      expect(notListedAs(ticker, listings)).not.toBeNull();
    }
  });
});

describe("a ticker that is no longer in use", () => {
  it.each([
    ["GPS", "GAP"],
    ["FLT", "CPAY"],
    ["CTRP", "TCOM"],
    ["CHK", "EXE"],
    ["WRK", "SW"],
    ["RNDR", "RENDER-USD"],
    ["FTM-USD", "S-USD"],
  ])("%s is refused with the one under which the company trades, %s", (former, now) => {
    expect(symbols.find(former)).toBeNull();
    expect(symbols.notListed!(former)).toMatchObject({ kind: "renamed", instrument: { symbol: now } });
  });

  it("is refused as gone after a takeover", () => {
    expect(symbols.notListed!("X")).toMatchObject({
      kind: "delisted",
      reason: "no longer trades: United States Steel was acquired by Nippon Steel on 2025-06-18",
    });
  });
});
