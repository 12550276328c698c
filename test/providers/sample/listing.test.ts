import { describe, expect, it } from "vitest";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { CRYPTO, LISTINGS } from "../../../src/providers/sample/listing.ts";

const instruments = LISTINGS.map(({ instrument }) => instrument);
const count = (asset_class: string) => instruments.filter((one) => one.asset_class === asset_class).length;

describe("the listing", () => {
  it("contains stocks, funds and coins, without duplicates, under canonical symbols", () => {
    expect([count("equity"), count("etf"), count("crypto")]).toEqual([45, 17, 12]);
    expect(new Set(instruments.map(({ symbol }) => symbol)).size).toBe(instruments.length);
    for (const { symbol, asset_class } of instruments)
      expect(symbol).toMatch(asset_class === "crypto" ? /^[A-Z]{3,4}-USD$/ : /^[A-Z]{1,5}(\.B)?$/);
  });

  it("gives every stock at least two peers in one of the eleven GICS sectors", () => {
    const peers = new Map<string | null, number>();
    for (const { asset_class, sector } of instruments)
      if (asset_class === "equity") peers.set(sector, (peers.get(sector) ?? 0) + 1);
    expect([...peers.keys()].sort()).toEqual([
      "Communication Services",
      "Consumer Discretionary",
      "Consumer Staples",
      "Energy",
      "Financials",
      "Health Care",
      "Industrials",
      "Information Technology",
      "Materials",
      "Real Estate",
      "Utilities",
    ]);
    for (const stocks of peers.values()) expect(stocks).toBeGreaterThanOrEqual(3);
  });

  it("agrees with the symbol directory on class and sector", () => {
    const directory = createDirectory({ members: instruments });
    const members = directory
      .members()
      .map(({ symbol, asset_class, sector }) => ({ symbol, asset_class, sector }));
    expect(members).toEqual(
      instruments.map(({ symbol, asset_class, sector }) => ({ symbol, asset_class, sector })),
    );
    expect(directory.members()[0]).toMatchObject({ symbol: "AAPL", name: "Apple" });
  });

  it("gives funds and coins no sector", () => {
    expect(
      instruments.filter(({ asset_class, sector }) => asset_class !== "equity" && sector !== null),
    ).toEqual([]);
  });

  it("groups listings by sectors of the stocks, except coins", () => {
    const sectors = new Set(instruments.map(({ sector }) => sector));
    const groups = LISTINGS.map(({ group }) => group).filter((group) => group !== null && group !== CRYPTO);
    expect(groups.filter((group) => !sectors.has(group))).toEqual([]);
  });
});
