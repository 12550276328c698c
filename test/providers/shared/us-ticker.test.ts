import { describe, expect, it } from "vitest";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { usTicker } from "../../../src/providers/shared/us-ticker.ts";
import { fixed } from "../../support/fixed-world.ts";
import { stock } from "../requests.ts";

describe("a ticker of a US stock or fund", () => {
  it("is written with a dot or a dash before its class", () => {
    expect(usTicker(fixed("BRK.B"))).toBe("BRK.B");
    expect(usTicker(fixed("BRK.B"), "-")).toBe("BRK-B");
    expect(usTicker(fixed("SPY"))).toBe("SPY");
  });

  it("is that of the fund for a fund's canonical name", () => {
    expect(usTicker({ ...fixed("SPY"), symbol: "BTC.US" })).toBe("BTC");
  });

  it("throws for tokens and for unusual tickers", () => {
    for (const of of [fixed("BTC-USD"), stock("BAC.PRL"), stock("AAPL/"), stock("../x"), stock("aapl")])
      expect(() => usTicker(of)).toThrow(ProviderFailure);
  });
});
