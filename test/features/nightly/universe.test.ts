import { describe, expect, it } from "vitest";
import { hashOf, membersOf, newestClose } from "../../../src/features/nightly/universe.ts";
import { createLiveDirectory } from "../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { directoryOf } from "../../support/market.ts";

const symbols = directoryOf(["NVDA", "AAPL", "SPY", "BTC-USD"]);
const of = (name: "sp500" | "crypto" | "all", mode: "sample" | "files" = "files") =>
  membersOf({ name }, { symbols, market: { mode, id: "m" } });

describe("the members of a universe", () => {
  it("are all instruments of a file or sample market, in order", () => {
    expect(of("sp500")).toEqual(["AAPL", "NVDA", "SPY"]);
    expect(of("crypto", "sample")).toEqual(["BTC-USD"]);
    expect(of("all")).toEqual(["AAPL", "BTC-USD", "NVDA", "SPY"]);
  });

  it("are the large stocks and major tokens of the embedded table with live prices", () => {
    const live = createLiveDirectory({ listings: embeddedListings() });
    const ports = { symbols: live.symbols, market: { mode: "live", id: "live" } } as const;
    const stocks = membersOf({ name: "sp500" }, ports);
    const coins = membersOf({ name: "crypto" }, ports);
    expect(stocks).toEqual(expect.arrayContaining(["AAPL", "BRK.B", "XOM"]));
    expect(stocks).not.toContain("SPY");
    expect(coins).toEqual(expect.arrayContaining(["BTC-USD", "ETH-USD", "SOL-USD"]));
    expect(coins.length).toBeLessThan(embeddedListings().tokens.size);
    expect(membersOf({ name: "all" }, ports)).toEqual([...stocks, ...coins].sort());
  });

  it("of a file are canonical symbols, each once; unknown names stay unchanged", () => {
    const universe = { name: "file:x", symbols: ["nvda", "btc", "NVDA", "NOSUCH1"] } as const;
    expect(membersOf(universe, { symbols, market: { mode: "files", id: "m" } })).toEqual([
      "BTC-USD",
      "NOSUCH1",
      "NVDA",
    ]);
  });

  it("have a stable hash", () => {
    expect(hashOf(["A", "B"])).toMatch(/^[0-9a-f]{16}$/);
    expect(hashOf(["A", "B"])).toBe(hashOf(["A", "B"]));
    expect(hashOf(["AB"])).not.toBe(hashOf(["A", "B"]));
  });
});

describe("the newest close", () => {
  const stocks = new Set(["stocks"] as const);
  const coins = new Set(["crypto"] as const);
  const both = new Set(["stocks", "crypto"] as const);
  const close = (kinds: ReadonlySet<"stocks" | "crypto">, now: string, mode: "sample" | "live" = "live") =>
    new Date(newestClose(kinds, Date.parse(now), mode)).toISOString();

  it.each([
    ["2026-01-15T21:20:00Z", "2026-01-15T21:00:00.000Z", "today's at 16:20"],
    ["2026-01-15T21:00:00Z", "2026-01-15T21:00:00.000Z", "the very moment"],
    ["2026-01-15T20:59:59Z", "2026-01-14T21:00:00.000Z", "yesterday's before it"],
    ["2026-11-27T21:20:00Z", "2026-11-27T18:00:00.000Z", "of a half day at 13:00"],
    ["2026-01-19T22:00:00Z", "2026-01-16T21:00:00.000Z", "Friday's over a long weekend"],
    ["2026-01-16T03:00:00Z", "2026-01-15T21:00:00.000Z", "in New York's evening"],
  ])("of stocks at %s is %s: %s", (now, expected) => {
    expect(close(stocks, now)).toBe(expected);
  });

  it("of coins and the sample market is midnight UTC; of both kinds the later one", () => {
    expect(close(coins, "2026-01-15T00:10:00Z")).toBe("2026-01-15T00:00:00.000Z");
    expect(close(stocks, "2026-01-15T22:00:00Z", "sample")).toBe("2026-01-15T00:00:00.000Z");
    expect(close(both, "2026-01-15T22:00:00Z")).toBe("2026-01-15T21:00:00.000Z");
    expect(close(both, "2026-01-16T00:10:00Z")).toBe("2026-01-16T00:00:00.000Z");
  });
});
