import { describe, expect, it } from "vitest";
import { readSector } from "../../../src/domain/recognisers/sector-text.ts";
import sectors from "../../../src/domain/recognisers/sectors.json" with { type: "json" };

describe("a sector", () => {
  // https://finance.yahoo.com/sectors, https://www.msci.com/our-solutions/indexes/gics, https://www.ssga.com
  it.each([
    ["Technology", "Information Technology", "XLK"],
    ["Financial Services", "Financials", "XLF"],
    ["Healthcare", "Health Care", "XLV"],
    ["Energy", "Energy", "XLE"],
    ["Utilities", "Utilities", "XLU"],
    ["Industrials", "Industrials", "XLI"],
    ["Basic Materials", "Materials", "XLB"],
    ["Real Estate", "Real Estate", "XLRE"],
    ["Consumer Defensive", "Consumer Staples", "XLP"],
    ["Consumer Cyclical", "Consumer Discretionary", "XLY"],
    ["Communication Services", "Communication Services", "XLC"],
  ])("named %s at Yahoo is %s, of the fund %s", (yahoo, gics, fund) => {
    const names = [yahoo, gics, fund, gics.toUpperCase(), gics.replaceAll(" ", "_"), `${gics} sector`];
    expect(names.map(readSector)).toEqual(names.map(() => gics));
    expect(Object.keys(sectors)).toContain(gics);
  });

  it("is read from the name of its fund", () => {
    expect(readSector("The Financial Select Sector SPDR Fund")).toBe("Financials");
  });

  it.each(["Semiconductors", "Miscellaneous", "SPDR", "", 5, undefined])("%s stays as it is", (text) => {
    expect(readSector(text)).toBe(text);
  });
});
