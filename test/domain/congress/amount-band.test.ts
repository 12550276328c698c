import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountBands, bandIn, bandOf } from "../../../src/domain/congress/amount-band.ts";

describe("amount bands", () => {
  it("are those of the disclosure form", () => {
    expect(amountBands().map(({ label }) => label)).toEqual([
      "$1,001 - $15,000",
      "$15,001 - $50,000",
      "$50,001 - $100,000",
      "$100,001 - $250,000",
      "$250,001 - $500,000",
      "$500,001 - $1,000,000",
      "$1,000,001 - $5,000,000",
      "$5,000,001 - $25,000,000",
      "$25,000,001 - $50,000,000",
      "Over $50,000,000",
    ]);
  });

  it.each([
    ["$1,001 - $15,000", 1_001, 15_000],
    ["$1,000 - $15,000", 1_001, 15_000], // a dollar off, as a vendor writes it
    ["$250,001 -\n$500,000", 250_001, 500_000],
    ["1001-15000", 1_001, 15_000],
    ["$15,001 – $50,000", 15_001, 50_000],
    ["$50,001", 50_001, 100_000],
    ["$50,001 -", 50_001, 100_000],
    ["$1,000,001 +", 1_000_001, 5_000_000],
    ["$15,001.00", 15_001, 50_000],
    ["Over $50,000,000", 50_000_001, null],
    ["$50,000,001", 50_000_001, null],
    ["Over $1,000,000", 1_000_001, null],
    ["Spouse/DC Over $1,000,000", 1_000_001, null],
    ["$1 - $1,000", 1, 1_000],
  ])("reads %j", (text, low, high) => {
    expect(bandIn(text)).toMatchObject({ low, high });
  });

  it.each([
    "",
    "Unknown",
    "N/A",
    "--",
    "$12,345",
    "$15,000 - $1,001",
    "over a million",
    "Over $5",
    "$1,001 - $15,000 !",
  ])("makes nothing of %j", (text) => {
    expect(bandIn(text)).toBeNull();
  });

  it("completes a lower bound that starts a band, and no other", () => {
    expect(bandOf(100_001, null)?.high).toBe(250_000);
    expect(bandOf(100_100, null)).toBeNull();
    expect(bandOf(Number.NaN, null)).toBeNull();
    expect(bandOf(-1, 5)).toBeNull();
  });

  it("parses the labels it creates", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e8 }), fc.integer({ min: 3, max: 1e8 }), (low, more) => {
        const band = bandOf(low, low + more)!;
        expect(bandIn(band.label)).toEqual(band);
      }),
    );
    for (const band of amountBands()) expect(bandIn(band.label)).toEqual(band);
  });

  it("does not throw on any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const band = bandIn(text);
        expect(band === null || (band.low >= 0 && (band.high === null || band.high > band.low))).toBe(true);
      }),
    );
  });
});
