import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalSymbol, orderSymbol } from "../../../../src/providers/alpaca/broker/order.ts";
import { symbols } from "./bench.ts";

const instrument = (symbol: string) => symbols.find(symbol)!.instrument;

describe("a symbol at Alpaca", () => {
  it.each([
    ["AAPL", "AAPL"],
    ["BRK.B", "BRK.B"],
    ["BTC-USD", "BTC/USD"],
    ["BTC.US", "BTC"],
    ["SPY", "SPY"],
  ])("of %s is %s in orders", (symbol, written) => {
    expect(instrument(symbol).symbol).toBe(symbol);
    expect(orderSymbol(instrument(symbol))).toBe(written);
  });

  it.each([
    ["AAPL", "us_equity", "AAPL"],
    ["BRK.B", "us_equity", "BRK.B"],
    // The token with that ticker is not the fund.
    ["BTC", "us_equity", "BTC.US"],
    ["BTCUSD", "crypto", "BTC-USD"],
    ["BTC/USD", "crypto", "BTC-USD"],
    ["USDTUSD", "crypto", "USDT-USD"],
    ["ETH/BTC", "crypto", "ETH-BTC"],
    ["ZZZZZ", "us_equity", "ZZZZZ"],
    ["AAPL250620C00100000", "us_option", "AAPL250620C00100000"],
  ])("%s of %s is %s here", (symbol, kind, canonical) => {
    expect(canonicalSymbol(symbol, kind, symbols)).toBe(canonical);
  });

  it("of any tradable instrument maps back to the same instrument", () => {
    const known = symbols.members().filter((one) => orderSymbol(one) !== null);
    expect(known.length).toBeGreaterThan(1_000);
    fc.assert(
      fc.property(fc.constantFrom(...known), (one) => {
        const kind = one.asset_class === "crypto" ? "crypto" : "us_equity";
        const written = orderSymbol(one)!;
        expect(canonicalSymbol(written, kind, symbols)).toBe(one.symbol);
        expect(canonicalSymbol(written.replace("/", ""), kind, symbols)).toBe(one.symbol);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is not guessed for preferred shares", () => {
    expect(orderSymbol({ ...instrument("AAPL"), symbol: "ABR-PD" })).toBeNull();
  });
});
